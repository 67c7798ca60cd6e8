//===- Writer.cpp ---------------------------------------------------------===//
//
// Problem: put sections, tables and headers of a finished layout into a file,
// with nothing visible when anything is wrong.
//
// Method: sections are rendered in chunks (SectionBytes) into private buffers
// by any free thread, and written at their offsets. A small output is rendered
// in one buffer and written with one call. Tables and headers follow; the file
// appears under its name only after the last relocation was checked. Before the
// first byte is rendered every member is known to lie inside its section, and
// every section in bytes of the file that are its own.
//
// Hashes and checksums of the output (Checksums.cpp) come last, in a buffer
// that holds all of it.
//
// Cost: one copy of each byte; symbols and names once in memory.
//
//===----------------------------------------------------------------------===//
#include "output/Writer.h"
#include "base/ByteOrder.h"
#include "output/Checksums.h"
#include "output/Images.h"
#include "output/Relocator.h"
#include "output/SectionBytes.h"
#include "output/Tables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

using namespace llvm;

namespace xlink {

/// The output section that `out` is a piece of, see Target::pieceSectionType;
/// kNone: it is an ordinary section.
static OutputId pieceParent(const Link &link, const OutputView &out) {
  if (!link.program.config.relocatable || out.command ||
      out.members.size() != 1)
    return kNone;
  const InputSection &s = link.program.sections[out.members.front()];
  if (s.file == kNone || !s.parsed->isPiece)
    return kNone;
  const SectionId parent = link.program.files[s.file].sectionBase +
                           link.program.moreOf(out.members.front()).parent;
  return link.placed(parent) ? link.placement.sections[parent].output
                             : OutputId();
}

namespace {

/// Outputs up to this size are built in one buffer.
constexpr uint64_t kOneBuffer = 128 << 10;

class Writer {
public:
  Writer(const LinkedProgram &output, OutputSink &sink, Diagnostics &diag)
      : output(output), link(output.link), program(link.program),
        layout(output.layout), sink(sink), diag(diag),
        sizes(elfSizes(program.target->is64)),
        sectionCount(layout.sectionCount) {}

  void run() {
    const Relocator relocator(link, output.values);
    // Threads share the tables, and one lists the parts meanwhile.
    std::optional<SectionBytes> listed;
    program.parallel.forEach(2, program.inputBytes, [&](size_t i) {
      if (i == 0)
        listed.emplace(link, output.values, layout.written, relocator);
      else if (elf())
        buildTables();
    });
    const SectionBytes &sections = *listed;
    const Size size = elf() ? placeTables() : layout.end;
    if (!sections.strayMember().empty())
      return refuse(sections.strayMember());
    if (!paddingIsSane(sections) || !sectionsInside(size) || !fits(size))
      return;
    const std::vector<Checksum> checksums =
        findChecksums(link, output.values, diag);
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
    const bool identifies = hashesOutput(link, diag);
    oneBuffer =
        write && (size <= kOneBuffer || identifies || !checksums.empty());
    if (oneBuffer)
      image.resize(size);
    render(sections, write);
    if (!write || diag.failed())
      return;
    for (const auto &[id, bytes] : layout.compressed)
      put(layout.offsets[id], bytes);
    if (elf())
      putHeaders();
    if (oneBuffer) {
      fillHashes(link, layout, checksums, identifies, image);
      if (std::string error = file->writeAt(0, image); !error.empty())
        fail(error);
    }
    if (failure.empty())
      failure = file->commit();
    if (!failure.empty())
      diag.error("cannot write " + program.output.path + ": " + failure);
  }

private:
  bool elf() const { return layout.elf; }
  /// The header of .shstrtab, which stands in front of .strtab, if there is
  /// one.
  uint32_t namesHeader() const {
    return sectionCount - (tables.size() > 1 ? 2 : 1);
  }

