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
// Nearly all lines are those of members, and what a run of members prints
// depends on nothing but where the location counter is in front of it. So the
// walk leaves long runs out: it notes the counter, moves it behind the run, and
// the threads that write the map print them then. A run is cut where no COMMON
// symbol stands, as those of a file share a line. Discarded sections are left
// out in the same way.
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
#include "llvm/ADT/DenseMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <memory>

using namespace llvm;

namespace xlink {

/// Members of a run: some 250 KB of text.
static constexpr size_t kRun = 2048;
/// For TextBlock::addShort.
static constexpr char kSpaces[TextBlock::kShort + 1] =
    "                        ";
/// Width of the first column.
static constexpr size_t kNameColumn = 16;
/// Where a statement begins.
static constexpr size_t kStatementColumn = 50;

static void addHexRight(TextBlock &to, uint64_t value) {
  const unsigned length = (67 - unsigned(countl_zero(value | 1))) / 4;
  to.addShort(kSpaces, length < 8 ? 8 - length : 0);
  to.hexDigits(value, length);
}

/// A name of a file, a section or a symbol.
static void addShown(TextBlock &to, StringRef name) {
  if (LLVM_LIKELY(isPlainText(name)))
    to += name;
  else
    to += printable(name);
}

static void addName(TextBlock &to, StringRef before, StringRef name) {
  const size_t begin = to.size();
  to += before;
  addShown(to, name);
  size_t used = to.size() - begin;
  if (used >= kNameColumn - 1) {
    to += '\n';
    used = 0;
  }
  to.addShort(kSpaces, kNameColumn - used);
}

namespace {

/// The global symbols of each section, by address.
class SymbolsOfSections {
public:
  SymbolsOfSections(const Link &link, const SymbolValues &values);
  ArrayRef<SymbolId> of(SectionId id) const { return symbols.of(id.index()); }

private:
  Grouped<SymbolId> symbols;
};

/// What a map tells of. Its pieces share it, and outlive what made them.
struct Told {
  Told(const Link &link, const SymbolValues &values)
      : link(link), values(values), symbols(link, values) {}
  const Link &link;
  const SymbolValues &values;
  const SymbolsOfSections symbols;
};

class MapWriter {
public:
  MapWriter(std::shared_ptr<const Told> all, TextBlock &text)
      : told(std::move(all)), link(told->link),
        digits(link.program.target->is64 ? 16 : 8), text(text) {}
  LongText run();

private:
  void printInclusions();
  void printCommon();
  bool isListed(SectionId id) const;
  void printDiscarded();
  void printList(ArrayRef<SectionId> discarded);
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
  template <class Print> void leaveOut(size_t lines, Print print);
  void printRun(ArrayRef<SectionId> members);
  void prefetchNames(ArrayRef<SectionId> sections, size_t at) const;
  void printMember(SectionId id);
  bool shareLine(SectionId a, SectionId b) const;
  void printCommonRun(ArrayRef<SectionId> symbols);
  void printContribution(SectionId id, Address at, Size size, FileId file,
                         Size inputSize);
  void printSymbols(SectionId id, Address at);
  void fillTo(Address address);
  std::string address(Address place) const { return number(place.wrapped()); }
  /// With as many digits as the machine's addresses have.
  std::string number(uint64_t value) const;
  void pad(size_t lineStart, size_t column) {
    size_t used = text.size() - lineStart;
    text.append(column > used ? column - used : 0, ' ');
  }
  /// A name in the first column, on a line of its own when it is long.
  void name(StringRef before, StringRef name) { addName(text, before, name); }

