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
// merged section has the size of what it brought, 0 when that is wholly in
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
#include "base/Demangle.h"
#include "base/Diagnostics.h"
#include "base/Grouped.h"
#include "layout/ScriptRun.h"
#include "report/ScriptText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Format.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

/// Width of the first column.
static constexpr size_t kNameColumn = 16;
/// Where a statement begins.
static constexpr size_t kStatementColumn = 50;

namespace {

class MapWriter {
public:
  MapWriter(raw_ostream &out, const Link &link, const SymbolValues &values)
      : out(out), link(link), values(values),
        digits(link.program.target->is64 ? 16 : 8) {}
  void run();

private:
  void groupSymbols();
  void printInclusions();
  void printCommon();
  bool isListed(SectionId id) const;
  void printDiscarded();
  void printMemory();
  void printInputs(bool beforeScript);
  bool isOrphan(const LayoutCommand &command) const;
  void printOutputFile();
  void printStatements();
  void printDiscardCommand(const OutputSectionCommand &command);
  void printStatement(const ScriptCommand &command, uint64_t value,
                      bool skipped);
  void printOutput(const OutputView &out);
  void printItem(const OutputView &section, uint32_t index);
  void printMembers(ArrayRef<SectionId> members);
  void printMember(SectionId id);
  bool shareLine(SectionId a, SectionId b) const;
  void printCommonRun(ArrayRef<SectionId> symbols);
  void printContribution(SectionId id, Address at, Size size, FileId file,
                         Size inputSize);
  void printSymbols(SectionId id);
  void fillTo(Address address);
  /// With as many digits as the machine's addresses have.
  void number(uint64_t value);
  void number(Address value) { number(value.wrapped()); }
  /// In a column of 10 characters.
  void size(uint64_t value);
  /// A name of a file, a section or a symbol, or a text of the script.
  void shown(StringRef text) {
    if (LLVM_LIKELY(isPlainText(text)))
      out << text;
    else
      out << printable(text);
  }
  /// A name in the first column, on a line of its own when it is long.
  void name(StringRef before, StringRef name);

  raw_ostream &out;
  const Link &link;
  const SymbolValues &values;
  const unsigned digits;
  Grouped<SymbolId> symbols; ///< global ones of each section, by address
  Address dot;
  std::vector<uint8_t> fill; ///< in force; empty: zeros
};

} // namespace

void MapWriter::number(uint64_t value) {
  char text[18] = {'0', 'x'};
  for (unsigned i = digits + 2; i-- > 2; value >>= 4)
    text[i] = hexdigit(value & 15, /*LowerCase=*/true);
  out << StringRef(text, digits + 2);
}

void MapWriter::size(uint64_t value) {
  char text[18];
  unsigned begin = sizeof text;
  do
    text[--begin] = hexdigit(value & 15, /*LowerCase=*/true);
  while (value >>= 4);
  const StringRef number(text + begin, sizeof text - begin);
  out.indent(number.size() < 8 ? unsigned(8 - number.size()) : 0)
      << "0x" << number;
}

void MapWriter::name(StringRef before, StringRef name) {
  const std::string text = isPlainText(name) ? "" : printable(name);
  if (!text.empty())
    name = text;
  out << before << name;
  const size_t used = before.size() + name.size();
  if (used >= kNameColumn - 1)
    out << '\n';
  out.indent(
      unsigned(used >= kNameColumn - 1 ? kNameColumn : kNameColumn - used));
}

//===----------------------------------------------------------------------===//
// What stands in front of the memory map
//===----------------------------------------------------------------------===//

void MapWriter::printInclusions() {
  if (link.program.inclusions.empty())
    return;
  out << "Archive member included to satisfy reference by file (symbol)\n\n";
  for (const Inclusion &i : link.program.inclusions) {
    const std::string member = link.program.fileName(i.file);
    if (member.size() < 29)
      out << left_justify(member, 30);
    else
      (out << member << '\n').indent(30);
    if (i.by != kNone)
      out << link.program.fileName(i.by) << ' ';
    out << '(' << link.program.shownName(link.program.symbols[i.symbol].name)
        << ")\n";
  }
}

