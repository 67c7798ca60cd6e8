//===- MapFile.cpp --------------------------------------------------------===//
//
// Problem: people and their tools read maps as GNU ld prints them, column by
// column, and need one most when the program does not fit.
//
// Method: run through the statements in layout order once more, with a location
// counter of the map's own that tells where padding stands. Values are those
// that the last round of address assignment noted. Columns are GNU ld's: names
// take 16 (a longer name a line of its own), sizes 10, addresses as many digits
// as the machine has.
//
// Where it differs from GNU ld 2.44's: a symbol that is assigned twice shows
// both values; lists of EXCLUDE_FILE are printed as written, not backwards; a
// merged section has the size of its new contents, 0 when that is wholly in
// others, where GNU ld shows all as the first one's and the others as they
// were; that no section is discarded is not said. Characters of names that end
// the line or control a terminal are shown as \xNN. --map-script-lines puts the
// place of each pattern behind it.
//
// Cost: two visits of each section, one of each global symbol; sorting is
// within a section only.
//
//===----------------------------------------------------------------------===//
#include "report/MapFile.h"
#include "base/Diagnostics.h"
#include "base/Grouped.h"
#include "layout/ScriptRun.h"
#include "report/ScriptText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/NativeFormatting.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

/// Width of the first column.
static constexpr size_t kNameColumn = 16;
/// Where a statement begins.
static constexpr size_t kStatementColumn = 50;

namespace {

class MapFileWriter {
public:
  MapFileWriter(raw_ostream &out, const Link &link, const SymbolValues &values)
      : out(out), link(link), program(link.program), values(values),
        digits(link.program.target->is64 ? 16 : 8) {}
  void run();

private:
  void groupSymbols();
  void printInclusions();
  void printCommon();
  void printDiscarded();
  void printMemory();
  void printInputs(bool beforeScript);
  void printStatements();
  void printStatement(const ScriptCommand &command, uint64_t value,
                      bool skipped);
  void printPattern(const InputDescription &pattern);
  void printData(const DataCommand &data, Address at, uint64_t value);
  void printOutput(const OutputView &out);
  void printItem(const OutputView &section, uint32_t index);
  void printMembers(ArrayRef<SectionId> members);
  bool shareLine(SectionId a, SectionId b) const;
  void printContribution(SectionId id, Address at, Size size, Size inputSize);
  void printSymbols(SectionId id);
  void fillTo(Address address);

  /// With as many digits as the machine's addresses have.
  void number(Address value) {
    const uint64_t n = value.wrapped();
    write_hex(out, digits == 8 ? uint32_t(n) : n, HexPrintStyle::PrefixLower,
              digits + 2);
  }
  /// In a column of 10 characters.
  void size(uint64_t value) {
    const unsigned width = Log2_64(value | 1) / 4 + 3;
    out.indent(width < 10 ? 10 - width : 0);
    write_hex(out, value, HexPrintStyle::PrefixLower);
  }
  void place(Address at, uint64_t bytes) {
    number(at);
    out << ' ';
    size(bytes);
  }
  /// A name in a column, on a line of its own when it is long.
  void column(const std::string &text, size_t width) {
    out << text;
    if (text.size() + 1 >= width)
      out << '\n';
    out.indent(
        unsigned(text.size() + 1 >= width ? width : width - text.size()));
  }

  raw_ostream &out;
  const Link &link;
  const Program &program;
  const SymbolValues &values;
  const unsigned digits;
  Grouped<SymbolId> symbols; ///< global ones of each section, by address
  Address dot;
  std::vector<uint8_t> fill; ///< in force; empty: zeros
};

} // namespace

//===----------------------------------------------------------------------===//
// In front of the memory map
//===----------------------------------------------------------------------===//

void MapFileWriter::printInclusions() {
  if (program.inclusions.empty())
    return;
  out << "Archive member included to satisfy reference by file (symbol)\n\n";
  for (const Inclusion &i : program.inclusions) {
    column(program.fileName(i.file), 30);
    if (i.by != kNone)
      out << program.fileName(i.by) << ' ';
    out << '(' << program.shownName(program.symbols[i.symbol].name) << ")\n";
  }
}

