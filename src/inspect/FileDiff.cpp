//===- FileDiff.cpp -------------------------------------------------------===//
//
// Problem: two files differ in a hundred thousand bytes because one line was
// changed: addresses, tables and calls follow. An engineer wants to see the
// line, and to be sure that nothing else changed.
//
// Method: sections, symbols and atoms of both files are paired (Pairing.h).
// Each pair is compared: addresses and sizes, and the bytes without those that
// differ because of moved targets (ContentDiff.cpp). Tables that only describe
// the rest follow from it, so their bytes are reported only if nothing else
// differs; the order of symbols always. Bytes that no table covers are compared
// too: two files are equal only if all differences are ignored.
//
// Cost: n log n in the symbols, linear in the bytes.
//
//===----------------------------------------------------------------------===//
#include "inspect/FileDiff.h"
#include "base/ByteOrder.h"
#include "debug/LineTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/GlobPattern.h"

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

/// Adds the fields of the ELF headers that differ.
static void compareHeaders(const Side &sideA, const Side &sideB,
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

/// Adds the properties of segments that differ, and segments without partner.
static void compareSegments(const LinkedFile &a, const LinkedFile &b,
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

static SectionDiff::Kind sectionKind(const ElfSection &section) {
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
static std::string buildIdText(ArrayRef<uint8_t> note, bool isBig) {
  constexpr size_t kHeader = 12;
  if (note.size() >= kHeader) {
    const uint64_t name = read32(note.data(), isBig);
    const uint64_t size = read32(note.data() + 4, isBig);
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

/// Compares the headers of two sections, and the bytes of those that are not
/// compared by atoms.
static void compareSection(const LinkedFile &a, const ElfSection &s,
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
    diff.text[0] = buildIdText(s.data, a.target->isBig);
    diff.text[1] = buildIdText(t.data, b.target->isBig);
  } else if (diff.kind == SectionDiff::Comment) {
    diff.text[0] = commentText(s.data);
    diff.text[1] = commentText(t.data);
  }
}

/// Compares two symbols, except for size and value.
static void compareSymbol(const LinkedFile &a, const ElfSymbol &s,
                          const LinkedFile &b, const ElfSymbol &t,
                          std::vector<ValueDiff> &list) {
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

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

bool SectionDiff::differs(bool withSymbols) const {
  return differsItself() ||
         any_of(contents,
                [](const ContentDiff &c) { return c.changed() || c.moved; }) ||
         (withSymbols && !symbols.empty());
}

namespace {

/// Whether partners are in the same order.
bool sameOrder(const std::vector<uint32_t> &partners) {
  uint32_t last = 0;
  return all_of(partners, [&](uint32_t partner) {
    return partner == kNoIndex || std::exchange(last, partner) <= partner;
  });
}

/// Bytes other than 0 that are in no table, section or segment.
std::vector<uint8_t> restOf(const LinkedFile &file) {
  std::vector<uint8_t> rest = file.bytes.vec();
  auto cover = [&](uint64_t offset, uint64_t length) {
    const uint64_t begin = std::min<uint64_t>(offset, rest.size());
    std::fill_n(rest.begin() + begin,
                std::min<uint64_t>(length, rest.size() - begin), 0);
  };
  const ElfSizes &sizes = elfSizes(file.target->is64);
  cover(0, sizes.header);
  cover(file.programHeaders, file.segments.size() * sizes.segmentHeader);
  if (file.hasSectionHeaders)
    cover(file.sectionHeaders, file.sections.size() * sizes.sectionHeader);
  for (const ElfSection &section : file.sections)
    cover(section.offset, section.data.size());
  std::erase(rest, 0);
  return rest;
}

/// Whether it has symbols or their names. In a pair of sections one may be.
bool ofSymbols(const ElfSection &section) {
  return section.type == SHT_SYMTAB || section.type == SHT_STRTAB ||
         section.type == SHT_SYMTAB_SHNDX;
}

/// Compares two programs of one machine.
class Comparison {
public:
  Comparison(const LinkedFile &a, const LinkedFile &b, const DiffIgnore &ignore)
      : a(a), b(b), ignore(ignore), sections(pairSections(a, b)),
        symbols(pairSymbols(a, b)), segments(pairSegments(a, b)),
        atoms(pairAtoms(a, b, symbols, sections)), sideA(a, atoms.a),
        sideB(b, atoms.b),
        references(sideA, sideB, atoms.pairs, symbols, sections) {}

  ProgramDiff run() {
    result.symbolsIgnored = ignore.symbols;
    result.tablesIgnored = ignore.tables;
    compareHeaders(sideA, sideB, result.header);
    compareSegments(a, b, segments, result.segments);
    compareSections();
    compareSymbols();
    compareContents();
    findLines();
    compareTables();
    compareRest();
    return std::move(result);
  }

private:
  // Sections.

  void addSection(uint32_t inA, uint32_t inB) {
    const ElfSection *s = inA == kNoIndex ? nullptr : &a.sections[inA];
    const ElfSection *t = inB == kNoIndex ? nullptr : &b.sections[inB];
    const ElfSection &section = s ? *s : *t;
    SectionDiff &diff = result.sections.emplace_back();
    diff.name = section.name.str();
    // Of a pair one alone may be special: both ways they are.
    diff.kind = std::max(s ? sectionKind(*s) : SectionDiff::Ordinary,
                         t ? sectionKind(*t) : SectionDiff::Ordinary);
    diff.ignored =
        (ignore.symbols && ((s && ofSymbols(*s)) || (t && ofSymbols(*t)))) ||
        (ignore.buildId && diff.kind == SectionDiff::BuildId) ||
        (ignore.comment && diff.kind == SectionDiff::Comment) ||
        (ignore.debug && diff.kind == SectionDiff::Debug) ||
        any_of(ignore.sections, [&](const std::string &glob) {
          return cantFail(llvm::GlobPattern::create(glob)).match(diff.name);
        });
    for (int i : {0, 1})
      if (const ElfSection *of = i ? t : s) {
        (i ? diffOfB[inB] : diffOfA[inA]) = result.sections.size() - 1;
        diff.address[i] = of->address;
        diff.size[i] = of->size;
      }
    diff.presence = !t   ? Presence::OnlyA
                    : !s ? Presence::OnlyB
                         : Presence::Both;
    if (s && t)
      compareSection(a, *s, b, *t, diff);
  }

  /// Sections of the first file in order, then those that only the second has.
  void compareSections() {
    diffOfA.assign(a.sections.size(), kNoIndex);
    diffOfB.assign(b.sections.size(), kNoIndex);
    for (uint32_t i = 1; i < a.sections.size(); ++i)
      addSection(i, sections.ofA[i]);
    for (uint32_t i = 1; i < b.sections.size(); ++i)
      if (sections.ofB[i] == kNoIndex)
        addSection(kNoIndex, i);
  }

  /// The section in the answer of an item that is in these; null: in none.
  SectionDiff *sectionOf(uint32_t inA, uint32_t inB) {
    if (inB < diffOfB.size() && inB)
      return &result.sections[diffOfB[inB]];
    if (inA < diffOfA.size() && inA)
      return &result.sections[diffOfA[inA]];
    return nullptr;
  }

  // Symbols.

  /// Whether the sizes of a pair are those of its contents, which report them.
  bool sizeIsContents(uint32_t inA, uint32_t inB) const {
    const uint32_t x = atoms.a.ofSymbol[inA], y = atoms.b.ofSymbol[inB];
    return x != kNoIndex && y != kNoIndex && atoms.pairs.ofA[x] == y &&
           atoms.a.atoms[x].size == a.symbols[inA].size &&
           atoms.b.atoms[y].size == b.symbols[inB].size;
  }

  void addSymbol(uint32_t inA, uint32_t inB) {
    static const ElfSymbol none;
    const bool hasA = inA != kNoIndex, hasB = inB != kNoIndex;
    const ElfSymbol &s = hasA ? a.symbols[inA] : none;
    const ElfSymbol &t = hasB ? b.symbols[inB] : none;
    SymbolDiff diff;
    diff.name = (hasA ? s : t).name.str();
    diff.presence = !hasA   ? Presence::OnlyB
                    : !hasB ? Presence::OnlyA
                            : Presence::Both;
    diff.function = a.isFunction(s) || b.isFunction(t);
    auto eitherIsIn = [&](uint32_t section) {
      return (hasA && s.section == section) || (hasB && t.section == section);
    };
    diff.undefined = eitherIsIn(LinkedFile::kUndefined);
    diff.common = eitherIsIn(LinkedFile::kCommon);
    diff.absolute = s.section == LinkedFile::kAbsolute &&
                    t.section == LinkedFile::kAbsolute;
    diff.value[0] = s.value;
    diff.value[1] = t.value;
    diff.size[0] = s.size;
    diff.size[1] = t.size;
    if (diff.presence == Presence::Both) {
      compareSymbol(a, s, b, t, diff.properties);
      if (!sizeIsContents(inA, inB))
        addValues(diff.properties, "size", std::to_string(s.size),
                  std::to_string(t.size));
      if (!diff.hasOtherValue() && diff.properties.empty())
        return;
    }
    SectionDiff *section =
        sectionOf(s.isIn(a) ? s.section : 0, t.isIn(b) ? t.section : 0);
    (section ? section->symbols : result.symbols).push_back(std::move(diff));
  }

  void compareSymbols() {
    for (uint32_t i = 0; i < a.symbols.size(); ++i)
      if (!a.symbols[i].isMark())
        addSymbol(i, symbols.ofA[i]);
    for (uint32_t i = 0; i < b.symbols.size(); ++i)
      if (!b.symbols[i].isMark() && symbols.ofB[i] == kNoIndex)
        addSymbol(kNoIndex, i);
    auto byAddress = [](std::vector<SymbolDiff> &list) {
      stable_sort(list, [](const SymbolDiff &x, const SymbolDiff &y) {
        auto value = [](const SymbolDiff &s) {
          return s.presence == Presence::OnlyB ? s.value[1] : s.value[0];
        };
        return value(x) < value(y);
      });
    };
    byAddress(result.symbols);
    for (SectionDiff &section : result.sections)
      byAddress(section.symbols);
  }

  // Contents.

  void addContent(uint32_t inA, uint32_t inB, ContentDiff content) {
    // The first file names it, unless only the second one has a name.
    const bool onlyB =
        inA == kNoIndex ||
        (inB != kNoIndex && atoms.a.atoms[inA].symbol == kNoIndex &&
         atoms.b.atoms[inB].symbol != kNoIndex);
    const Side &side = onlyB ? sideB : sideA;
    const uint32_t index = onlyB ? inB : inA;
    const Atom &atom = side.table.atoms[index];
    if (atom.symbol == kNoIndex) {
      content.near = side.whereText(index);
    } else {
      const ElfSymbol &symbol = side.file.symbols[atom.symbol];
      content.name = symbol.name.str();
      content.function = side.file.isFunction(symbol);
    }
    sectionOf(inA == kNoIndex ? 0 : atoms.a.atoms[inA].section,
              inB == kNoIndex ? 0 : atoms.b.atoms[inB].section)
        ->contents.push_back(std::move(content));
  }

  /// Atoms of one file without a partner. Those of unpaired symbols and
  /// sections are reported with these.
  void compareUnpaired(int of) {
    const Side &side = of ? sideB : sideA;
    auto hasPartner = [&](const Pairs &pairs, uint32_t index) {
      return (of ? pairs.ofB : pairs.ofA)[index] != kNoIndex;
    };
    for (uint32_t i = 0; i < side.table.atoms.size(); ++i) {
      const Atom &atom = side.table.atoms[i];
      if (hasPartner(atoms.pairs, i) ||
          (atom.symbol != kNoIndex && !hasPartner(symbols, atom.symbol)) ||
          !hasPartner(sections, atom.section))
        continue;
      SectionDiff &diff =
          *sectionOf(of ? 0 : atom.section, of ? atom.section : 0);
      if (diff.kind != SectionDiff::Ordinary)
        continue;
      // A mark without a size does not own the bytes behind it.
      if (!side.isSized(atom) &&
          side.isFill({atom.section, atom.begin, atom.size})) {
        diff.padding[of] += atom.size;
        continue;
      }
      ContentDiff content;
      content.real = content.size[of] = atom.size;
      content.address[of] = side.addressOf(atom);
      addContent(of ? kNoIndex : i, of ? i : kNoIndex, std::move(content));
    }
  }

  /// Of symbols without a size, the tail of the longer atom may be fill.
  void trimFill(Atom &x, Atom &y, SectionDiff &section) {
    if (x.size == y.size || x.symbol == kNoIndex || sideA.isSized(x) ||
        sideB.isSized(y))
      return;
    const bool longer = x.size < y.size;
    Atom &atom = longer ? y : x;
    const uint64_t size = std::min(x.size, y.size), rest = atom.size - size;
    if (!(longer ? sideB : sideA)
             .isFill({atom.section, atom.begin + size, rest}))
      return;
    section.padding[longer] += rest;
    atom.size = size;
  }

  /// Fill behind the last instruction may be zeros in one file, and the
  /// machine's fill in the other one.
  void takeFill(const Atom &x, const Atom &y, ContentDiff &content,
                SectionDiff &section) {
    auto isFillFrom = [](const Side &side, const Atom &atom, uint64_t offset) {
      return side.isFill(
          {atom.section, atom.begin + offset, atom.size - offset});
    };
    while (!content.resized() && !content.places.empty()) {
      const PlaceDiff &last = content.places.back();
      if (last.row || last.a.empty() || !isFillFrom(sideA, x, last.offset) ||
          !isFillFrom(sideB, y, last.offset))
        return;
      section.otherFill += last.a.size();
      content.real -= last.a.size();
      content.places.pop_back();
    }
  }

  ContentDiff comparePair(Atom x, Atom y, SectionDiff &section) {
    if (x.size != y.size && sideA.isFill(x) && sideB.isFill(y)) {
      section.padding[0] += x.size;
      section.padding[1] += y.size;
      return {};
    }
    trimFill(x, y, section);
    ContentDiff content = compareAtoms(sideA, x, sideB, y, references);
    takeFill(x, y, content, section);
    return content;
  }

  void compareContents() {
    for (uint32_t i = 0; i < atoms.a.atoms.size(); ++i) {
      const uint32_t j = atoms.pairs.ofA[i];
      if (j == kNoIndex)
        continue;
      const Atom &x = atoms.a.atoms[i], &y = atoms.b.atoms[j];
      SectionDiff &section = *sectionOf(x.section, y.section);
      if (section.kind != SectionDiff::Ordinary)
        continue;
      ContentDiff content = comparePair(x, y, section);
      if (content.changed() || content.moved)
        addContent(i, j, std::move(content));
    }
    compareUnpaired(0);
    compareUnpaired(1);
  }

  /// The source lines of changed functions, from DWARF of the second file.
  void findLines() {
    DebugSections sections(b);
    const LineSections dwarf{sections.get(".debug_line"),
                             sections.get(".debug_line_str"),
                             sections.get(".debug_str"), b.target->isBig};
    if (dwarf.lines.empty() || !b.hasAddresses())
      return;
    std::optional<LineTable> table;
    for (SectionDiff &section : result.sections)
      for (ContentDiff &content : section.contents) {
        if (!content.changed() || !content.function || !content.size[1])
          continue;
        if (!table)
          table.emplace(dwarf);
        const uint64_t offset =
            content.resized() ? std::min(content.front, content.size[1] - 1)
            : content.places.empty() ? 0
                                     : content.places.front().offset;
        content.line =
            table->find(section.address[1], content.address[1] + offset);
      }
  }

  // Tables that describe the rest.

  void compareTables() {
    if (!ignore.symbols) {
      if (!sameOrder(symbols.ofA))
        result.tables.push_back({"symbols", "another order", ""});
      auto labels = [](const LinkedFile &file) {
        return std::to_string(count_if(
            file.symbols, [](const ElfSymbol &s) { return s.isTemporary(); }));
      };
      addValues(result.tables, "labels of the compiler", labels(a), labels(b));
    }
    if (!sameOrder(segments.ofA))
      result.tables.push_back({"program headers", "another order", ""});
    if (!sameOrder(sections.ofA))
      result.tables.push_back({"section headers", "another order", ""});
    if (restOf(a) != restOf(b))
      result.tables.push_back(
          {"bytes that no table, section or segment holds", "other bytes", ""});
  }

  /// Differences of tables, which are reported if nothing else differs.
  void compareRest() {
    if (!result.tables.empty() || !result.header.empty() ||
        !result.segments.empty() || !result.symbols.empty() ||
        any_of(result.sections,
               [](const SectionDiff &s) { return s.differs(); }))
      return;
    bool ignored = false;
    for (uint32_t i = 1; i < a.sections.size(); ++i) {
      const ElfSection &section = a.sections[i];
      const uint32_t j = sections.ofA[i];
      if (j == kNoIndex || section.data == b.sections[j].data ||
          (!section.isTable() && !b.sections[j].isTable()))
        continue;
      if (ignore.symbols && (ofSymbols(section) || ofSymbols(b.sections[j])))
        ignored = true;
      else
        result.tables.push_back({section.name.str(), "other bytes", ""});
    }
    if (!result.tables.empty() || ignored)
      return;
    const size_t first = std::mismatch(a.bytes.begin(), a.bytes.end(),
                                       b.bytes.begin(), b.bytes.end())
                             .first -
                         a.bytes.begin();
    result.tables.push_back(
        {"places in the file", "first other byte at " + hex(first), ""});
  }

  const LinkedFile &a, &b;
  const DiffIgnore &ignore;
  const Pairs sections, symbols, segments;
  const AtomPairs atoms;
  const Side sideA, sideB;
  const References references;
  ProgramDiff result;
  /// Indices in result.sections, by section.
  std::vector<uint32_t> diffOfA, diffOfB;
};

} // namespace

ProgramDiff comparePrograms(const LinkedFile &a, const LinkedFile &b,
                            const DiffIgnore &ignore) {
  if (a.bytes == b.bytes)
    return {};
  return Comparison(a, b, ignore).run();
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

static void countSymbols(const std::vector<SymbolDiff> &symbols,
                         DiffCounts &counts) {
  for (const SymbolDiff &symbol : symbols) {
    counts["symbolsNew"] += symbol.presence == Presence::OnlyB;
    counts["symbolsGone"] += symbol.presence == Presence::OnlyA;
    counts["symbolsMoved"] += symbol.moved();
    counts["symbolsRevalued"] += symbol.hasOtherValue() && !symbol.moved();
    counts["symbolsAltered"] += !symbol.properties.empty();
  }
}

static void countContents(const SectionDiff &section, DiffCounts &counts) {
  for (const ContentDiff &content : section.contents) {
    counts["bytesReal"] += content.real;
    counts["bytesMoved"] += content.moved;
    counts["bytesProbablyMoved"] += content.probably;
    if (content.resized())
      ++counts[content.size[1] > content.size[0] ? "grew" : "shrank"];
    else if (content.changed())
      ++counts[content.name.empty() ? "unnamedChanged"
               : content.function   ? "functionsChanged"
                                    : "objectsChanged"];
  }
}

DiffCounts countsOf(const FileDiff &diff) {
  DiffCounts counts;
  counts["container"] = diff.container.size();
  for (const ProgramDiff &program : diff.programs) {
    counts["header"] += program.header.size();
    counts["segments"] += program.segments.size();
    if (!program.tablesIgnored)
      counts["tables"] += program.tables.size();
    if (!program.symbolsIgnored)
      countSymbols(program.symbols, counts);
    for (const SectionDiff &section : program.sections) {
      if (section.ignored)
        continue;
      counts["sections"] += section.differsItself();
      countContents(section, counts);
      if (!program.symbolsIgnored)
        countSymbols(section.symbols, counts);
    }
  }
  std::erase_if(counts, [](const auto &count) { return !count.second; });
  return counts;
}

} // namespace xlink
