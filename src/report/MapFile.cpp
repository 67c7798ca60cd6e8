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
// Where it differs from GNU ld's: a symbol that is assigned twice shows both
// values; lists of EXCLUDE_FILE are printed as written, not backwards; the
// symbols of an overlay stand behind it; a merged section that is wholly in
// others has size 0. --map-script-lines puts the place of each pattern behind
// it.
//
// Cost: one visit of each section, one sort of the global symbols.
//
//===----------------------------------------------------------------------===//
#include "report/MapFile.h"
#include "layout/ScriptRun.h"
#include "report/ScriptText.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

namespace {

class MapWriter {
public:
  explicit MapWriter(const Link &link)
      : link(link), digits(link.program.target->is64 ? 16 : 8) {}
  std::string run();

private:
  void printInclusions();
  void printCommon();
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
  void printItem(const OutputView &out, uint32_t index);
  void printMember(SectionId id);
  bool shareLine(SectionId a, SectionId b) const;
  void printCommonRun(ArrayRef<SectionId> symbols);
  void printContribution(SectionId id, Address at, Size size, FileId file,
                         Size inputSize);
  void printSymbols(SectionId id);
  void fillTo(Address address);
  void collectSymbols();

  std::string address(Address place) const { return number(place.wrapped()); }
  /// With as many digits as the machine's addresses have.
  std::string number(uint64_t value) const;
  /// Appends the same: there are hundreds of thousands of them.
  void addNumber(uint64_t value);
  void pad(size_t lineStart, size_t column) {
    size_t used = text.size() - lineStart;
    text.append(column > used ? column - used : 0, ' ');
  }
  /// A name in the first column, on a line of its own when it is long.
  void name(StringRef before, StringRef name);

  const Link &link;
  const unsigned digits;
  std::string text;
  Address dot;
  std::vector<uint8_t> fill; ///< in force; empty: zeros
  /// (section, address, symbol), sorted.
  std::vector<std::tuple<SectionId, uint64_t, SymbolId>> symbols;
};

} // namespace

/// Width of the first column.
static constexpr size_t kNameColumn = 16;
/// Where a statement begins.
static constexpr size_t kStatementColumn = 50;

static std::string hexRight(uint64_t value) {
  std::string number = hex(value);
  return std::string(number.size() < 10 ? 10 - number.size() : 0, ' ') + number;
}

/// "0x" and so many digits, 8 or 16; the text is in `places`.
static StringRef inPlaces(uint64_t value, unsigned digits, char (&places)[18]) {
  places[0] = '0';
  places[1] = 'x';
  for (unsigned i = digits + 2; i > 2; value >>= 4)
    places[--i] = "0123456789abcdef"[value & 15];
  return {places, digits + 2};
}

/// "x.ld:12"
static std::string lineText(const ScriptLocation &where) {
  return where.file.str() + ":" + std::to_string(where.line);
}

std::string MapWriter::number(uint64_t value) const {
  char places[18];
  return inPlaces(value, digits, places).str();
}

void MapWriter::addNumber(uint64_t value) {
  char places[18];
  text += inPlaces(value, digits, places);
}

void MapWriter::name(StringRef before, StringRef name) {
  text += before;
  text += name;
  size_t used = before.size() + name.size();
  if (used >= kNameColumn - 1) {
    text += '\n';
    used = 0;
  }
  text.append(kNameColumn - used, ' ');
}

//===----------------------------------------------------------------------===//
// What stands in front of the memory map
//===----------------------------------------------------------------------===//

void MapWriter::printInclusions() {
  if (link.program.inclusions.empty())
    return;
  text += "Archive member included to satisfy reference by file (symbol)\n\n";
  for (const Inclusion &i : link.program.inclusions) {
    std::string member = link.program.fileName(i.file);
    text += member;
    if (member.size() >= 29)
      text += '\n';
    text.append(member.size() >= 29 ? 30 : 30 - member.size(), ' ');
    if (i.by != kNone)
      text += link.program.fileName(i.by) + " ";
    text += "(" + link.program.shownName(link.program.symbols[i.symbol].name) +
            ")\n";
  }
}

void MapWriter::printCommon() {
  bool any = false;
  for (SymbolId id : link.program.symbols.ids()) {
    const BoundSymbol s = link.symbol(id);
    if (s.kind != SymbolKind::Defined ||
        !isCommon(link.program.sections[s.section]))
      continue;
    if (!any)
      text += "\nAllocating common symbols\n"
              "Common symbol       size              file\n\n";
    any = true;
    size_t line = text.size();
    const std::string name = link.program.shownName(s.name);
    text += name;
    if (name.size() >= 19) {
      text += '\n';
      line = text.size();
    }
    pad(line, 20);
    text += hex(link.program.sections[s.section].parsed->size);
    pad(line, 38);
    text += link.program.fileName(s.file) + "\n";
  }
}

