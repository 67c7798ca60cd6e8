//===- Properties.cpp -----------------------------------------------------===//
#include "inspect/FileDiff.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include <map>

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

void addValues(std::vector<ValueDiff> &list, std::string property,
               std::string a, std::string b) {
  if (a != b)
    list.push_back({std::move(property), std::move(a), std::move(b)});
}

static void addNumbers(std::vector<ValueDiff> &list, std::string property,
                       uint64_t a, uint64_t b) {
  addValues(list, std::move(property), std::to_string(a), std::to_string(b));
}

static void addHex(std::vector<ValueDiff> &list, std::string property,
                   uint64_t a, uint64_t b) {
  addValues(list, std::move(property), hex(a), hex(b));
}

//===----------------------------------------------------------------------===//
// Names of values
//===----------------------------------------------------------------------===//

namespace {

/// A value of an ELF field, or a flag, and its name.
struct ValueName {
  uint64_t value;
  const char *text;
};

/// The name of a value, or the number.
std::string nameOf(ArrayRef<ValueName> names, uint64_t value) {
  for (const ValueName &name : names)
    if (name.value == value)
      return name.text;
  return hex(value);
}

constexpr ValueName kFileTypes[] = {{ET_NONE, "none"},
                                    {ET_REL, "relocatable"},
                                    {ET_EXEC, "executable"},
                                    {ET_DYN, "shared"},
                                    {ET_CORE, "core"}};
constexpr ValueName kSegmentTypes[] = {{PT_NULL, "NULL"},
                                       {PT_LOAD, "LOAD"},
                                       {PT_DYNAMIC, "DYNAMIC"},
                                       {PT_INTERP, "INTERP"},
                                       {PT_NOTE, "NOTE"},
                                       {PT_PHDR, "PHDR"},
                                       {PT_TLS, "TLS"},
                                       {PT_GNU_EH_FRAME, "GNU_EH_FRAME"},
                                       {PT_GNU_STACK, "GNU_STACK"},
                                       {PT_GNU_RELRO, "GNU_RELRO"}};
constexpr ValueName kSegmentFlags[] = {{PF_R, "R"}, {PF_W, "W"}, {PF_X, "X"}};
constexpr ValueName kSectionFlags[] = {
    {SHF_WRITE, "W"},      {SHF_ALLOC, "A"},      {SHF_EXECINSTR, "X"},
    {SHF_MERGE, "M"},      {SHF_STRINGS, "S"},    {SHF_INFO_LINK, "I"},
    {SHF_LINK_ORDER, "L"}, {SHF_GROUP, "G"},      {SHF_TLS, "T"},
    {SHF_COMPRESSED, "C"}, {SHF_GNU_RETAIN, "R"}, {SHF_EXCLUDE, "E"}};
constexpr ValueName kSymbolTypes[] = {
    {STT_NOTYPE, "none"},     {STT_OBJECT, "object"}, {STT_FUNC, "function"},
    {STT_SECTION, "section"}, {STT_FILE, "file"},     {STT_COMMON, "common"},
    {STT_TLS, "thread-local"}};
constexpr ValueName kBindings[] = {
    {STB_LOCAL, "local"}, {STB_GLOBAL, "global"}, {STB_WEAK, "weak"}};
constexpr ValueName kVisibilities[] = {{STV_DEFAULT, "default"},
                                       {STV_INTERNAL, "internal"},
                                       {STV_HIDDEN, "hidden"},
                                       {STV_PROTECTED, "protected"}};

/// "RX", "WA SHF_DP 0x800": letters, names of the machine, and other flags as a
/// number.
std::string flagsText(ArrayRef<ValueName> letters, uint64_t flags,
                      ArrayRef<SectionFlagName> own = {}) {
  std::string text, ownText;
  for (const SectionFlagName &name : own)
    if (name.flag && (flags & name.flag) == name.flag) {
      flags &= ~name.flag;
      ownText += std::string(" ") + name.name;
    }
  for (const ValueName &letter : letters)
    if (flags & letter.value) {
      flags &= ~letter.value;
      text += letter.text;
    }
  text += ownText;
  if (flags)
    text += " " + hex(flags);
  return text.empty() ? "none" : StringRef(text).trim().str();
}

} // namespace