  /// Adds the symbols, and in front of them the tables that name them by index.
  void addSymbols(OutputSymbols symbols) {
    LinkTables kept;
    if (program.config.keepsRelocations())
      kept = buildLinkTables(output, symbols, diag);
    const uint32_t symtab = layout.sectionCount + uint32_t(kept.others.size());
    for (TableList *list : {&kept.groups, &kept.others})
      for (Table &table : *list) {
        table.link = symtab;
        tables.push_back(std::move(table));
      }
    const bool extended = !symbols.shndx.empty();
    Table entries{".symtab", ELF::SHT_SYMTAB, std::move(symbols.symtab)};
    entries.align = program.addressSize();
    entries.entsize = entries.bytes.size() / symbols.count;
    entries.link = symtab + (extended ? 3 : 2); // .strtab
    entries.info = symbols.firstGlobal;
    tables.push_back(std::move(entries));
    if (extended) {
      Table indices{".symtab_shndx", ELF::SHT_SYMTAB_SHNDX,
                    std::move(symbols.shndx)};
      indices.align = indices.entsize = 4;
      indices.link = symtab;
      tables.push_back(std::move(indices));
    }
    tables.push_back({".shstrtab", ELF::SHT_STRTAB});
    Table names{".strtab", ELF::SHT_STRTAB, std::move(symbols.strtab)};
    names.bytes.append(kept.strings);
    tables.push_back(std::move(names));
  }

  /// Fills .shstrtab. A piece has no name: it is its parent's.
  void nameSections() {
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
    tables[tables.size() - (tables.size() > 1 ? 2 : 1)].bytes.assign(
        names.begin(), names.end());
  }

  void buildTables() {
    const Config &config = program.config;
    OutputSymbols symbols;
    if (config.strip != Strip::All || config.keepsRelocations() ||
        !config.keepSymbols.empty())
      symbols = makeSymbolTable(output);
    // Stripped of everything there is no table, which would hold the null
    // symbol.
    if (symbols.count > (config.strip == Strip::All))
      addSymbols(std::move(symbols));
    else
      tables.push_back({".shstrtab", ELF::SHT_STRTAB});
    nameSections();
    sectionCount += uint32_t(tables.size() - layout.groups.size());
  }

  Size placeTables() {
    Size end = layout.end;
    for (Table &t : tables) {
      end = end.alignedTo(t.align);
      t.offset = end;
      end += t.bytes.size();
    }
    sectionHeadersAt = end.alignedTo(program.addressSize());
    return sectionHeadersAt +
           uint64_t(sectionCount) * (program.target->is64 ? 64 : 40);
  }

  /// A misplaced member comes from a layout that is already an error, or else
  /// is one itself.
  void refuse(const std::string &text) {
    if (!diag.failed())
      diag.error("cannot write " + program.output.path + ": " + text);
  }

  /// The sections that have bytes in the file, in its order.
  std::vector<OutputId> writtenByOffset() const {
    std::vector<OutputId> ids;
    for (OutputId id : layout.written.ids())
      if (layout.written[id])
        ids.push_back(id);
    llvm::stable_sort(ids, [&](OutputId a, OutputId b) {
      return layout.offsets[a] < layout.offsets[b];
    });
    return ids;
  }

  /// Before bytes are written: whether sections lie one behind the other inside
  /// the file, none in the headers or the tables.
  bool sectionsInside(Size size) {
    Size end = layout.begin;
    const Size limit = !elf()           ? size
                       : tables.empty() ? sectionHeadersAt
                                        : tables.front().offset;
    for (OutputId id : writtenByOffset()) {
      const OutputView out = link.output(id);
      const Size offset = layout.offsets[id];
      const Size bytes = layout.sizeOf(out);
      if (offset < end || offset > limit || bytes > limit - offset) {
        refuse("section '" + out.name + "' at offset " + hex(offset) +
               " of the file overlaps another section or the tables");
        return false;
      }
      end = offset + bytes;
    }
    return true;
  }