void MapWriter::printCommon() {
  if (none_of(link.program.madeSections,
              [](const ParsedSection &s) { return s.name == kCommonName; }))
    return;
  bool any = false;
  for (SymbolId id : link.program.symbols.ids()) {
    const BoundSymbol s = link.symbol(id);
    if (s.kind != SymbolKind::Defined ||
        !isCommon(link.program.sections[s.section]))
      continue;
    if (!std::exchange(any, true))
      out << "\nAllocating common symbols\n"
             "Common symbol       size              file\n\n";
    const std::string name = link.program.shownName(s.name);
    if (name.size() < 19)
      out << left_justify(name, 20);
    else
      (out << name << '\n').indent(20);
    out << left_justify(hex(link.program.sections[s.section].parsed->size), 18)
        << link.program.fileName(s.file) << '\n';
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

/// Whether the list of what is not in the output has a section.
bool MapWriter::isListed(SectionId id) const {
  const InputSection &s = link.program.sections[id];
  return s.file != kNone && s.parsed &&
         (link.placement.sections[id].discarded ||
          !link.contributions.liveness.lives(id)) &&
         isReportedSection(*s.parsed);
}

void MapWriter::printDiscarded() {
  const Program &program = link.program;
  std::vector<SectionId> list;
  for (SectionId id : program.sections.ids(1))
    if (isListed(id))
      list.push_back(id);
  if (list.empty())
    return;
  // COMMON symbols became sections behind those of all files.
  auto isBefore = [&](SectionId a, SectionId b) {
    return program.sections[a].file < program.sections[b].file;
  };
  if (!is_sorted(list, isBefore))
    llvm::stable_sort(list, isBefore);
  out << "\nDiscarded input sections\n\n";
  for (SectionId id : list) {
    const InputSection &s = program.sections[id];
    printContribution(id, 0, s.parsed->size, s.file, s.parsed->size);
  }
}

void MapWriter::printMemory() {
  out << "\nMemory Configuration\n\n"
         "Name             Origin             Length             Attributes\n";
  auto row = [&](const std::string &name, Address origin, Size length,
                 const std::string &attributes) {
    out << left_justify(name, 17) << (name.size() < 17 ? "" : " ");
    number(origin);
    out.indent(17 - digits);
    number(length);
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
    const MemoryCommand &m = link.program.script.memory[id.index()];
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
void MapWriter::printInputs(bool beforeScript) {
  const Program &program = link.program;
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

void MapWriter::printStatement(const ScriptCommand &command, uint64_t value,
                               bool skipped) {
  out.indent(kNameColumn);
  if (skipped)
    out << "[!provide]";
  else
    number(value);
  out.indent(kStatementColumn - kNameColumn - (skipped ? 10 : digits + 2));
  if (command.kind == CommandKind::Assert) {
    auto &a = static_cast<const AssertCommand &>(command);
    shown("ASSERT (" + expressionText(*a.condition) + ", " + a.message.str() +
          ")");
  } else {
    shown(assignmentText(static_cast<const AssignmentCommand &>(command)));
  }
  out << '\n';
}

void MapWriter::fillTo(Address to) {
  if (to <= dot)
    return;
  name(" ", "*fill*");
  number(dot);
  out << ' ';
  size(to.sizeFrom(dot));
  out << ' ';
  if (any_of(fill, [](uint8_t b) { return b != 0; }))
    out << fillText(fill);
  out << '\n';
  dot = to;
}

void MapWriter::groupSymbols() {
  IdVector<SymbolId, SectionId> sections(link.program.symbols.size(), kNone);
  link.program.symbols.forEach(link.program.parallel, [&](SymbolId id) {
    const SectionId section = link.definitionOf(id).section;
    if (section != kNone && link.placed(section))
      sections[id] = link.contributions.standIn(section);
  });
  const size_t count = link.program.sections.size();
  symbols = Grouped<SymbolId>(count, [&](auto fn) {
    for (SymbolId id : sections.ids())
      if (sections[id] != kNone)
        fn(sections[id].index(), id);
  });
  for (size_t i = 0; i < count; ++i)
    if (symbols.count(i) > 1)
      llvm::stable_sort(symbols.of(i), [&](SymbolId a, SymbolId b) {
        return values.globals[a] < values.globals[b];
      });
}

void MapWriter::printSymbols(SectionId id) {
  for (SymbolId symbol : symbols.of(id.index())) {
    const StringRef name = link.program.symbols[symbol].name;
    out.indent(kNameColumn);
    number(values.globals[symbol]);
    out.indent(kNameColumn);
    if (link.program.config.demangle && isMangled(name))
      shown(demangled(name));
    else
      shown(name);
    out << '\n';
  }
}

void MapWriter::printContribution(SectionId id, Address at, Size bytes,
                                  FileId file, Size inputBytes) {
  name(" ", link.program.sections[id].parsed->name);
  number(at);
  out << ' ';
  size(bytes);
  out << ' ';
  if (file == kNone)
    out << link.program.fileName(file);
  else
    shown(link.program.files[file].object->path);
  out << '\n';
  if (bytes == inputBytes)
    return;
  out.indent(kNameColumn + 3 + digits);
  size(inputBytes);
  out << " (size before relaxing)\n";
}

void MapWriter::printMember(SectionId id) {
  const InputSection &s = link.program.sections[id];
  const Address at = link.addressOf(id);
  const Size bytes = link.sizeOf(id);
  fillTo(at);
  // Slots of the GOT that nothing needs were never asked for.
  const bool whole = id == link.program.gotSection;
  printContribution(id, at, bytes, s.file,
                    whole ? bytes : Size(s.parsed->size));
  printSymbols(id);
  dot = std::max(dot, at + bytes);
}

/// The COMMON symbols of a file that follow each other are one contribution.
bool MapWriter::shareLine(SectionId a, SectionId b) const {
  const InputSection &first = link.program.sections[a],
                     &next = link.program.sections[b];
  return isCommon(first) && isCommon(next) && first.file == next.file &&
         link.placed(b) && link.addressOf(a) <= link.addressOf(b);
}

void MapWriter::printCommonRun(ArrayRef<SectionId> run) {
  const Address at = link.addressOf(run.front());
  const Address end = link.addressOf(run.back()) + link.sizeOf(run.back());
  fillTo(at);
  printContribution(run.front(), at, end.sizeFrom(at),
                    link.program.sections[run.front()].file, end.sizeFrom(at));
  for (SectionId id : run)
    printSymbols(id);
  dot = std::max(dot, end);
}

void MapWriter::printItem(const OutputView &section, uint32_t index) {
  const OutputItem &item = section.items[index];
  const ItemPlace &place = link.item(section.section, index);
  if (item.command) {
    switch (item.command->kind) {
    case CommandKind::Assignment:
    case CommandKind::Assert: {
      printStatement(*item.command, place.value, place.skipped);
      if (item.command->kind == CommandKind::Assignment &&
          static_cast<const AssignmentCommand &>(*item.command).isDot())
        fillTo(place.value);
      break;
    }
    case CommandKind::InputDescription:
      out << ' ';
      shown(patternText(static_cast<const InputDescription &>(*item.command)));
      if (link.program.config.mapScriptLines)
        shown("  " + lineText(item.command->where));
      out << '\n';
      break;
    case CommandKind::Data: {
      auto &data = static_cast<const DataCommand &>(*item.command);
      const Address at = section.address + place.offset;
      const uint64_t bytes = data.value ? data.size : data.bytes.size();
      fillTo(at);
      out.indent(kNameColumn);
      number(at);
      out << ' ';
      size(bytes);
      out << ' ';
      shown(dataText(data, place.value));
      out << '\n';
      dot = at + bytes;
      break;
    }
    case CommandKind::Fill:
      fill = fillBytes(static_cast<const FillCommand &>(*item.command).pattern,
                       place.value);
      out << " FILL mask 0x" << fillText(fill) << '\n';
      break;
    default:
      break;
    }
  }
  printMembers(
      ArrayRef(section.members).slice(item.begin, item.end - item.begin));
}

void MapWriter::printMembers(ArrayRef<SectionId> members) {
  for (size_t i = 0; i < members.size();) {
    const size_t begin = i++;
    if (!link.placed(members[begin]))
      continue;
    while (i < members.size() && shareLine(members[begin], members[i]))
      ++i;
    if (i - begin == 1)
      printMember(members[begin]);
    else
      printCommonRun(members.slice(begin, i - begin));
  }
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

void MapWriter::printOutput(const OutputView &section) {
  if (section.command && section.command->isDiscard())
    return printDiscardCommand(*section.command);
  if (!section.command && !exists(section))
    return; // an orphan of which nothing is left
  out << '\n';
  if (exists(section)) {
    name("", section.name);
    number(section.address);
    out << ' ';
    size(section.size);
    if (section.isAlloc() && section.address != section.loadAddress) {
      out << " load address ";
      number(section.loadAddress);
    }
    dot = section.address;
  } else {
    shown(section.name);
  }
  out << '\n';
  fill = {};
  if (!section.fill.empty())
    fill = section.fill;
  else if (section.flags & ELF::SHF_EXECINSTR)
    fill.assign(link.program.state.codeFill.begin(),
                link.program.state.codeFill.end());
  for (uint32_t i = 0; i < section.items.size(); ++i)
    printItem(section, i);
  if (section.kept)
    fillTo(section.address + section.size);
}

/// /DISCARD/ has no section of its own, only what it asks for.
void MapWriter::printDiscardCommand(const OutputSectionCommand &command) {
  out << '\n' << printable(command.name) << '\n';
  for (const CommandPtr &child : command.commands)
    if (child->kind == CommandKind::InputDescription)
      out << ' '
          << printable(
                 patternText(static_cast<const InputDescription &>(*child)))
          << '\n';
}

bool MapWriter::isOrphan(const LayoutCommand &command) const {
  return command.output != kNone &&
         !link.placement.outputs[command.output].command;
}

void MapWriter::printOutputFile() {
  printInputs(false);
  out << "OUTPUT(" << printable(link.program.output.path) << " elf"
      << (link.program.target->is64 ? "64-" : "32-")
      << link.program.target->name << ")\n";
}

void MapWriter::printStatements() {
  out << "\nLinker script and memory map\n\n";
  printInputs(true);
  // The output's own line stands behind what the script says, and orphans that
  // follow all of that behind it.
  const std::vector<LayoutCommand> &layout = link.placement.layout;
  size_t end = layout.size();
  while (end && isOrphan(layout[end - 1]))
    --end;
  for (size_t i = 0; i <= layout.size(); ++i) {
    if (i == end)
      printOutputFile();
    if (i == layout.size())
      break;
    const StatementValue &result = link.addresses.statements[i];
    if (layout[i].output != kNone)
      printOutput(link.output(layout[i].output));
    else
      printStatement(*layout[i].command, result.value, result.skipped);
  }
}

void MapWriter::run() {
  groupSymbols();
  printInclusions();
  printCommon();
  printDiscarded();
  printMemory();
  printStatements();
}

void writeMap(raw_ostream &out, const Link &link, const SymbolValues &values) {
  MapWriter(out, link, values).run();
}

} // namespace xlink