//===----------------------------------------------------------------------===//
// Header and segments
//===----------------------------------------------------------------------===//

void compareHeaders(const Side &sideA, const Side &sideB,
                    std::vector<ValueDiff> &list) {
  const LinkedFile &a = sideA.file, &b = sideB.file;
  addValues(list, "type", nameOf(kFileTypes, a.type),
            nameOf(kFileTypes, b.type));
  addHex(list, "machine", a.machine, b.machine);
  auto flags = [](const Side &side) {
    return hex(side.file.flags) +
           (side.state.cpu.empty() ? "" : " (" + side.state.cpu + ")");
  };
  if (a.flags != b.flags)
    addValues(list, "flags", flags(sideA), flags(sideB));
  addHex(list, "OS ABI", a.osabi, b.osabi);
  addHex(list, "ABI version", a.abiVersion, b.abiVersion);
  auto entry = [](const Side &side) {
    const std::string place = side.placeText(side.file.entry);
    const std::string address = hex(side.file.entry);
    return place == address ? address : address + " (" + place + ")";
  };
  if (a.entry != b.entry)
    addValues(list, "entry", entry(sideA), entry(sideB));
  addValues(list, "section headers", a.hasSectionHeaders ? "yes" : "none",
            b.hasSectionHeaders ? "yes" : "none");
}

void compareSegments(const LinkedFile &a, const LinkedFile &b,
                     const Pairs &pairs, std::vector<ValueDiff> &list) {
  std::map<uint32_t, unsigned> count;
  auto name = [&](uint32_t type) {
    return nameOf(kSegmentTypes, type) + " " + std::to_string(count[type]++);
  };
  auto range = [](const ElfSegment &s) {
    return hex(s.address) + ", " + std::to_string(s.memorySize) + " bytes, " +
           flagsText(kSegmentFlags, s.flags);
  };
  for (uint32_t i = 0; i < a.segments.size(); ++i) {
    const ElfSegment &s = a.segments[i];
    const std::string segment = name(s.type);
    if (pairs.ofA[i] == kNoIndex) {
      addValues(list, segment, range(s), "");
      continue;
    }
    const ElfSegment &t = b.segments[pairs.ofA[i]];
    addHex(list, segment + " address", s.address, t.address);
    if (s.loadAddress != s.address || t.loadAddress != t.address)
      addHex(list, segment + " load address", s.loadAddress, t.loadAddress);
    addNumbers(list, segment + " bytes in the file", s.fileSize, t.fileSize);
    addNumbers(list, segment + " bytes in memory", s.memorySize, t.memorySize);
    addValues(list, segment + " permissions", flagsText(kSegmentFlags, s.flags),
              flagsText(kSegmentFlags, t.flags));
    addNumbers(list, segment + " alignment", s.align, t.align);
  }
  for (uint32_t j = 0; j < b.segments.size(); ++j)
    if (pairs.ofB[j] == kNoIndex)
      addValues(list, name(b.segments[j].type), "", range(b.segments[j]));
}

//===----------------------------------------------------------------------===//
// Sections and symbols
//===----------------------------------------------------------------------===//

SectionDiff::Kind sectionKind(const ElfSection &section) {
  const StringRef name = section.name;
  if (section.isTable())
    return SectionDiff::Table;
  if (section.type == SHT_NOTE && name == ".note.gnu.build-id")
    return SectionDiff::BuildId;
  if (name == ".comment")
    return SectionDiff::Comment;
  if (!section.isLoaded() &&
      (name.starts_with(".debug") || name.starts_with(".zdebug") ||
       name.starts_with(".stab") || name == ".gdb_index" || name == ".line"))
    return SectionDiff::Debug;
  return SectionDiff::Ordinary;
}

