//===- Writer.cpp ---------------------------------------------------------===//
//
// Problem: put sections, tables and headers of a finished layout into a file,
// as fast as the disk allows, with nothing visible when anything is wrong.
//
// Method: sections are rendered in chunks of 128 KB, large ones of 1 MB, into
// private buffers by whichever thread is free, and written at their offsets,
// and so are some thousand symbols at a time. A small output is rendered in one
// buffer and written with one call. Other tables and headers follow; the file
// appears under its name only after the last relocation was checked. Before the
// first byte is rendered every member is known to lie inside its section, and
// every section in bytes of the file that are its own.
//
// What is computed from other bytes of the output (BuildId.cpp, Checksums.cpp)
// comes last, in a buffer that holds all of them.
//
// Long runs that are in the output as they are in an input are written from
// there.
//
// Cost: one copy of each other byte; up to a megabyte of memory a thread.
//
//===----------------------------------------------------------------------===//
#include "output/Writer.h"
#include "output/BuildId.h"
#include "output/Checksums.h"
#include "output/Images.h"
#include "output/LinkTables.h"
#include "output/RelocationReport.h"
#include "output/Relocator.h"
#include "output/SectionBytes.h"
#include "output/SymbolTableWriter.h"
#include "output/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

using namespace llvm;
using namespace llvm::object;

namespace xlink {

namespace {

/// Outputs up to this size are built in one buffer.
constexpr uint64_t kOneBuffer = 128 << 10;

class Writer {
public:
  Writer(const Link &link, const SymbolValues &values, const FileLayout &layout,
         uint64_t entry, OutputSink &sink, Diagnostics &diag)
      : link(link), program(link.program), values(values), layout(layout),
        entry(entry), sink(sink), diag(diag),
        sectionCount(layout.sectionCount) {}
  void run();

private:
  bool elf() const { return layout.elf; }
  void buildTables();
  void addSymbols();
  void nameSections();
  uint32_t headerOf(size_t table) const;
  bool sane(const SectionBytes &sections);
  bool refuse(const std::string &text);
  bool membersInside(const SectionBytes &sections);
  bool sectionsInside(Size size);
  Size placeTables();
  bool fits(uint64_t size);
  void renderSymbols(size_t number);
  void renderChunk(const SectionBytes &sections, const FileChunk &chunk,
                   bool write, RelocationProblems &problems);
  void render(const SectionBytes &sections, bool write);
  void complete();
  template <class ELFT> std::vector<uint8_t> headers() const;
  template <class ELFT> std::vector<uint8_t> sectionHeaders() const;
  void put(uint64_t offset, ArrayRef<uint8_t> bytes);
  void putAround(uint64_t offset, MutableArrayRef<uint8_t> bytes, Size begin,
                 ArrayRef<SectionBytes::Unchanged> unchanged);
  void fail(const std::string &reason);