/// Whether a section is one for GNU ld: tables that describe the file are not.
static bool isSection(const ParsedSection &p) {
  switch (p.type) {
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

void MapWriter::printDiscarded() {
  std::vector<SectionId> list;
  for (SectionId id : link.program.sections.ids(1)) {
    const SectionView s = link.section(id);
    if (s.parsed && s.file != kNone && (s.discarded || !s.live) &&
        isSection(*s.parsed))
      list.push_back(id);
  }
  if (list.empty())
    return;
  // COMMON symbols became sections behind those of all files.
  std::stable_sort(list.begin(), list.end(), [&](SectionId a, SectionId b) {
    return link.program.sections[a].file < link.program.sections[b].file;
  });
  text += "\nDiscarded input sections\n\n";
  for (SectionId id : list) {
    const InputSection &s = link.program.sections[id];
    printContribution(id, 0, s.parsed->size, s.file, s.parsed->size);
  }
}

void MapWriter::printMemory() {
  text += "\nMemory Configuration\n\n"
          "Name             Origin             Length             Attributes\n";
  auto row = [&](StringRef name, Address origin, Size length,
                 const std::string &attributes) {
    text += name;
    text.append(name.size() < 16 ? 17 - name.size() : 1, ' ');
    size_t column = text.size();
    text += address(origin);
    pad(column, 19);
    text += number(length);
    if (!attributes.empty()) {
      pad(column, 38);
      text += attributes;
    }
    text += '\n';
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
  for (RegionId id : link.geometry.regions.ids()) {
    const RegionPlace &r = link.geometry.regions[id];
    const MemoryCommand &m = link.program.script.memory[id.index()];
    std::string wanted = letters(m.flags, m.wantReadOnly, m.wantLoaded);
    std::string refused =
        letters(m.negFlags, m.excludeReadOnly, m.excludeLoaded);
    row(m.name, r.origin, r.length,
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
        text += mark->begins ? "START GROUP\n" : "END GROUP\n";
    if (i == program.readFiles.size())
      break;
    const ReadFile &file = program.readFiles[i];
    seen |= file.kind == ReadFile::Script && !program.builtinScript;
    if (file.kind == ReadFile::Input && seen != beforeScript)
      text += "LOAD " + file.path + "\n";
  }
}

void MapWriter::printStatement(const ScriptCommand &command, uint64_t value,
                               bool skipped) {
  size_t line = text.size();
  pad(line, kNameColumn);
  text += skipped ? "[!provide]" : number(value);
  pad(line, kStatementColumn);
  if (command.kind == CommandKind::Assert) {
    auto &a = static_cast<const AssertCommand &>(command);
    text += "ASSERT (" + expressionText(*a.condition) + ", " + a.message.str() +
            ")\n";
    return;
  }
  text += assignmentText(static_cast<const AssignmentCommand &>(command));
  text += '\n';
}

void MapWriter::fillTo(Address to) {
  if (to <= dot)
    return;
  name(" ", "*fill*");
  text += address(dot) + " " + hexRight(to.sizeFrom(dot)) + " ";
  if (any_of(fill, [](uint8_t b) { return b != 0; }))
    text += fillText(fill);
  text += '\n';
  dot = to;
}

void MapWriter::collectSymbols() {
  for (SymbolId id : link.program.symbols.ids()) {
    const BoundSymbol s = link.symbol(id);
    if (s.kind == SymbolKind::Defined && link.placed(s.section))
      symbols.push_back(
          {link.contents.standIn(s.section), link.addressOf(s), id});
  }
  std::sort(symbols.begin(), symbols.end());
}

void MapWriter::printSymbols(SectionId id) {
  auto it = std::lower_bound(symbols.begin(), symbols.end(),
                             std::tuple(id, uint64_t(0), SymbolId(0)));
  for (; it != symbols.end() && std::get<0>(*it) == id; ++it) {
    text.append(16, ' ');
    addNumber(std::get<1>(*it));
    text.append(16, ' ');
    text += link.program.shownName(link.program.symbols[std::get<2>(*it)].name);
    text += '\n';
  }
}

void MapWriter::printContribution(SectionId id, Address at, Size size,
                                  FileId file, Size inputSize) {
  name(" ", link.program.sections[id].parsed->name);
  addNumber(at.wrapped());
  text += ' ';
  text += hexRight(size);
  text += ' ';
  text += link.program.fileName(file);
  text += '\n';
  if (size != inputSize)
    text += std::string(kNameColumn + 3 + digits, ' ') + hexRight(inputSize) +
            " (size before relaxing)\n";
}

void MapWriter::printMember(SectionId id) {
  const SectionView s = link.section(id);
  const Address at = link.addressOf(id);
  fillTo(at);
  // Slots of the GOT that nothing needs were never asked for.
  const bool whole = id == link.program.gotSection;
  printContribution(id, at, s.size, s.file,
                    whole ? s.size : Size(s.parsed->size));
  printSymbols(id);
  dot = std::max(dot, at + s.size);
}

/// The COMMON symbols of a file that follow each other are one contribution.
bool MapWriter::shareLine(SectionId a, SectionId b) const {
  const InputSection &first = link.program.sections[a],
                     &next = link.program.sections[b];
  return isCommon(first) && isCommon(next) && first.file == next.file &&
         link.placed(b) && link.addressOf(a) <= link.addressOf(b);
}

void MapWriter::printCommonRun(ArrayRef<SectionId> symbols) {
  const Address at = link.addressOf(symbols.front());
  const Address end =
      link.addressOf(symbols.back()) + link.sizeOf(symbols.back());
  fillTo(at);
  printContribution(symbols.front(), at, end.sizeFrom(at),
                    link.program.sections[symbols.front()].file,
                    end.sizeFrom(at));
  for (SectionId id : symbols)
    printSymbols(id);
  dot = std::max(dot, end);
}

void MapWriter::printItem(const OutputView &out, uint32_t index) {
  const OutputItem &item = out.items[index];
  const ItemPlace &place = link.item(out.section, index);
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
      text += " " +
              patternText(static_cast<const InputDescription &>(*item.command));
      if (link.program.config.mapScriptLines)
        text += "  " + lineText(item.command->where);
      text += "\n";
      break;
    case CommandKind::Data: {
      auto &data = static_cast<const DataCommand &>(*item.command);
      const Address at = out.address + place.offset;
      uint64_t size = data.value ? data.size : data.bytes.size();
      fillTo(at);
      text += std::string(kNameColumn, ' ') + address(at) + " " +
              hexRight(size) + " " + dataText(data, place.value) + "\n";
      dot = at + size;
      break;
    }
    case CommandKind::Fill:
      fill = fillBytes(static_cast<const FillCommand &>(*item.command).pattern,
                       place.value);
      text += " FILL mask 0x" + fillText(fill) + "\n";
      break;
    default:
      break;
    }
  }
  for (uint32_t i = item.begin; i < item.end;) {
    const uint32_t begin = i++;
    if (!link.placed(out.members[begin]))
      continue;
    while (i < item.end && shareLine(out.members[begin], out.members[i]))
      ++i;
    if (i - begin == 1)
      printMember(out.members[begin]);
    else
      printCommonRun(ArrayRef(out.members).slice(begin, i - begin));
  }
}

/// Whether anything but patterns that matched nothing stands in it.
static bool exists(const OutputView &out) {
  if (out.kept)
    return true;
  for (const OutputItem &item : out.items)
    if (item.command && (item.command->kind == CommandKind::Assignment ||
                         item.command->kind == CommandKind::Data))
      return true;
  return out.facts.holdsSections;
}

void MapWriter::printOutput(const OutputView &out) {
  if (out.command && out.command->isDiscard())
    return printDiscardCommand(*out.command);
  if (!out.command && !exists(out))
    return; // an orphan of which nothing is left
  text += '\n';
  if (exists(out)) {
    name("", out.name);
    text += address(out.address) + " " + hexRight(out.size);
    if (out.isAlloc() && out.address != out.loadAddress)
      text += " load address " + address(out.loadAddress);
    dot = out.address;
  } else {
    text += out.name;
  }
  text += '\n';
  fill = {};
  if (!out.fill.empty())
    fill = out.fill;
  else if (out.flags & ELF::SHF_EXECINSTR)
    fill.assign(link.program.state.codeFill.begin(),
                link.program.state.codeFill.end());
  for (uint32_t i = 0; i < out.items.size(); ++i)
    printItem(out, i);
  if (out.kept)
    fillTo(out.address + out.size);
}

/// /DISCARD/ has no section of its own, only what it asks for.
void MapWriter::printDiscardCommand(const OutputSectionCommand &command) {
  text += "\n" + command.name.str() + "\n";
  for (const CommandPtr &child : command.commands)
    if (child->kind == CommandKind::InputDescription)
      text += " " + patternText(static_cast<const InputDescription &>(*child)) +
              "\n";
}

bool MapWriter::isOrphan(const LayoutCommand &command) const {
  return command.output != kNone &&
         !link.placement.outputs[command.output].command;
}

void MapWriter::printOutputFile() {
  printInputs(false);
  text += "OUTPUT(" + link.program.output.path + " elf" +
          (link.program.target->is64 ? "64-" : "32-") +
          link.program.target->name + ")\n";
}

void MapWriter::printStatements() {
  text += "\nLinker script and memory map\n\n";
  collectSymbols();
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
    const StatementValue &result = link.geometry.statements[i];
    if (layout[i].output != kNone)
      printOutput(link.output(layout[i].output));
    else
      printStatement(*layout[i].command, result.value, result.skipped);
  }
}

std::string MapWriter::run() {
  printInclusions();
  printCommon();
  printDiscarded();
  printMemory();
  printStatements();
  return std::move(text);
}

std::string mapText(const Link &link) { return MapWriter(link).run(); }

std::string mapPath(const Program &program) {
  return program.besideOutput(program.config.mapFile, ".map");
}

} // namespace xlink