void MapFileWriter::printCommon() {
  bool any = false;
  for (SymbolId id : program.symbols.ids()) {
    const BoundSymbol s = link.symbol(id);
    if (s.kind != SymbolKind::Defined || !isCommon(program.sections[s.section]))
      continue;
    if (!std::exchange(any, true))
      out << "\nAllocating common symbols\n"
             "Common symbol       size              file\n\n";
    column(program.shownName(s.name), 20);
    out << left_justify(hex(program.sections[s.section].parsed->size), 18)
        << program.fileName(s.file) << '\n';
  }
}

bool isReportedSection(const ParsedSection &section) {
  switch (section.type) {
  case ELF::SHT_NULL:
  case ELF::SHT_SYMTAB:
  case ELF::SHT_STRTAB:
  case ELF::SHT_RELA:
  case ELF::SHT_REL:
  case ELF::SHT_SYMTAB_SHNDX:
    return false;
  default:
    return true;
  }
}

void MapFileWriter::printDiscarded() {
  std::vector<SectionId> list;
  for (SectionId id : program.sections.ids(1)) {
    const InputSection &s = program.sections[id];
    if (s.file != kNone && s.parsed && isReportedSection(*s.parsed) &&
        (link.placement.sections[id].discarded ||
         !link.contributions.liveness.lives(id)))
      list.push_back(id);
  }
  if (list.empty())
    return;
  // COMMON symbols became sections behind those of all files.
  llvm::stable_sort(list, [&](SectionId a, SectionId b) {
    return program.sections[a].file < program.sections[b].file;
  });
  out << "\nDiscarded input sections\n\n";
  for (SectionId id : list) {
    const Size size = program.sections[id].parsed->size;
    printContribution(id, 0, size, size);
  }
}