  /// Writes all headers.
  void putHeaders() {
    const bool is64 = program.target->is64, isBig = program.target->isBig;
    const std::vector<Segment> &segments = link.addresses.segments;
    const uint32_t shstrndx = namesHeader();
    std::vector<uint8_t> bytes(sizes.header +
                               segments.size() * sizes.segmentHeader);
    std::memcpy(bytes.data(), ELF::ElfMagic, 4);
    bytes[ELF::EI_CLASS] = is64 ? ELF::ELFCLASS64 : ELF::ELFCLASS32;
    bytes[ELF::EI_DATA] = isBig ? ELF::ELFDATA2MSB : ELF::ELFDATA2LSB;
    bytes[ELF::EI_VERSION] = ELF::EV_CURRENT;
    bytes[ELF::EI_OSABI] = program.state.osabi;
    RecordWriter to(bytes.data() + ELF::EI_NIDENT, is64, isBig);
    to.half(program.config.relocatable ? ELF::ET_REL : ELF::ET_EXEC);
    to.half(program.state.machine);
    to.number(ELF::EV_CURRENT);
    to.word(output.entry);
    to.word(segments.empty() ? 0 : sizes.header); // e_phoff
    to.word(sectionHeadersAt);
    to.number(program.state.flags);
    to.half(sizes.header);
    to.half(program.config.relocatable ? 0 : sizes.segmentHeader);
    to.half(segments.size());
    to.half(sizes.sectionHeader);
    to.half(sectionCount < ELF::SHN_LORESERVE ? sectionCount : 0);
    to.half(shstrndx < ELF::SHN_LORESERVE ? shstrndx
                                          : unsigned(ELF::SHN_XINDEX));
    for (size_t i = 0; i < segments.size(); ++i) {
      const Segment &segment = segments[i];
      const SegmentPlace &place = layout.segments[i];
      to.number(segment.type);
      if (is64)
        to.number(segment.flags);
      to.word(place.offset);
      to.word(segment.address.wrapped());
      to.word(segment.loadAddress.wrapped());
      to.word(place.fileSize);
      to.word(place.memSize);
      if (!is64)
        to.number(segment.flags);
      to.word(segment.align);
    }
    put(0, bytes);
    putSectionHeaders();
  }

  void putSectionHeaders() {
    std::vector<ELF::Elf64_Shdr> list(sectionCount);
    // Counts that do not fit the header's fields stand here (gABI, "Sections").
    const uint32_t shstrndx = namesHeader();
    if (sectionCount >= ELF::SHN_LORESERVE)
      list[0].sh_size = sectionCount;
    if (shstrndx >= ELF::SHN_LORESERVE)
      list[0].sh_link = shstrndx;
    for (const OutputView &out : link.outputs()) {
      const uint32_t header = layout.headers[out.id];
      if (!header)
        continue;
      ELF::Elf64_Shdr &sh = list[header];
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
    }
    const size_t groups = layout.groups.size(); // the first headers are theirs
    for (size_t i = 0; i < tables.size(); ++i) {
      const Table &t = tables[i];
      ELF::Elf64_Shdr &sh =
          list[i < groups ? 1 + i : layout.sectionCount + i - groups];
      sh.sh_name = t.nameOffset;
      sh.sh_type = t.type;
      sh.sh_flags = t.flags;
      sh.sh_offset = t.offset;
      sh.sh_size = t.bytes.size();
      sh.sh_link = t.link;
      sh.sh_info = t.info;
      sh.sh_addralign = t.align;
      sh.sh_entsize = t.entsize;
    }
    std::vector<uint8_t> bytes(list.size() * sizes.sectionHeader);
    RecordWriter to(bytes.data(), program.target->is64, program.target->isBig);
    for (const ELF::Elf64_Shdr &sh : list) {
      to.number(sh.sh_name);
      to.number(sh.sh_type);
      to.word(sh.sh_flags);
      to.word(sh.sh_addr);
      to.word(sh.sh_offset);
      to.word(sh.sh_size);
      to.number(sh.sh_link);
      to.number(sh.sh_info);
      to.word(sh.sh_addralign);
      to.word(sh.sh_entsize);
    }
    put(sectionHeadersAt, bytes);
  }

  void fail(const std::string &reason) {
    std::lock_guard<std::mutex> lock(failureMutex);
    if (failure.empty())
      failure = reason;
  }