/// The build ID of a note in hexadecimal digits; of other bytes, all of them.
static std::string buildIdText(ArrayRef<uint8_t> note) {
  constexpr size_t kHeader = 12;
  if (note.size() >= kHeader) {
    const uint64_t name = support::endian::read32le(note.data());
    const uint64_t size = support::endian::read32le(note.data() + 4);
    const uint64_t at = kHeader + alignTo(name, 4);
    if (at <= note.size() && size <= note.size() - at)
      note = note.slice(at, size);
  }
  return toHex(note.take_front(64), /*LowerCase=*/true);
}

/// The strings of .comment, with "; " between them.
static std::string commentText(ArrayRef<uint8_t> comment) {
  constexpr size_t kMostCharacters = 1000;
  SmallVector<StringRef, 4> strings;
  toStringRef(comment.take_front(kMostCharacters))
      .split(strings, '\0', -1, /*KeepEmpty=*/false);
  return printable(join(strings, "; "));
}

void compareSection(const LinkedFile &a, const ElfSection &s,
                    const LinkedFile &b, const ElfSection &t,
                    SectionDiff &diff) {
  std::vector<ValueDiff> &list = diff.properties;
  auto type = [](const ElfSection &section) {
    StringRef name = object::getELFSectionTypeName(EM_NONE, section.type);
    return name.consume_front("SHT_") ? name.str() : hex(section.type);
  };
  addValues(list, "type", type(s), type(t));
  addValues(list, "flags",
            flagsText(kSectionFlags, s.flags, a.target->sectionFlags),
            flagsText(kSectionFlags, t.flags, b.target->sectionFlags));
  addNumbers(list, "alignment", s.align, t.align);
  if (diff.kind == SectionDiff::Table)
    return;
  addHex(list, "address", s.address, t.address);
  addNumbers(list, "size", s.size, t.size);
  addNumbers(list, "entry size", s.entrySize, t.entrySize);
  auto linked = [](const LinkedFile &file, uint32_t link) {
    return link < file.sections.size() ? file.sections[link].name.str()
                                       : std::to_string(link);
  };
  addValues(list, "linked section", linked(a, s.link), linked(b, t.link));
  if (s.isLoaded() && t.isLoaded() && diff.kind == SectionDiff::Ordinary)
    return; // compared by atoms
  diff.bytesDiffer = s.data != t.data;
  if (!diff.bytesDiffer)
    return;
  if (diff.kind == SectionDiff::BuildId) {
    diff.text[0] = buildIdText(s.data);
    diff.text[1] = buildIdText(t.data);
  } else if (diff.kind == SectionDiff::Comment) {
    diff.text[0] = commentText(s.data);
    diff.text[1] = commentText(t.data);
  }
}

void compareSymbol(const LinkedFile &a, const ElfSymbol &s, const LinkedFile &b,
                   const ElfSymbol &t, std::vector<ValueDiff> &list) {
  addValues(list, "type", nameOf(kSymbolTypes, s.type),
            nameOf(kSymbolTypes, t.type));
  addValues(list, "binding", nameOf(kBindings, s.binding),
            nameOf(kBindings, t.binding));
  addValues(list, "visibility", nameOf(kVisibilities, s.visibility),
            nameOf(kVisibilities, t.visibility));
  auto section = [](const LinkedFile &file, const ElfSymbol &symbol) {
    static constexpr ValueName kSpecial[] = {
        {LinkedFile::kUndefined, "undefined"},
        {LinkedFile::kAbsolute, "absolute"},
        {LinkedFile::kCommon, "common"}};
    return symbol.isIn(file) ? file.sections[symbol.section].name.str()
                             : nameOf(kSpecial, symbol.section);
  };
  addValues(list, "section", section(a, s), section(b, t));
  if (s.section == LinkedFile::kCommon && t.section == LinkedFile::kCommon)
    addNumbers(list, "alignment", s.value, t.value);
}

} // namespace xlink