void MapFileWriter::printMemory() {
  out << "\nMemory Configuration\n\n"
         "Name             Origin             Length             Attributes\n";
  auto row = [&](const std::string &name, Address origin, Size length,
                 const std::string &attributes) {
    out << left_justify(name, 17) << (name.size() < 17 ? "" : " ");
    number(origin);
    out.indent(17 - digits);
    number(uint64_t(length));
    if (!attributes.empty())
      out.indent(17 - digits) << attributes;
    out << '\n';
  };
  auto letters = [](uint64_t flags, bool readOnly, bool loaded) {
    std::string word;
    word += flags & ELF::SHF_ALLOC ? "a" : "";
    word += flags & ELF::SHF_EXECINSTR ? "x" : "";
    word += readOnly ? "r" : "";
    word += flags & ELF::SHF_WRITE ? "w" : "";
    word += loaded ? "l" : "";
    return word;
  };
  for (RegionId id : link.addresses.regions.ids()) {
    const RegionPlace &r = link.addresses.regions[id];
    const MemoryCommand &m = program.script.memory[id.index()];
    std::string wanted = letters(m.flags, m.wantReadOnly, m.wantLoaded);
    std::string refused =
        letters(m.negFlags, m.excludeReadOnly, m.excludeLoaded);
    row(printable(m.name), r.origin, r.length,
        wanted + (refused.empty() ? "" : "!" + refused));
  }
  row("*default*", 0, ~uint64_t(0), "");
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// LOAD lines, and between them where groups begin and end. Files named behind
/// -T stand behind the script's statements.
void MapFileWriter::printInputs(bool beforeScript) {
  bool seen = false;
  auto mark = program.groupMarks.begin();
  for (size_t i = 0; i <= program.readFiles.size(); ++i) {
    for (; mark != program.groupMarks.end() && mark->at == i; ++mark)
      if (seen != beforeScript)
        out << (mark->begins ? "START GROUP\n" : "END GROUP\n");
    if (i == program.readFiles.size())
      break;
    const ReadFile &file = program.readFiles[i];
    seen |= file.kind == ReadFile::Script && !program.builtinScript;
    if (file.kind == ReadFile::Input && seen != beforeScript)
      out << "LOAD " << printable(file.path) << '\n';
  }
}

void MapFileWriter::printStatement(const ScriptCommand &command, uint64_t value,
                                   bool skipped) {
  out.indent(kNameColumn);
  if (skipped)
    out << "[!provide]";
  else
    number(value);
  out.indent(kStatementColumn - kNameColumn - (skipped ? 10 : digits + 2));
  if (command.kind == CommandKind::Assert) {
    auto &a = static_cast<const AssertCommand &>(command);
    out << printable("ASSERT (" + expressionText(*a.condition) + ", " +
                     a.message.str() + ")");
  } else {
    out << printable(
        assignmentText(static_cast<const AssignmentCommand &>(command)));
  }
  out << '\n';
}

void MapFileWriter::fillTo(Address to) {
  if (to <= dot)
    return;
  column(" *fill*", kNameColumn);
  place(dot, to.sizeFrom(dot));
  out << ' ';
  if (any_of(fill, [](uint8_t b) { return b != 0; }))
    out << toHex(fill, /*LowerCase=*/true);
  out << '\n';
  dot = to;
}

void MapFileWriter::groupSymbols() {
  const size_t count = program.sections.size();
  symbols = Grouped<SymbolId>(count, [&](auto fn) {
    for (SymbolId id : program.symbols.ids()) {
      const SectionId section = link.definitionOf(id).section;
      if (section != kNone && link.placed(section))
        fn(link.contributions.standIn(section).index(), id);
    }
  });
  for (size_t i = 0; i < count; ++i)
    if (symbols.count(i) > 1)
      llvm::stable_sort(symbols.of(i), [&](SymbolId a, SymbolId b) {
        return values.globals[a] < values.globals[b];
      });
}

void MapFileWriter::printSymbols(SectionId id) {
  for (SymbolId symbol : symbols.of(id.index())) {
    out.indent(kNameColumn);
    number(values.globals[symbol]);
    out.indent(kNameColumn)
        << program.shownName(program.symbols[symbol].name) << '\n';
  }
}

void MapFileWriter::printContribution(SectionId id, Address at, Size bytes,
                                      Size inputBytes) {
  const InputSection &s = program.sections[id];
  column(" " + printable(s.parsed->name), kNameColumn);
  place(at, bytes);
  out << ' ' << program.fileName(s.file) << '\n';
  if (bytes == inputBytes)
    return;
  out.indent(kNameColumn + 3 + digits);
  size(inputBytes);
  out << " (size before relaxing)\n";
}

/// The COMMON symbols of a file that follow each other are one contribution.
bool MapFileWriter::shareLine(SectionId a, SectionId b) const {
  const InputSection &first = program.sections[a], &next = program.sections[b];
  return isCommon(first) && isCommon(next) && first.file == next.file &&
         link.placed(b) && link.addressOf(a) <= link.addressOf(b);
}

void MapFileWriter::printMembers(ArrayRef<SectionId> members) {
  for (size_t i = 0; i < members.size();) {
    const size_t begin = i++;
    const SectionId id = members[begin];
    if (!link.placed(id))
      continue;
    while (i < members.size() && shareLine(id, members[i]))
      ++i;
    const SectionId last = members[i - 1];
    const Address at = link.addressOf(id);
    const Address end = link.addressOf(last) + link.sizeOf(last);
    const Size bytes = end.sizeFrom(at);
    fillTo(at);
    // Slots of the GOT that nothing needs were never asked for.
    const bool whole = id != last || id == program.gotSection;
    printContribution(id, at, bytes,
                      whole ? bytes : Size(program.sections[id].parsed->size));
    for (SectionId member : members.slice(begin, i - begin))
      printSymbols(member);
    dot = std::max(dot, end);
  }
}

void MapFileWriter::printPattern(const InputDescription &pattern) {
  out << ' ' << printable(patternText(pattern));
  if (program.config.mapScriptLines)
    out << printable("  " + lineText(pattern.where));
  out << '\n';
}

void MapFileWriter::printData(const DataCommand &data, Address at,
                              uint64_t value) {
  const uint64_t bytes = data.value ? data.size : data.bytes.size();
  fillTo(at);
  out.indent(kNameColumn);
  place(at, bytes);
  out << ' ' << printable(dataText(data, value)) << '\n';
  dot = at + bytes;
}

void MapFileWriter::printItem(const OutputView &section, uint32_t index) {
  const OutputItem &item = section.items[index];
  const ItemPlace &place = link.item(section.section, index);
  const ScriptCommand *command = item.command;
  if (command)
    switch (command->kind) {
    case CommandKind::Assignment:
    case CommandKind::Assert:
      printStatement(*command, place.value, place.skipped);
      if (command->kind == CommandKind::Assignment &&
          static_cast<const AssignmentCommand &>(*command).isDot())
        fillTo(place.value);
      break;
    case CommandKind::InputDescription:
      printPattern(static_cast<const InputDescription &>(*command));
      break;
    case CommandKind::Data:
      printData(static_cast<const DataCommand &>(*command),
                section.address + place.offset, place.value);
      break;
    case CommandKind::Fill:
      fill = fillBytes(static_cast<const FillCommand &>(*command).pattern,
                       place.value);
      out << " FILL mask 0x" << toHex(fill, /*LowerCase=*/true) << '\n';
      break;
    default:
      break;
    }
  printMembers(
      ArrayRef(section.members).slice(item.begin, item.end - item.begin));
}

/// Whether anything but patterns that matched nothing stands in it.
static bool exists(const OutputView &section) {
  if (section.kept)
    return true;
  for (const OutputItem &item : section.items)
    if (item.command && (item.command->kind == CommandKind::Assignment ||
                         item.command->kind == CommandKind::Data))
      return true;
  return section.info.holdsSections;
}

void MapFileWriter::printOutput(const OutputView &section) {
  if (section.command && section.command->isDiscard()) {
    // It has no section of its own, only patterns.
    out << '\n' << printable(section.name) << '\n';
    for (const CommandPtr &child : section.command->commands)
      if (child->kind == CommandKind::InputDescription)
        out << ' '
            << printable(
                   patternText(static_cast<const InputDescription &>(*child)))
            << '\n';
    return;
  }
  if (!section.command && !exists(section))
    return; // an orphan of which nothing is left
  out << '\n';
  if (exists(section)) {
    column(printable(section.name), kNameColumn);
    place(section.address, section.size);
    if (section.isAlloc() && section.address != section.loadAddress) {
      out << " load address ";
      number(section.loadAddress);
    }
    dot = section.address;
  } else {
    out << printable(section.name);
  }
  out << '\n';
  fill = {};
  if (!section.fill.empty())
    fill = section.fill;
  else if (section.flags & ELF::SHF_EXECINSTR)
    fill.assign(program.state.codeFill.begin(), program.state.codeFill.end());
  for (uint32_t i = 0; i < section.items.size(); ++i)
    printItem(section, i);
  if (section.kept)
    fillTo(section.address + section.size);
}

void MapFileWriter::printStatements() {
  out << "\nLinker script and memory map\n\n";
  printInputs(true);
  // The output's own line stands behind the script's statements, and orphans
  // that follow all of these behind it.
  const std::vector<LayoutCommand> &layout = link.placement.layout;
  auto isOrphan = [&](const LayoutCommand &command) {
    return command.output != kNone &&
           !link.placement.outputs[command.output].command;
  };
  size_t end = layout.size();
  while (end && isOrphan(layout[end - 1]))
    --end;
  for (size_t i = 0; i <= layout.size(); ++i) {
    if (i == end) {
      printInputs(false);
      out << "OUTPUT(" << printable(program.output.path) << " elf"
          << (program.target->is64 ? "64-" : "32-") << program.target->name
          << ")\n";
    }
    if (i == layout.size())
      break;
    const StatementValue &result = link.addresses.statements[i];
    if (layout[i].output != kNone)
      printOutput(link.output(layout[i].output));
    else
      printStatement(*layout[i].command, result.value, result.skipped);
  }
}

void MapFileWriter::run() {
  groupSymbols();
  printInclusions();
  printCommon();
  printDiscarded();
  printMemory();
  printStatements();
}

void writeMap(raw_ostream &out, const Link &link, const SymbolValues &values) {
  MapFileWriter(out, link, values).run();
}

//===----------------------------------------------------------------------===//
// Cross references
//===----------------------------------------------------------------------===//

namespace {

/// How a file names a symbol, in the order of the table.
enum SymbolRole : uint8_t { Defines, Common, Refers };

struct SymbolReference {
  SymbolId symbol;
  SymbolRole role;
  FileId file;
};

} // namespace

/// A definition in a section that lost its COMDAT group is a reference to the
/// one that won.
static SymbolRole roleOf(const Program &program, const InputFile &file,
                         const ParsedSymbol &symbol) {
  if (symbol.place == SymbolPlace::Common)
    return Common;
  return symbol.place == SymbolPlace::Undefined ||
                 (symbol.place == SymbolPlace::Section &&
                  program.sections[file.sectionBase + symbol.section].discarded)
             ? Refers
             : Defines;
}

/// Calls fn(SymbolReference, ParsedSymbol) for every global symbol of every
/// file.
template <class Fn>
static void forEachReference(const Program &program, Fn fn) {
  for (FileId f : program.files.ids()) {
    const InputFile &file = program.files[f];
    const std::vector<ParsedSymbol> &symbols = file.object->symbols;
    for (uint32_t i = 1; i < symbols.size(); ++i) {
      SymbolId id = program.symbolIds[file.symbolBase + i];
      if (id != kNone)
        fn(SymbolReference{id, roleOf(program, file, symbols[i]), f},
           symbols[i]);
    }
  }
}

void writeCrossReferences(raw_ostream &out, const Program &program) {
  static constexpr size_t kFileColumn = 50;
  std::vector<SymbolReference> references;
  forEachReference(program,
                   [&](const SymbolReference &m, const ParsedSymbol &) {
                     references.push_back(m);
                   });
  std::sort(references.begin(), references.end(),
            [&](const SymbolReference &a, const SymbolReference &b) {
              if (a.symbol != b.symbol)
                return program.symbols[a.symbol].name <
                       program.symbols[b.symbol].name;
              return a.role != b.role ? a.role < b.role : a.file > b.file;
            });
  out << "\nCross Reference Table\n\n"
      << left_justify("Symbol", kFileColumn) << "File\n";
  SymbolId last;
  for (const SymbolReference &m : references) {
    const std::string name =
        m.symbol != last ? program.shownName(program.symbols[m.symbol].name)
                         : "";
    last = m.symbol;
    out << left_justify(name, kFileColumn)
        << (name.size() < kFileColumn ? "" : " ") << program.fileName(m.file)
        << "\n";
  }
}

void traceSymbols(const Program &program, Diagnostics &diag) {
  const std::vector<std::string> &names = program.config.traceSymbols;
  if (names.empty())
    return;
  StringSet<> traced;
  traced.insert(names.begin(), names.end());
  forEachReference(
      program, [&](const SymbolReference &m, const ParsedSymbol &symbol) {
        if (!traced.contains(program.symbols[m.symbol].name))
          return;
        const char *role = m.role == Defines  ? "definition of "
                           : m.role == Common ? "common definition of "
                           : symbol.place == SymbolPlace::Section
                               ? "discarded definition of "
                               : "reference to ";
        diag.note(program.fileName(m.file) + ": " + role +
                  program.shownName(program.symbols[m.symbol].name));
      });
  for (const std::string &name : names)
    if (SymbolId id = program.symbols.find(name);
        id != kNone && program.symbols[id].scriptDefined)
      diag.note("linker script: definition of " + program.shownName(name));
}

//===----------------------------------------------------------------------===//
// Collected sections
//===----------------------------------------------------------------------===//

std::string collectedSectionsText(const Link &link) {
  std::string text;
  uint64_t count = 0, bytes = 0;
  for (SectionId id : link.program.sections.ids(1)) {
    const SectionView s = link.section(id);
    if (!s.parsed || s.discarded || s.live || s.parsed->size == 0)
      continue;
    text += "removing unused section " + link.program.sectionName(id) + "\n";
    ++count;
    bytes += s.parsed->size;
  }
  if (count)
    text += "removed " + countOf(count, "section", "sections") + " of " +
            countOf(bytes, "byte", "bytes") + "\n";
  return text;
}

} // namespace xlink
