//===- Writer.cpp ---------------------------------------------------------===//
//
// Problem: put sections, tables and headers of a finished layout into a file,
// as fast as the disk allows, with nothing visible when anything is wrong.
//
// Method: sections are rendered in chunks of about 1 MB into private buffers by
// whichever thread is free, and written at their offsets. A small output is
// rendered in one buffer and written with one call. Tables and headers follow;
// the file appears under its name only after the last relocation was checked.
// Before the first byte is rendered every member is known to lie inside its
// section, and every section in bytes of the file that are its own.
//
// Cost: one copy of each byte; a megabyte of memory a thread.
//
//===----------------------------------------------------------------------===//
#include "output/Writer.h"
#include "layout/AddressAssignment.h"
#include "output/SectionBytes.h"
#include "output/SymbolTableWriter.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>

using namespace llvm;
using namespace llvm::object;

namespace xlink {

namespace {

/// Outputs up to this size are built in one buffer.
constexpr uint64_t kOneBuffer = 1 << 20;

/// A table behind the sections.
struct Table {
  const char *name;
  uint32_t type;
  std::vector<uint8_t> bytes;
  uint64_t offset = 0, align = 1, entsize = 0;
  uint32_t link = 0, info = 0, nameOffset = 0;
};

class Writer {
public:
  Writer(Link &link, OutputSink &sink) : link(link), sink(sink) {}
  void run();

private:
  void numberSections();
  void buildTables();
  bool sane(const SectionBytes &sections);
  bool inBounds(uint64_t size);
  uint64_t layOutFile();
  uint64_t layOutImage();
  template <class ELFT> std::vector<uint8_t> headers() const;
  template <class ELFT> std::vector<uint8_t> sectionHeaders() const;
  void put(uint64_t offset, ArrayRef<uint8_t> bytes);
  void fail(const std::string &reason);