  void put(uint64_t offset, ArrayRef<uint8_t> bytes) {
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

  /// A file that is mostly padding is a mistake, and one bad number shall not
  /// cost gigabytes.
  bool paddingIsSane(const SectionBytes &sections) {
    Size padding = sections.padding();
    OutputId widest = sections.widestGap();
    Size end = link.addresses.headersSize;
    Size largest;
    OutputId before,
        last; // the sections in front of the widest gap, of this one
    for (OutputId id : writtenByOffset()) {
      const Size offset = layout.offsets[id];
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

  /// Whether the format's fields have room for the output's numbers.
  bool fits(uint64_t size) {
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

  /// The tables in parts that are written in one go, and their places in the
  /// file.
  std::vector<std::pair<uint64_t, ArrayRef<uint8_t>>> partsOfTables() const {
    constexpr size_t kPart = 128 << 10;
    std::vector<std::pair<uint64_t, ArrayRef<uint8_t>>> parts;
    for (const Table &t : tables)
      for (size_t at = 0; at < t.bytes.size(); at += kPart)
        parts.push_back({t.offset + at,
                         ArrayRef(t.bytes).drop_front(at).take_front(kPart)});
    return parts;
  }

  /// Renders all sections, and writes them and the tables if `write`; with
  /// errors already, relocations are still checked. The system lets one thread
  /// at a time write into a file: in front of each chunk a share of the tables
  /// is written, while others render.
  void render(const SectionBytes &sections, bool write) {
    const std::vector<FileChunk> &chunks = sections.chunks();
    std::vector<RelocationProblems> problems(chunks.size());
    const auto parts = partsOfTables();
    const auto putTables = [&](size_t share, size_t shares) {
      for (size_t p = parts.size() * share / shares,
                  end = parts.size() * (share + 1) / shares;
           write && p != end; ++p)
        put(parts[p].first, parts[p].second);
    };
    if (chunks.empty())
      putTables(0, 1);
    program.parallel.forEach(chunks.size(), layout.end, [&](size_t i) {
      const FileChunk &chunk = chunks[i];
      putTables(i, chunks.size());
      const uint64_t offset = layout.offsets[chunk.output] + chunk.begin;
      const size_t length = size_t(chunk.end - chunk.begin);
      // The file holds other bytes; only the relocations are looked at.
      const bool replaced = layout.compressed.count(chunk.output);
      if (oneBuffer && !replaced)
        return sections.render(
            chunk, MutableArrayRef<uint8_t>(image).slice(offset, length),
            problems[i]);
      const auto memory = std::make_unique_for_overwrite<uint8_t[]>(length);
      const MutableArrayRef<uint8_t> bytes(memory.get(), length);
      sections.render(chunk, bytes, problems[i]);
      if (write && !replaced)
        put(offset, bytes);
    });
    reportProblems(link, problems, diag);
  }

  const LinkedProgram &output;
  const Link &link;
  const Program &program;
  const FileLayout &layout;
  OutputSink &sink;
  Diagnostics &diag;
  std::unique_ptr<OutputFile> file;
  std::vector<uint8_t> image; ///< the output, if it is built in one buffer
  bool oneBuffer = false;
  TableList tables; ///< the first ones are those of FileLayout::groups
  IdVector<OutputId, uint32_t> sectionNames; ///< offsets of their names
  const ElfSizes &sizes;                     ///< of the output's class
  uint32_t sectionCount;                     ///< with the tables
  Size sectionHeadersAt;
  std::mutex failureMutex;
  std::string failure;
};

} // namespace

void writeOutput(const LinkedProgram &output, OutputSink &sink,
                 Diagnostics &diag) {
  Writer(output, sink, diag).run();
}

std::string writeWhole(OutputSink &sink, StringRef path,
                       ArrayRef<uint8_t> bytes) {
  std::string error;
  std::unique_ptr<OutputFile> file =
      sink.open(path, bytes.size(), /*executable=*/false, error);
  if (file)
    error = file->writeAt(0, bytes);
  return file && error.empty() ? file->commit() : error;
}

} // namespace xlink