  const Link &link;
  const Program &program;
  const SymbolValues &values;
  const FileLayout &layout;
  const uint64_t entry; ///< e_entry
  OutputSink &sink;
  Diagnostics &diag;
  std::unique_ptr<OutputFile> file;
  std::vector<uint8_t> image; ///< a small output
  bool oneBuffer = false;
  bool identifies = false;         ///< the output holds a hash of itself
  std::vector<Checksum> checksums; ///< it holds these of what is loaded
  std::optional<SymbolTableWriter> symbols; ///< nothing: there is no table
  size_t symtabAt = 0;       ///< into `tables`; .strtab is the last one
  std::vector<Table> tables; ///< the first ones are those of FileLayout::groups
  IdVector<OutputId, uint32_t> sectionNames; ///< offsets of their names
  uint32_t sectionCount;                     ///< with the tables
  Size sectionHeadersAt;
  std::mutex failureMutex;
  std::string failure;
};

} // namespace

/// Where a table's header stands.
uint32_t Writer::headerOf(size_t table) const {
  const size_t groups = layout.groups.size();
  return table < groups ? uint32_t(1 + table)
                        : layout.sectionCount + uint32_t(table - groups);
}

/// The symbols, and in front of them the tables that name them by index.
void Writer::addSymbols() {
  const bool keeps = program.config.keepsRelocations();
  symbols.emplace(link, values, layout.headers, keeps);
  // Stripped of everything there is no table, which would hold the null symbol.
  if (program.config.strip == Strip::All && symbols->count() == 1) {
    symbols.reset();
    tables.push_back({".shstrtab", ELF::SHT_STRTAB});
    return;
  }
  LinkTables kept;
  if (keeps)
    kept = buildLinkTables(link, values, layout, layout.sectionCount, *symbols,
                           diag);
  const uint32_t symtab = layout.sectionCount + uint32_t(kept.others.size());
  for (std::vector<Table> *list : {&kept.groups, &kept.others})
    for (Table &table : *list) {
      table.link = symtab;
      tables.push_back(std::move(table));
    }
  Table entries{".symtab", ELF::SHT_SYMTAB};
  entries.before = symbols->count() * symbols->entrySize();
  entries.align = program.addressSize();
  entries.entsize = symbols->entrySize();
  entries.link = symtab + (symbols->isExtended() ? 3 : 2); // .strtab
  entries.info = symbols->firstGlobal();
  symtabAt = tables.size();
  tables.push_back(std::move(entries));
  if (symbols->isExtended()) {
    Table indices{".symtab_shndx", ELF::SHT_SYMTAB_SHNDX};
    indices.before = symbols->count() * 4;
    indices.align = indices.entsize = 4;
    indices.link = symtab;
    tables.push_back(std::move(indices));
  }
  tables.push_back({".shstrtab", ELF::SHT_STRTAB});
  Table names{".strtab", ELF::SHT_STRTAB, std::move(kept.strings)};
  names.before = symbols->nameBytes();
  tables.push_back(std::move(names));
}

/// Fills .shstrtab. A piece has no name: it is its parent's.
void Writer::nameSections() {
  std::string names(1, '\0');
  auto addName = [&](StringRef name) {
    if (name.empty())
      return uint32_t(0);
    uint32_t at = uint32_t(names.size());
    names += name;
    names += '\0';
    return at;
  };
  sectionNames.resize(layout.headers.size());
  for (const OutputView &out : link.outputsInOrder())
    if (layout.headers[out.id])
      sectionNames[out.id] =
          addName(pieceParent(link, out) == kNone ? StringRef(out.name) : "");
  for (Table &t : tables)
    t.nameOffset = addName(t.name);
  for (Table &t : tables)
    if (t.size() == 0 && t.name == ".shstrtab")
      t.bytes.assign(names.begin(), names.end());
}

void Writer::buildTables() {
  const Config &config = program.config;
  if (config.strip != Strip::All || config.keepsRelocations() ||
      !config.keepSymbols.empty())
    addSymbols();
  else
    tables.push_back({".shstrtab", ELF::SHT_STRTAB});
  nameSections();
  sectionCount += uint32_t(tables.size() - layout.groups.size());
}

Size Writer::placeTables() {
  Size end = layout.end;
  for (Table &t : tables) {
    end = end.alignedTo(t.align);
    t.offset = end;
    end += t.size();
  }
  sectionHeadersAt = end.alignedTo(program.addressSize());
  return sectionHeadersAt +
         uint64_t(sectionCount) * (program.target->is64 ? 64 : 40);
}

/// What is not in its place comes from a layout that is already an error, or
/// else is one itself.
bool Writer::refuse(const std::string &text) {
  if (!diag.failed())
    diag.error("cannot write " + program.output.path + ": " + text);
  return false;
}

/// Before bytes are rendered: whether members lie inside their sections.
bool Writer::membersInside(const SectionBytes &sections) {
  const std::optional<SectionBytes::Stray> &stray = sections.stray();
  if (!stray)
    return true;
  const OutputView out = link.output(stray->output);
  const std::string what =
      stray->section == kNone
          ? locationText(out.items[stray->item].command->where) + "data"
          : program.sectionName(stray->section);
  return refuse(what + " lies outside of section '" + out.name + "'");
}

/// Before bytes are written: whether sections lie one behind the other inside
/// the file, none in the headers or the tables.
bool Writer::sectionsInside(Size size) {
  std::vector<OutputId> ids;
  for (OutputId id : layout.written.ids())
    if (layout.written[id])
      ids.push_back(id);
  std::stable_sort(ids.begin(), ids.end(), [&](OutputId a, OutputId b) {
    return layout.offsets[a] < layout.offsets[b];
  });
  Size end = layout.begin;
  const Size limit = !elf()           ? size
                     : tables.empty() ? sectionHeadersAt
                                      : tables.front().offset;
  for (OutputId id : ids) {
    const OutputView out = link.output(id);
    const Size offset = layout.offsets[id];
    const Size bytes = layout.sizeOf(out);
    if (offset < end || offset > limit || bytes > limit - offset)
      return refuse("the bytes of section '" + out.name + "' at offset " +
                    hex(offset) + " of the file belong to others, or " +
                    "to none");
    end = offset + bytes;
  }
  return true;
}

template <class ELFT> std::vector<uint8_t> Writer::headers() const {
  using Ehdr = typename ELFT::Ehdr;
  using Phdr = typename ELFT::Phdr;
  const std::vector<Segment> &segments = link.addresses.segments;
  std::vector<uint8_t> bytes(sizeof(Ehdr) + segments.size() * sizeof(Phdr));
  Ehdr eh;
  std::memset(&eh, 0, sizeof(eh));
  std::memcpy(eh.e_ident, ELF::ElfMagic, 4);
  eh.e_ident[ELF::EI_CLASS] =
      program.target->is64 ? ELF::ELFCLASS64 : ELF::ELFCLASS32;
  eh.e_ident[ELF::EI_DATA] = ELF::ELFDATA2LSB;
  eh.e_ident[ELF::EI_VERSION] = ELF::EV_CURRENT;
  eh.e_ident[ELF::EI_OSABI] = program.state.osabi;
  eh.e_type = program.config.relocatable ? ELF::ET_REL : ELF::ET_EXEC;
  eh.e_machine = program.state.machine;
  eh.e_version = ELF::EV_CURRENT;
  eh.e_entry = entry;
  eh.e_phoff = segments.empty() ? 0 : sizeof(Ehdr);
  eh.e_shoff = sectionHeadersAt;
  eh.e_flags = program.state.flags;
  eh.e_ehsize = sizeof(Ehdr);
  eh.e_phentsize = program.config.relocatable ? 0 : sizeof(Phdr);
  eh.e_phnum = uint16_t(segments.size());
  eh.e_shentsize = sizeof(typename ELFT::Shdr);
  uint32_t shstrndx = sectionCount - (tables.size() > 1 ? 2 : 1);
  eh.e_shnum = sectionCount < ELF::SHN_LORESERVE ? uint16_t(sectionCount) : 0;
  eh.e_shstrndx = shstrndx < ELF::SHN_LORESERVE ? uint16_t(shstrndx)
                                                : uint16_t(ELF::SHN_XINDEX);
  std::memcpy(bytes.data(), &eh, sizeof(eh));
  uint8_t *at = bytes.data() + sizeof(eh);
  for (size_t i = 0; i < segments.size(); ++i) {
    const Segment &segment = segments[i];
    const SegmentPlace &place = layout.segments[i];
    Phdr ph;
    std::memset(&ph, 0, sizeof(ph));
    ph.p_type = segment.type;
    ph.p_flags = segment.flags;
    ph.p_offset = place.offset;
    ph.p_vaddr = segment.address.wrapped();
    ph.p_paddr = segment.loadAddress.wrapped();
    ph.p_filesz = place.fileSize;
    ph.p_memsz = place.memSize;
    ph.p_align = segment.align;
    std::memcpy(at, &ph, sizeof(ph));
    at += sizeof(ph);
  }
  return bytes;
}

template <class ELFT> std::vector<uint8_t> Writer::sectionHeaders() const {
  using Shdr = typename ELFT::Shdr;
  std::vector<uint8_t> bytes(size_t(sectionCount) * sizeof(Shdr));
  auto put = [&](uint32_t index, const Shdr &sh) {
    std::memcpy(bytes.data() + size_t(index) * sizeof(Shdr), &sh, sizeof(sh));
  };
  Shdr null;
  std::memset(&null, 0, sizeof(null));
  // Counts that do not fit the header's fields stand here (gABI, "Sections").
  uint32_t shstrndx = sectionCount - (tables.size() > 1 ? 2 : 1);
  if (sectionCount >= ELF::SHN_LORESERVE)
    null.sh_size = sectionCount;
  if (shstrndx >= ELF::SHN_LORESERVE)
    null.sh_link = shstrndx;
  put(0, null);
  for (const OutputView &out : link.outputs()) {
    const uint32_t header = layout.headers[out.id];
    if (!header)
      continue;
    Shdr sh;
    std::memset(&sh, 0, sizeof(sh));
    sh.sh_name = sectionNames[out.id];
    sh.sh_type = out.type;
    sh.sh_flags = out.flags;
    sh.sh_addr = out.isAlloc() || out.addressed ? out.address.wrapped() : 0;
    sh.sh_offset = layout.offsets[out.id];
    sh.sh_size = layout.sizeOf(out);
    sh.sh_link = out.info.link != kNone ? layout.headers[out.info.link] : 0;
    // No more than that of the address, which a script can state (GNU ld).
    sh.sh_addralign = uint64_t(1) << countr_zero(out.align | sh.sh_addr);
    sh.sh_entsize = out.info.entsize;
    if (const OutputId parent = pieceParent(link, out); parent != kNone) {
      sh.sh_type = program.target->pieceSectionType;
      sh.sh_flags = sh.sh_flags | ELF::SHF_INFO_LINK;
      sh.sh_info = layout.headers[parent];
    }
    if (layout.compressed.count(out.id)) {
      sh.sh_flags |= ELF::SHF_COMPRESSED;
      sh.sh_addralign = program.addressSize();
    }
    put(header, sh);
  }
  for (size_t i = 0; i < tables.size(); ++i) {
    const Table &t = tables[i];
    Shdr sh;
    std::memset(&sh, 0, sizeof(sh));
    sh.sh_name = t.nameOffset;
    sh.sh_type = t.type;
    sh.sh_flags = t.flags;
    sh.sh_offset = t.offset;
    sh.sh_size = t.size();
    sh.sh_link = t.link;
    sh.sh_info = t.info;
    sh.sh_addralign = t.align;
    sh.sh_entsize = t.entsize;
    put(headerOf(i), sh);
  }
  return bytes;
}

void Writer::fail(const std::string &reason) {
  std::lock_guard<std::mutex> lock(failureMutex);
  if (failure.empty())
    failure = reason;
}

void Writer::put(uint64_t offset, ArrayRef<uint8_t> bytes) {
  if (oneBuffer) {
    if (offset > image.size() || bytes.size() > image.size() - offset)
      return fail("bytes behind the end of the file");
    std::copy(bytes.begin(), bytes.end(), image.begin() + ptrdiff_t(offset));
    return;
  }
  std::string error = file->writeAt(offset, bytes);
  if (!error.empty())
    fail(error);
}

/// A file that is mostly padding was not meant, and on the word of one bad
/// number nobody wants gigabytes written.
bool Writer::sane(const SectionBytes &sections) {
  Size padding = sections.padding();
  OutputId widest = sections.widestGap();
  Size end = link.addresses.headersSize;
  std::vector<std::pair<Size, OutputId>> byOffset;
  for (OutputId id : layout.written.ids())
    if (layout.written[id])
      byOffset.push_back({layout.offsets[id], id});
  std::sort(byOffset.begin(), byOffset.end());
  Size largest;
  OutputId before, last; // the sections in front of the widest gap, of this one
  for (auto [offset, id] : byOffset) {
    const Size gap = offset - std::min(offset, end);
    padding += gap;
    if (gap > largest && gap > kMaxPadding) {
      largest = gap;
      widest = id;
      before = last;
    }
    last = id;
    end = std::max(end, offset + layout.sizeOf(link.output(id)));
  }
  if (padding <= kMaxPadding)
    return true;
  diag.error("the output would hold " + std::to_string(padding) +
                 " bytes of padding, most of it " +
                 (widest == kNone
                      ? std::string("between sections")
                      : "at section '" + link.output(widest).name + "'"),
             elf() || before == kNone
                 ? std::vector<std::string>{"a location counter or an "
                                            "alignment jumps too far; "
                                            "NOLOAD sections and separate "
                                            "memory regions take no "
                                            "file space"}
                 : gapNotes(link, before, widest));
  return false;
}

/// What the formats have no room for; true: nothing of that.
bool Writer::fits(uint64_t size) {
  if (!elf())
    return true;
  const size_t segments = link.addresses.segments.size();
  if (!program.target->is64 && size > 0xffffffff)
    diag.error("the output would have " + std::to_string(size) +
               " bytes; an ELF32 file ends at 4 GiB");
  else if (segments >= 0xffff) // PN_XNUM
    diag.error("the output would have " + std::to_string(segments) +
               " program headers; an ELF header counts up to 65534");
  else
    return true;
  return false;
}

/// Has the system bring in the pages of an input, which it would otherwise do
/// while it keeps the other threads from writing into the file.
static void touchPages(ArrayRef<uint8_t> bytes) {
  constexpr size_t kPage = 4096;
  [[maybe_unused]] volatile uint8_t last;
  for (size_t at = 0; at < bytes.size(); at += kPage)
    last = bytes[at];
}

/// Writes a chunk's bytes at `offset` of the file, but for the runs that stand
/// in the inputs: these come from there. `begin`: what the runs' offsets count
/// from.
void Writer::putAround(uint64_t offset, MutableArrayRef<uint8_t> bytes,
                       Size begin,
                       ArrayRef<SectionBytes::Unchanged> unchanged) {
  std::vector<ArrayRef<uint8_t>> parts;
  size_t done = 0;
  for (const SectionBytes::Unchanged &run : unchanged) {
    const size_t at = size_t(run.offset - begin);
    parts.push_back(bytes.slice(done, at - done));
    touchPages(run.bytes);
    parts.push_back(run.bytes);
    done = at + run.bytes.size();
  }
  parts.push_back(bytes.drop_front(done));
  if (file->writeParts(offset, parts).empty())
    return;
  // Of an input that has shrunk a system call only says that an address is bad;
  // to copy from it says why.
  for (const SectionBytes::Unchanged &run : unchanged)
    std::memcpy(bytes.data() + size_t(run.offset - begin), run.bytes.data(),
                run.bytes.size());
  put(offset, bytes);
}

/// Renders a span of the symbol table, and writes it.
void Writer::renderSymbols(size_t number) {
  const SymbolSpan span = symbols->span(number);
  const uint64_t entry = symbols->entrySize();
  const uint64_t extended = symbols->isExtended() ? 4 : 0;
  const size_t length = span.symbols * (entry + extended) + span.nameBytes;
  const auto memory = std::make_unique_for_overwrite<uint8_t[]>(length);
  MutableArrayRef<uint8_t> rest(memory.get(), length);
  const auto take = [&](size_t bytes) {
    const MutableArrayRef<uint8_t> taken = rest.take_front(bytes);
    rest = rest.drop_front(bytes);
    return taken;
  };
  const MutableArrayRef<uint8_t> symtab = take(span.symbols * entry),
                                 shndx = take(span.symbols * extended),
                                 strtab = rest;
  symbols->render(number, symtab, strtab, shndx);
  put(tables[symtabAt].offset + span.symbol * entry, symtab);
  if (extended)
    put(tables[symtabAt + 1].offset + span.symbol * extended, shndx);
  put(tables.back().offset + span.name, strtab);
}

/// What is rendered at a time.
struct RenderItem {
  enum Kind : uint8_t { Mixed, Copied, Symbols } kind;
  uint32_t index; ///< of a chunk, or of a span of the symbol table
  double weight;  ///< among those of its kind
};

/// All that is rendered. The kinds are spread evenly: what has few large parts
/// takes most of its time for writing, and so does the symbol table, and the
/// system lets one thread at a time write into a file.
static std::vector<RenderItem>
mixedOrder(ArrayRef<FileChunk> chunks,
           const std::optional<SymbolTableWriter> &symbols) {
  constexpr uint64_t kLargePart = 8 << 10;
  struct {
    std::vector<RenderItem> items;
    double weight = 0, taken = 0;
    size_t next = 0;
  } kinds[3];
  size_t left = 0;
  const auto add = [&](const RenderItem &item) {
    kinds[item.kind].items.push_back(item);
    kinds[item.kind].weight += item.weight;
    ++left;
  };
  for (const auto &[index, chunk] : enumerate(chunks)) {
    const uint64_t size = chunk.end - chunk.begin;
    const bool isCopied = size > chunk.count * kLargePart;
    add({isCopied ? RenderItem::Copied : RenderItem::Mixed, uint32_t(index),
         double(size)});
  }
  for (size_t i = 0; symbols && i < symbols->spans(); ++i)
    add({RenderItem::Symbols, uint32_t(i), double(symbols->span(i).symbols)});
  std::vector<RenderItem> order;
  order.reserve(left);
  for (; left; --left) {
    // Of which the smallest share has been taken.
    const auto share = [](const auto &kind) {
      return kind.next == kind.items.size() ? 2 : kind.taken / kind.weight;
    };
    auto &kind = *std::min_element(
        std::begin(kinds), std::end(kinds),
        [&](const auto &a, const auto &b) { return share(a) < share(b); });
    order.push_back(kind.items[kind.next++]);
    kind.taken += order.back().weight;
  }
  return order;
}

/// Renders a chunk of sections, and writes it if `write`.
void Writer::renderChunk(const SectionBytes &sections, const FileChunk &chunk,
                         bool write, RelocationProblems &problems) {
  const uint64_t offset = layout.offsets[chunk.output] + chunk.begin;
  const size_t length = size_t(chunk.end - chunk.begin);
  // The file holds other bytes; only the relocations are looked at.
  const bool replaced = layout.compressed.count(chunk.output);
  if (oneBuffer && !replaced)
    return sections.render(
        chunk, MutableArrayRef<uint8_t>(image).slice(offset, length), problems);
  const auto memory = std::make_unique_for_overwrite<uint8_t[]>(length);
  const MutableArrayRef<uint8_t> bytes(memory.get(), length);
  if (!write || replaced)
    return sections.render(chunk, bytes, problems);
  std::vector<SectionBytes::Unchanged> unchanged;
  sections.render(chunk, bytes, problems, &unchanged);
  putAround(offset, bytes, chunk.begin, unchanged);
}

/// Renders all sections and symbols, and writes them if `write`; with errors
/// already, relocations are still checked.
void Writer::render(const SectionBytes &sections, bool write) {
  const std::vector<FileChunk> &chunks = sections.chunks();
  uint64_t bytes = 0;
  constexpr uint64_t kWorkOfPart = 128; // beside its bytes
  for (const FileChunk &chunk : chunks)
    bytes += chunk.end - chunk.begin + chunk.count * kWorkOfPart;
  if (symbols)
    bytes += symbols->count() * kWorkOfPart + symbols->nameBytes();
  std::vector<RelocationProblems> problems(chunks.size());
  const std::vector<RenderItem> order = mixedOrder(chunks, symbols);
  program.parallel.forEach(order.size(), bytes, [&](size_t next) {
    const RenderItem &item = order[next];
    if (item.kind != RenderItem::Symbols)
      renderChunk(sections, chunks[item.index], write, problems[item.index]);
    else if (write)
      renderSymbols(item.index);
  });
  RelocationReport report(link, diag);
  for (const RelocationProblems &p : problems)
    report.add(p);
}

/// Headers and other tables, then the file as a whole.
void Writer::complete() {
  const bool is64 = program.target->is64;
  for (const auto &[id, bytes] : layout.compressed)
    put(layout.offsets[id], bytes);
  if (elf()) {
    put(0, is64 ? headers<ELF64LE>() : headers<ELF32LE>());
    for (const Table &t : tables)
      put(t.offset + t.before, t.bytes);
    put(sectionHeadersAt,
        is64 ? sectionHeaders<ELF64LE>() : sectionHeaders<ELF32LE>());
  }
  clearChecksums(checksums, layout, image);
  if (identifies)
    fillBuildId(link, layout, image);
  fillChecksums(link, checksums, layout, image);
  if (oneBuffer)
    if (std::string e = file->writeAt(0, image); !e.empty())
      fail(e);
  if (failure.empty())
    failure = file->commit();
  if (!failure.empty())
    diag.error("cannot write " + program.output.path + ": " + failure);
}

void Writer::run() {
  Relocator relocator(link, values);
  std::optional<SectionBytes> made;
  // Neither needs the other.
  program.parallel.forEach(2, program.sections.size() * 32, [&](size_t i) {
    if (i == 0)
      made.emplace(link, values, layout.written, relocator);
    else if (elf())
      buildTables();
  });
  const SectionBytes &sections = *made;
  const Size size = elf() ? placeTables() : layout.end;
  if (!membersInside(sections) || !sane(sections) || !sectionsInside(size) ||
      !fits(size))
    return;
  checksums = findChecksums(link, values, diag);
  const bool write = !diag.failed();
  if (write) {
    std::string error;
    file = sink.open(program.output.path, size, elf(), error);
    if (!file) {
      diag.error("cannot open output file " + program.output.path + ": " +
                 error);
      return;
    }
  }
  identifies = hashesOutput(link, diag);
  oneBuffer = write && (size <= kOneBuffer || identifies || !checksums.empty());
  if (oneBuffer)
    image.resize(size);
  render(sections, write);
  if (write && !diag.failed())
    complete();
}

void writeOutput(const Link &link, const SymbolValues &values,
                 const FileLayout &layout, uint64_t entry, OutputSink &sink,
                 Diagnostics &diag) {
  Writer(link, values, layout, entry, sink, diag).run();
}

} // namespace xlink