  const std::shared_ptr<const Told> told;
  const Link &link;
  const unsigned digits;
  TextBlock &text; ///< behind `pieces`
  Address dot;
  std::vector<uint8_t> fill; ///< in force; empty: zeros
  LongText pieces;
};

} // namespace

static std::string hexRight(uint64_t value) {
  std::string number = hex(value);
  return std::string(number.size() < 10 ? 10 - number.size() : 0, ' ') + number;
}

std::string MapWriter::number(uint64_t value) const {
  TextBlock number;
  number.hexDigits(value, digits);
  return number.str().str();
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
  if (none_of(link.program.madeSections,
              [](const ParsedSection &s) { return s.name == kCommonName; }))
    return;
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

/// Ends a piece: what `print` prints with a writer of its own follows, so many
/// lines.
template <class Print> void MapWriter::leaveOut(size_t lines, Print print) {
  pieces += text.str();
  text.clear();
  pieces.add(lines * 160, [told = told, dot = dot, fill = fill,
                           print = std::move(print)](TextBlock &out) {
    MapWriter writer(told, out);
    writer.dot = dot;
    writer.fill = fill;
    print(writer);
  });
}

/// Whether the list of what is not in the output has a section.
bool MapWriter::isListed(SectionId id) const {
  const InputSection &s = link.program.sections[id];
  return s.file != kNone && s.parsed &&
         (link.placement.sections[id].discarded ||
          !link.contents.liveness.lives(id)) &&
         isReportedSection(*s.parsed);
}

void MapWriter::printDiscarded() {
  const Program &program = link.program;
  auto list = std::make_shared<std::vector<SectionId>>();
  for (SectionId id : program.sections.ids(1))
    if (isListed(id))
      list->push_back(id);
  if (list->empty())
    return;
  // COMMON symbols became sections behind those of all files.
  auto isBefore = [&](SectionId a, SectionId b) {
    return program.sections[a].file < program.sections[b].file;
  };
  if (!is_sorted(*list, isBefore))
    llvm::stable_sort(*list, isBefore);
  text += "\nDiscarded input sections\n\n";
  for (size_t begin = 0; begin < list->size(); begin += kRun)
    leaveOut(std::min(kRun, list->size() - begin),
             [list, begin](MapWriter &writer) {
               const auto from = ArrayRef(*list).drop_front(begin);
               writer.printList(from.take_front(kRun));
             });
}

void MapWriter::printList(ArrayRef<SectionId> discarded) {
  for (size_t i = 0; i < discarded.size(); ++i) {
    prefetchNames(discarded, i);
    const InputSection &s = link.program.sections[discarded[i]];
    printContribution(discarded[i], 0, s.parsed->size, s.file, s.parsed->size);
  }
}

void MapWriter::printMemory() {
  text += "\nMemory Configuration\n\n"
          "Name             Origin             Length             Attributes\n";
  auto row = [&](const std::string &name, Address origin, Size length,
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
        text += mark->begins ? "START GROUP\n" : "END GROUP\n";
    if (i == program.readFiles.size())
      break;
    const ReadFile &file = program.readFiles[i];
    seen |= file.kind == ReadFile::Script && !program.builtinScript;
    if (file.kind != ReadFile::Input || seen == beforeScript)
      continue;
    text += "LOAD ";
    addShown(text, file.path);
    text += '\n';
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
    addShown(text, "ASSERT (" + expressionText(*a.condition) + ", " +
                       a.message.str() + ")");
    text += '\n';
    return;
  }
  addShown(text,
           assignmentText(static_cast<const AssignmentCommand &>(command)));
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

SymbolsOfSections::SymbolsOfSections(const Link &link,
                                     const SymbolValues &values) {
  IdVector<SymbolId, SectionId> sections(link.program.symbols.size(), kNone);
  link.program.symbols.forEach(link.program.parallel, [&](SymbolId id) {
    const SectionId section = link.definitionOf(id).section;
    if (section != kNone && link.placed(section))
      sections[id] = link.contents.standIn(section);
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

/// `at`: where the section is. What a symbol says itself is at hand. What
/// appends is made a part of it, so that nothing but itself knows the block.
[[gnu::flatten]] void MapWriter::printSymbols(SectionId id, Address at) {
  LocalBlock local(text);
  TextBlock &out = local.out;
  const bool demangles = link.program.config.demangle;
  for (SymbolId symbol : told->symbols.of(id)) {
    const Symbol &s = link.program.symbols[symbol];
    const std::optional<uint64_t> offset = link.offsetIn(id, s);
    out.addShort(kSpaces, 16);
    out.hexDigits(
        offset ? at.wrapped() + *offset : told->values.globals[symbol], digits);
    out.addShort(kSpaces, 16);
    if (demangles && isMangled(s.name))
      addShown(out, demangled(s.name));
    else
      addShown(out, s.name);
    out += '\n';
  }
}

[[gnu::flatten]] void MapWriter::printContribution(SectionId id, Address at,
                                                   Size size, FileId file,
                                                   Size inputSize) {
  LocalBlock local(text);
  TextBlock &out = local.out;
  addName(out, " ", link.program.sections[id].parsed->name);
  out.hexDigits(at.wrapped(), digits);
  out += ' ';
  addHexRight(out, size);
  out += ' ';
  if (file == kNone)
    out += link.program.fileName(file);
  else
    addShown(out, link.program.files[file].object->path);
  out += '\n';
  if (size == inputSize)
    return;
  out.append(kNameColumn + 3 + digits, ' ');
  addHexRight(out, inputSize);
  out += " (size before relaxing)\n";
}

void MapWriter::printMember(SectionId id) {
  const InputSection &s = link.program.sections[id];
  const Address at = link.addressOf(id);
  const Size size = link.sizeOf(id);
  fillTo(at);
  // Slots of the GOT that nothing needs were never asked for.
  const bool whole = id == link.program.gotSection;
  printContribution(id, at, size, s.file, whole ? size : Size(s.parsed->size));
  printSymbols(id, at);
  dot = std::max(dot, at + size);
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
    printSymbols(id, link.addressOf(id));
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
      text += ' ';
      addShown(text, patternText(
                         static_cast<const InputDescription &>(*item.command)));
      if (link.program.config.mapScriptLines)
        addShown(text, "  " + lineText(item.command->where));
      text += "\n";
      break;
    case CommandKind::Data: {
      auto &data = static_cast<const DataCommand &>(*item.command);
      const Address at = out.address + place.offset;
      uint64_t size = data.value ? data.size : data.bytes.size();
      fillTo(at);
      text += std::string(kNameColumn, ' ') + address(at) + " " +
              hexRight(size) + " ";
      addShown(text, dataText(data, place.value));
      text += '\n';
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
  ArrayRef<SectionId> members =
      ArrayRef(out.members).slice(item.begin, item.end - item.begin);
  while (members.size() > kRun) {
    size_t end = kRun;
    while (end < members.size() &&
           isCommon(link.program.sections[members[end]]))
      ++end;
    const ArrayRef<SectionId> run = members.take_front(end);
    leaveOut(end, [run](MapWriter &writer) { writer.printRun(run); });
    // Those of a statement stand one behind the other.
    const auto isPlaced = [&](SectionId id) { return link.placed(id); };
    if (auto last = find_if(reverse(run), isPlaced); last != run.rend())
      dot = std::max(dot, link.addressOf(*last) + link.sizeOf(*last));
    members = members.drop_front(end);
  }
  printRun(members);
}

/// Names lie all over the input files: fetching one takes longer than printing
/// a line. So does what says where the name is.
void MapWriter::prefetchNames(ArrayRef<SectionId> sections, size_t at) const {
  constexpr size_t kNames = 8, kTables = 16;
  const Program &program = link.program;
  if (at + kTables < sections.size()) {
    const SectionId id = sections[at + kTables];
    program.prefetchParsed(id);
    for (SymbolId symbol : told->symbols.of(id).take_front(1))
      __builtin_prefetch(&program.symbols[symbol].name);
  }
  if (at + kNames < sections.size()) {
    const SectionId id = sections[at + kNames];
    program.prefetchName(id);
    for (SymbolId symbol : told->symbols.of(id).take_front(1))
      __builtin_prefetch(program.symbols[symbol].name.data());
  }
}

void MapWriter::printRun(ArrayRef<SectionId> members) {
  for (size_t i = 0; i < members.size();) {
    prefetchNames(members, i);
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
    addShown(text, out.name);
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
  text += '\n';
  addShown(text, command.name);
  text += '\n';
  for (const CommandPtr &child : command.commands)
    if (child->kind == CommandKind::InputDescription)
      text += " " +
              printable(
                  patternText(static_cast<const InputDescription &>(*child))) +
              "\n";
}

bool MapWriter::isOrphan(const LayoutCommand &command) const {
  return command.output != kNone &&
         !link.placement.outputs[command.output].command;
}

void MapWriter::printOutputFile() {
  printInputs(false);
  text += "OUTPUT(" + printable(link.program.output.path) + " elf" +
          (link.program.target->is64 ? "64-" : "32-") +
          link.program.target->name + ")\n";
}

void MapWriter::printStatements() {
  text += "\nLinker script and memory map\n\n";
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

LongText MapWriter::run() {
  printInclusions();
  printCommon();
  printDiscarded();
  printMemory();
  printStatements();
  pieces += text.str();
  return std::move(pieces);
}

LongText mapText(const Link &link, const SymbolValues &values) {
  TextBlock text;
  return MapWriter(std::make_shared<Told>(link, values), text).run();
}

} // namespace xlink