  Link &link;
  OutputSink &sink;
  std::unique_ptr<OutputFile> file;
  std::vector<uint8_t> image; ///< a small output
  bool oneBuffer = false;
  std::vector<Table> tables;
  std::vector<uint32_t> sectionNames; ///< by OutputId
  uint32_t sectionCount = 1;
  uint64_t sectionHeadersAt = 0;
  std::mutex failureMutex;
  std::string failure;
};

} // namespace

void Writer::numberSections() {
  for (const LayoutCommand &command : link.layout)
    if (command.output != kNone && link.outputs[command.output].kept)
      link.outputs[command.output].headerIndex = sectionCount++;
}

void Writer::buildTables() {
  const bool is64 = link.target->is64;
  uint32_t symtabIndex = sectionCount;
  bool symbols = link.config.strip != Strip::All;
  if (symbols) {
    SymbolTableBytes t = buildSymbolTable(link);
    uint32_t strtabIndex = symtabIndex + (t.shndx.empty() ? 2 : 3);
    tables.push_back({".symtab", ELF::SHT_SYMTAB, std::move(t.symtab), 0,
                      uint64_t(is64 ? 8 : 4), uint64_t(is64 ? 24 : 16),
                      strtabIndex, t.firstGlobal, 0});
    if (!t.shndx.empty())
      tables.push_back({".symtab_shndx", ELF::SHT_SYMTAB_SHNDX,
                        std::move(t.shndx), 0, 4, 4, symtabIndex, 0, 0});
    tables.push_back({".shstrtab", ELF::SHT_STRTAB, {}, 0, 1, 0, 0, 0, 0});
    tables.push_back(
        {".strtab", ELF::SHT_STRTAB, std::move(t.strtab), 0, 1, 0, 0, 0, 0});
  } else {
    tables.push_back({".shstrtab", ELF::SHT_STRTAB, {}, 0, 1, 0, 0, 0, 0});
  }
  std::string names(1, '\0');
  auto addName = [&](StringRef name) {
    uint32_t at = uint32_t(names.size());
    names += name;
    names += '\0';
    return at;
  };
  sectionNames.resize(link.outputs.size());
  for (const LayoutCommand &command : link.layout)
    if (command.output != kNone && link.outputs[command.output].headerIndex)
      sectionNames[command.output] = addName(link.outputs[command.output].name);
  for (Table &t : tables)
    t.nameOffset = addName(t.name);
  for (Table &t : tables)
    if (t.bytes.empty() && StringRef(t.name) == ".shstrtab")
      t.bytes.assign(names.begin(), names.end());
  sectionCount += uint32_t(tables.size());
}

uint64_t Writer::layOutFile() {
  uint64_t end = assignFileOffsets(link);
  for (Table &t : tables) {
    end = alignTo(end, t.align);
    t.offset = end;
    end += t.bytes.size();
  }
  sectionHeadersAt = alignTo(end, link.target->is64 ? 8 : 4);
  return sectionHeadersAt +
         uint64_t(sectionCount) * (link.target->is64 ? 64 : 40);
}

/// --oformat binary: memory from the lowest loaded byte on, by load address.
uint64_t Writer::layOutImage() {
  uint64_t begin = ~uint64_t(0), size = 0;
  for (const OutputSection &out : link.outputs)
    if (out.kept && out.isAlloc() && !out.isNoBits() && out.size)
      begin = std::min(begin, out.loadAddress);
  for (OutputSection &out : link.outputs) {
    if (out.kept && out.isAlloc() && !out.isNoBits() && out.size) {
      // No sum with the address: the end can be that of the address space.
      out.fileOffset = out.loadAddress - begin;
      size = std::max(size, SaturatingAdd(out.fileOffset, out.size));
    } else {
      out.kept = false; // has no bytes in an image
    }
  }
  return size;
}

/// Whether the members of a section lie one behind the other inside it; names
/// the first that does not.
static std::optional<std::string> strayMember(const Link &link,
                                              const OutputSection &out) {
  uint64_t end = 0;
  auto lies = [&](uint64_t offset, uint64_t size) {
    if (offset < end || offset > out.size || size > out.size - offset)
      return false;
    end = offset + size;
    return true;
  };
  for (const OutputItem &item : out.items) {
    if (item.command && item.command->kind == CommandKind::Data) {
      auto &data = static_cast<const DataCommand &>(*item.command);
      if (!lies(item.offset, data.value ? data.size : data.bytes.size()))
        return locationText(item.command->where) + "data";
    }
    for (uint32_t i = item.begin; i < item.end; ++i) {
      const SectionId id = out.members[i];
      const InputSection &s = link.sections[id];
      if (s.placed() && s.size && !lies(s.offset, s.size))
        return link.sectionName(id);
    }
  }
  return std::nullopt;
}

/// The last look before bytes are written: members lie inside their sections,
/// sections one behind the other inside the file, none in the headers or the
/// tables. What does not comes from a layout that is already an error, or else
/// is one itself.
bool Writer::inBounds(uint64_t size) {
  auto refuse = [&](std::string text) {
    if (!link.diag.failed())
      link.diag.error("cannot write " + link.config.output + ": " + text);
    return false;
  };
  std::vector<OutputId> ids;
  for (OutputId id = 0; id < link.outputs.size(); ++id) {
    const OutputSection &out = link.outputs[id];
    if (!out.kept || out.isNoBits() || out.size == 0)
      continue;
    if (std::optional<std::string> stray = strayMember(link, out))
      return refuse(*stray + " lies outside of section '" + out.name + "'");
    ids.push_back(id);
  }
  std::stable_sort(ids.begin(), ids.end(), [&](OutputId a, OutputId b) {
    return link.outputs[a].fileOffset < link.outputs[b].fileOffset;
  });
  const bool elf = link.config.format == OutputFormat::Elf;
  uint64_t end = elf ? link.headersSize : 0;
  const uint64_t limit = !elf             ? size
                         : tables.empty() ? sectionHeadersAt
                                          : tables.front().offset;
  for (OutputId id : ids) {
    const OutputSection &out = link.outputs[id];
    if (out.fileOffset < end || out.fileOffset > limit ||
        out.size > limit - out.fileOffset)
      return refuse("the bytes of section '" + out.name + "' at offset " +
                    hex(out.fileOffset) + " of the file belong to others, or " +
                    "to none");
    end = out.fileOffset + out.size;
  }
  return true;
}

template <class ELFT> std::vector<uint8_t> Writer::headers() const {
  using Ehdr = typename ELFT::Ehdr;
  using Phdr = typename ELFT::Phdr;
  std::vector<uint8_t> bytes(sizeof(Ehdr) +
                             link.segments.size() * sizeof(Phdr));
  Ehdr eh;
  std::memset(&eh, 0, sizeof(eh));
  std::memcpy(eh.e_ident, ELF::ElfMagic, 4);
  eh.e_ident[ELF::EI_CLASS] =
      link.target->is64 ? ELF::ELFCLASS64 : ELF::ELFCLASS32;
  eh.e_ident[ELF::EI_DATA] = ELF::ELFDATA2LSB;
  eh.e_ident[ELF::EI_VERSION] = ELF::EV_CURRENT;
  eh.e_ident[ELF::EI_OSABI] = link.state.osabi;
  eh.e_type = ELF::ET_EXEC;
  eh.e_machine = link.state.machine;
  eh.e_version = ELF::EV_CURRENT;
  eh.e_entry = link.entryAddress;
  eh.e_phoff = link.segments.empty() ? 0 : sizeof(Ehdr);
  eh.e_shoff = sectionHeadersAt;
  eh.e_flags = link.state.flags;
  eh.e_ehsize = sizeof(Ehdr);
  eh.e_phentsize = sizeof(Phdr);
  eh.e_phnum = uint16_t(link.segments.size());
  eh.e_shentsize = sizeof(typename ELFT::Shdr);
  uint32_t shstrndx = sectionCount - (tables.size() > 1 ? 2 : 1);
  eh.e_shnum = sectionCount < ELF::SHN_LORESERVE ? uint16_t(sectionCount) : 0;
  eh.e_shstrndx = shstrndx < ELF::SHN_LORESERVE ? uint16_t(shstrndx)
                                                : uint16_t(ELF::SHN_XINDEX);
  std::memcpy(bytes.data(), &eh, sizeof(eh));
  uint8_t *at = bytes.data() + sizeof(eh);
  for (const Segment &segment : link.segments) {
    Phdr ph;
    std::memset(&ph, 0, sizeof(ph));
    ph.p_type = segment.type;
    ph.p_flags = segment.flags;
    ph.p_offset = segment.offset;
    ph.p_vaddr = segment.address;
    ph.p_paddr = segment.loadAddress;
    ph.p_filesz = segment.fileSize;
    ph.p_memsz = segment.memSize;
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
  for (OutputId id = 0; id < link.outputs.size(); ++id) {
    const OutputSection &out = link.outputs[id];
    if (!out.headerIndex)
      continue;
    Shdr sh;
    std::memset(&sh, 0, sizeof(sh));
    sh.sh_name = sectionNames[id];
    sh.sh_type = out.type;
    sh.sh_flags = out.flags;
    sh.sh_addr = out.isAlloc() || out.addressed ? out.address : 0;
    sh.sh_offset = out.fileOffset;
    sh.sh_size = out.size;
    sh.sh_link = out.link != kNone ? link.outputs[out.link].headerIndex : 0;
    sh.sh_addralign = out.align;
    sh.sh_entsize = out.entsize;
    put(out.headerIndex, sh);
  }
  uint32_t index = sectionCount - uint32_t(tables.size());
  for (const Table &t : tables) {
    Shdr sh;
    std::memset(&sh, 0, sizeof(sh));
    sh.sh_name = t.nameOffset;
    sh.sh_type = t.type;
    sh.sh_offset = t.offset;
    sh.sh_size = t.bytes.size();
    sh.sh_link = t.link;
    sh.sh_info = t.info;
    sh.sh_addralign = t.align;
    sh.sh_entsize = t.entsize;
    put(index++, sh);
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
    std::memcpy(image.data() + offset, bytes.data(), bytes.size());
    return;
  }
  std::string error = file->writeAt(offset, bytes);
  if (!error.empty())
    fail(error);
}

/// A file that is mostly padding was not meant, and on the word of one bad
/// number nobody wants gigabytes written.
bool Writer::sane(const SectionBytes &sections) {
  uint64_t padding = sections.padding();
  OutputId widest = sections.widestGap();
  uint64_t end = link.headersSize;
  std::vector<std::pair<uint64_t, OutputId>> byOffset;
  for (OutputId id = 0; id < link.outputs.size(); ++id)
    if (link.outputs[id].kept && !link.outputs[id].isNoBits() &&
        link.outputs[id].size)
      byOffset.push_back({link.outputs[id].fileOffset, id});
  std::sort(byOffset.begin(), byOffset.end());
  uint64_t largest = 0;
  for (auto [offset, id] : byOffset) {
    uint64_t gap = offset > end ? offset - end : 0;
    padding = SaturatingAdd(padding, gap);
    if (gap > largest && gap > kMaxPadding) {
      largest = gap;
      widest = id;
    }
    end = std::max(end, offset + link.outputs[id].size);
  }
  if (padding <= kMaxPadding)
    return true;
  link.diag.error("the output would hold " + std::to_string(padding) +
                      " bytes of padding, most of it " +
                      (widest == kNone
                           ? std::string("between sections")
                           : "at section '" + link.outputs[widest].name + "'"),
                  {"a location counter or an alignment jumps too far; NOLOAD "
                   "sections and separate memory regions take no file space"});
  return false;
}

void Writer::run() {
  const bool elf = link.config.format == OutputFormat::Elf;
  uint64_t size;
  if (elf) {
    numberSections();
    buildTables();
    size = layOutFile();
  } else {
    size = layOutImage();
  }
  if (!inBounds(size))
    return;
  Relocator relocator(link);
  SectionBytes sections(link, relocator);
  if (!sane(sections))
    return;
  if (!link.target->is64 && elf && size > 0xffffffff) {
    link.diag.error("the output would have " + std::to_string(size) +
                    " bytes; an ELF32 file ends at 4 GiB");
    return;
  }
  if (elf && link.segments.size() >= 0xffff) { // PN_XNUM
    link.diag.error("the output would have " +
                    std::to_string(link.segments.size()) +
                    " program headers; an ELF header counts up to 65534");
    return;
  }

  // With errors already, relocations are still checked but nothing is written.
  bool write = !link.diag.failed();
  std::string error;
  if (write) {
    file = sink.open(link.config.output, size, elf, error);
    if (!file) {
      link.diag.error("cannot open output file " + link.config.output + ": " +
                      error);
      return;
    }
  }
  oneBuffer = write && size <= kOneBuffer;
  if (oneBuffer)
    image.resize(size);

  const std::vector<Chunk> &chunks = sections.chunks();
  uint64_t bytes = 0;
  for (const Chunk &chunk : chunks)
    bytes += chunk.end - chunk.begin;
  std::vector<DiagnosticBuffer> problems(chunks.size());
  link.parallel.forEach(chunks.size(), bytes, [&](size_t i) {
    const Chunk &chunk = chunks[i];
    uint64_t offset = link.outputs[chunk.output].fileOffset + chunk.begin;
    size_t length = size_t(chunk.end - chunk.begin);
    if (oneBuffer)
      return sections.render(
          chunk, MutableArrayRef<uint8_t>(image).slice(offset, length),
          problems[i]);
    static thread_local std::vector<uint8_t> buffer;
    buffer.resize(std::max(buffer.size(), length));
    sections.render(chunk, MutableArrayRef<uint8_t>(buffer).take_front(length),
                    problems[i]);
    if (write)
      put(offset, ArrayRef<uint8_t>(buffer).take_front(length));
  });
  for (DiagnosticBuffer &p : problems)
    link.diag.append(std::move(p));
  if (!write || link.diag.failed())
    return;

  if (elf) {
    put(0, link.target->is64 ? headers<ELF64LE>() : headers<ELF32LE>());
    for (const Table &t : tables)
      put(t.offset, t.bytes);
    put(sectionHeadersAt, link.target->is64 ? sectionHeaders<ELF64LE>()
                                            : sectionHeaders<ELF32LE>());
  }
  if (oneBuffer)
    if (std::string e = file->writeAt(0, image); !e.empty())
      fail(e);
  if (failure.empty())
    failure = file->commit();
  if (!failure.empty())
    link.diag.error("cannot write " + link.config.output + ": " + failure);
}

void writeOutput(Link &link, OutputSink &sink) { Writer(link, sink).run(); }

} // namespace xlink
