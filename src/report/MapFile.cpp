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
// place of each pattern behind it, --map-by-address orders sections.
//
// Cost: two visits of each section, one of each global symbol; sorting is
// within a section only.
//
//===----------------------------------------------------------------------===//
#include "base/Grouped.h"
#include "layout/ScriptRun.h"
#include "report/Reports.h"
#include "script/ScriptEvaluator.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <numeric>
#include <tuple>

using namespace llvm;

namespace xlink {

bool isReportedSection(const ParsedSection &section) {
  return !is_contained({ELF::SHT_NULL, ELF::SHT_SYMTAB, ELF::SHT_STRTAB,
                        ELF::SHT_RELA, ELF::SHT_REL, ELF::SHT_SYMTAB_SHNDX},
                       section.type);
}

/// The attributes of a region: "axr".
static std::string letters(uint64_t flags, bool readOnly, bool loaded) {
  std::string word;
  word += flags & ELF::SHF_ALLOC ? "a" : "";
  word += flags & ELF::SHF_EXECINSTR ? "x" : "";
  word += readOnly ? "r" : "";
  word += flags & ELF::SHF_WRITE ? "w" : "";
  word += loaded ? "l" : "";
  return word;
}

/// Whether anything but patterns that matched nothing stands in it.
static bool exists(const OutputView &section) {
  return section.kept || section.info.holdsSections ||
         any_of(section.items, [](const OutputItem &item) {
           return item.command &&
                  (item.command->kind == CommandKind::Assignment ||
                   item.command->kind == CommandKind::Data);
         });
}

namespace {

class MapFileWriter {
public:
  MapFileWriter(raw_ostream &out, const Link &link, const SymbolValues &values)
      : out(out), link(link), program(link.program), values(values),
        digits(link.program.target->is64 ? 16 : 8) {}

  void run() {
    groupSymbols();
    printInclusions();
    printCommon();
    printDiscarded();
    printMemory();
    printStatements();
  }

private:
  /// With as many digits as the machine's addresses have.
  std::string number(Address value) const {
    const uint64_t n = value.wrapped();
    const std::string text =
        utohexstr(digits == 8 ? uint32_t(n) : n, /*LowerCase=*/true);
    return "0x" + std::string(digits - text.size(), '0') + text;
  }

  /// A name in a column, on a line of its own when it is long.
  void column(const std::string &text, size_t width) {
    const bool isLong = text.size() + 1 >= width;
    out << text << (isLong ? "\n" : "");
    out.indent(unsigned(isLong ? width : width - text.size()));
  }

  /// A line: a name, an address, a size, and the rest.
  void row(const std::string &name, Address at, uint64_t bytes,
           const Twine &rest) {
    column(name, kNameColumn);
    out << number(at) << ' ' << right_justify(hex(bytes), 10) << rest << '\n';
  }

  void groupSymbols() {
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

  void printInclusions() {
    if (!program.inclusions.empty())
      out << "Archive member included to satisfy reference by file (symbol)"
             "\n\n";
    for (const Inclusion &i : program.inclusions) {
      column(program.fileName(i.file), 30);
      if (i.by != kNone)
        out << program.fileName(i.by) << ' ';
      out << '(' << program.shownName(program.symbols[i.symbol].name) << ")\n";
    }
  }

  void printCommon() {
    bool any = false;
    for (SymbolId id : program.symbols.ids()) {
      const BoundSymbol s = link.symbol(id);
      if (s.kind != SymbolKind::Defined ||
          !isCommon(program.sections[s.section]))
        continue;
      if (!std::exchange(any, true))
        out << "\nAllocating common symbols\n"
               "Common symbol       size              file\n\n";
      column(program.shownName(s.name), 20);
      out << left_justify(hex(program.sections[s.section].parsed->size), 18)
          << program.fileName(s.file) << '\n';
    }
  }

  void printDiscarded() {
    std::vector<SectionId> list;
    for (SectionId id : program.sections.ids(1)) {
      const InputSection &s = program.sections[id];
      if (s.file != kNone && s.parsed && isReportedSection(*s.parsed) &&
          (link.placement.sections[id].discarded ||
           !link.contributions.liveness.lives(id)))
        list.push_back(id);
    }
    // COMMON symbols became sections behind those of all files.
    llvm::stable_sort(list, [&](SectionId a, SectionId b) {
      return program.sections[a].file < program.sections[b].file;
    });
    if (!list.empty())
      out << "\nDiscarded input sections\n\n";
    for (SectionId id : list) {
      const Size size = program.sections[id].parsed->size;
      printContribution(id, 0, size, size);
    }
  }

  void printMemory() {
    out << "\nMemory Configuration\n\n"
           "Name             Origin             Length             "
           "Attributes\n";
    auto line = [&](const std::string &name, Address origin, Size length,
                    const std::string &attributes) {
      out << left_justify(name, 17) << (name.size() < 17 ? "" : " ")
          << left_justify(number(origin), 19)
          << left_justify(number(uint64_t(length)), attributes.empty() ? 0 : 19)
          << attributes << '\n';
    };
    for (RegionId id : link.addresses.regions.ids()) {
      const RegionPlace &r = link.addresses.regions[id];
      const MemoryCommand &m = program.script.memory[id.index()];
      const std::string refused =
          letters(m.negFlags, m.excludeReadOnly, m.excludeLoaded);
      line(printable(m.name), r.origin, r.length,
           letters(m.flags, m.wantReadOnly, m.wantLoaded) +
               (refused.empty() ? "" : "!" + refused));
    }
    line("*default*", 0, ~uint64_t(0), "");
  }

  /// LOAD lines, and between them where groups begin and end. Files named
  /// behind -T stand behind the script's statements.
  void printInputs(bool beforeScript) {
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

  /// The indices of the statements in the order of the map. With
  /// --map-by-address those between sections follow the one in front of them.
  std::vector<size_t> order() const {
    const std::vector<LayoutCommand> &layout = link.placement.layout;
    std::vector<size_t> list(layout.size());
    std::iota(list.begin(), list.end(), size_t(0));
    if (!program.config.mapByAddress)
      return list;
    std::vector<std::pair<bool, Address>> keys(layout.size());
    for (size_t i = 0; i < layout.size(); ++i) {
      if (i != 0)
        keys[i] = keys[i - 1];
      if (layout[i].output == kNone)
        continue;
      const OutputView section = link.output(layout[i].output);
      if (section.kept)
        keys[i] = {!section.isAlloc(), section.address};
    }
    llvm::stable_sort(list,
                      [&](size_t a, size_t b) { return keys[a] < keys[b]; });
    return list;
  }

  void printStatements() {
    out << "\nLinker script and memory map\n\n";
    printInputs(true);
    // The output's own line stands behind the script's statements, and orphans
    // that follow all of these behind it.
    const std::vector<LayoutCommand> &layout = link.placement.layout;
    const std::vector<size_t> order = this->order();
    auto isOrphan = [&](const LayoutCommand &command) {
      return command.output != kNone &&
             !link.placement.outputs[command.output].command;
    };
    size_t end = layout.size();
    while (end && isOrphan(layout[order[end - 1]]))
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
      const LayoutCommand &statement = layout[order[i]];
      const StatementValue &result = link.addresses.statements[order[i]];
      if (statement.output != kNone)
        printOutput(link.output(statement.output));
      else
        printStatement(*statement.command, result.value, result.skipped);
    }
  }

  void printStatement(const ScriptCommand &command, uint64_t value,
                      bool skipped) {
    std::string text;
    if (command.kind == CommandKind::Assert) {
      auto &a = static_cast<const AssertCommand &>(command);
      text = "ASSERT (" + expressionText(*a.condition) + ", " +
             a.message.str() + ")";
    } else {
      text = assignmentText(static_cast<const AssignmentCommand &>(command));
    }
    out.indent(kNameColumn)
        << left_justify(skipped ? "[!provide]" : number(value),
                        kStatementColumn - kNameColumn)
        << printable(text) << '\n';
  }

  void printOutput(const OutputView &section) {
    const bool discards = section.command && section.command->isDiscard();
    if (!section.command && !exists(section))
      return; // an orphan of which nothing is left
    out << '\n';
    if (discards || !exists(section)) {
      out << printable(section.name) << '\n';
    } else {
      row(printable(section.name), section.address, section.size,
          section.isAlloc() && section.address != section.loadAddress
              ? " load address " + number(section.loadAddress)
              : "");
      dot = section.address;
    }
    if (discards) {
      // It has no section of its own, only patterns.
      for (const CommandPtr &child : section.command->commands)
        if (child->kind == CommandKind::InputDescription)
          printPattern(static_cast<const InputDescription &>(*child), false);
      return;
    }
    fill = section.fill;
    if (fill.empty() && (section.flags & ELF::SHF_EXECINSTR))
      fill.assign(program.state.codeFill.begin(), program.state.codeFill.end());
    for (uint32_t i = 0; i < section.items.size(); ++i)
      printItem(section, i);
    if (section.kept)
      fillTo(section.address + section.size);
  }

  void printItem(const OutputView &section, uint32_t index) {
    const OutputItem &item = section.items[index];
    const ItemPlace &place = link.item(section.section, index);
    const ScriptCommand *command = item.command;
    const std::optional<CommandKind> kind =
        command ? std::optional(command->kind) : std::nullopt;
    if (kind == CommandKind::Assignment || kind == CommandKind::Assert) {
      printStatement(*command, place.value, place.skipped);
      if (kind == CommandKind::Assignment &&
          static_cast<const AssignmentCommand &>(*command).isDot())
        fillTo(place.value);
    } else if (kind == CommandKind::InputDescription) {
      printPattern(static_cast<const InputDescription &>(*command),
                   program.config.mapScriptLines);
    } else if (kind == CommandKind::Data) {
      auto &data = static_cast<const DataCommand &>(*command);
      const Address at = section.address + place.offset;
      const uint64_t bytes = data.value ? data.size : data.bytes.size();
      fillTo(at);
      row("", at, bytes, " " + printable(dataText(data, place.value)));
      dot = at + bytes;
    } else if (kind == CommandKind::Fill) {
      fill = fillBytes(static_cast<const FillCommand &>(*command).pattern,
                       place.value);
      out << " FILL mask 0x" << toHex(fill, /*LowerCase=*/true) << '\n';
    }
    printMembers(
        ArrayRef(section.members).slice(item.begin, item.end - item.begin));
  }

  void printPattern(const InputDescription &pattern, bool withLine) {
    out << ' ' << printable(patternText(pattern));
    if (withLine)
      out << printable("  " + lineText(pattern.where));
    out << '\n';
  }

  void fillTo(Address to) {
    if (to <= dot)
      return;
    const bool zeros = all_of(fill, [](uint8_t b) { return b == 0; });
    row(" *fill*", dot, to.sizeFrom(dot),
        " " + (zeros ? "" : toHex(fill, /*LowerCase=*/true)));
    dot = to;
  }

  void printMembers(ArrayRef<SectionId> members) {
    for (size_t i = 0; i < members.size();) {
      const size_t begin = i++;
      const SectionId id = members[begin];
      if (!link.placed(id))
        continue;
      // The COMMON symbols of a file that follow each other share a line.
      const InputSection &first = program.sections[id];
      while (i < members.size() && isCommon(first) &&
             isCommon(program.sections[members[i]]) &&
             first.file == program.sections[members[i]].file &&
             link.placed(members[i]) &&
             link.addressOf(id) <= link.addressOf(members[i]))
        ++i;
      const SectionId last = members[i - 1];
      const Address at = link.addressOf(id);
      const Address end = link.addressOf(last) + link.sizeOf(last);
      const Size bytes = end.sizeFrom(at);
      fillTo(at);
      // Slots of the GOT that nothing needs were never asked for.
      const bool whole = id != last || id == program.gotSection;
      printContribution(id, at, bytes,
                        whole ? bytes : Size(first.parsed->size));
      for (SectionId member : members.slice(begin, i - begin))
        for (SymbolId symbol : symbols.of(member.index())) {
          out.indent(kNameColumn) << number(values.globals[symbol]);
          out.indent(kNameColumn)
              << program.shownName(program.symbols[symbol].name) << '\n';
        }
      dot = std::max(dot, end);
    }
  }

  void printContribution(SectionId id, Address at, Size bytes,
                         Size inputBytes) {
    const InputSection &s = program.sections[id];
    row(" " + printable(s.parsed->name), at, bytes,
        " " + program.fileName(s.file));
    if (bytes != inputBytes)
      out.indent(kNameColumn + 3 + digits)
          << right_justify(hex(inputBytes), 10) << " (size before relaxing)\n";
  }

  /// Width of the first column.
  static constexpr unsigned kNameColumn = 16;
  /// Where a statement begins.
  static constexpr unsigned kStatementColumn = 50;

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

void writeMap(raw_ostream &out, const Link &link, const SymbolValues &values) {
  MapFileWriter(out, link, values).run();
}

//===----------------------------------------------------------------------===//
// Cross references
//===----------------------------------------------------------------------===//

namespace {

/// That a file names a global symbol. A definition in a section that lost its
/// COMDAT group is a reference to the one that won.
struct SymbolReference {
  SymbolId symbol;
  enum Role : uint8_t {
    Defines,
    Common,
    Refers
  } role; ///< as the table has them
  FileId file;
  bool discarded = false; ///< a lost definition
};

} // namespace

/// All of them, file by file.
static std::vector<SymbolReference> referencesOf(const Program &program) {
  std::vector<SymbolReference> references;
  for (FileId f : program.files.ids()) {
    const InputFile &file = program.files[f];
    const std::vector<ParsedSymbol> &symbols = file.object->symbols;
    for (uint32_t i = 1; i < symbols.size(); ++i) {
      const SymbolId id = program.symbolIds[file.symbolBase + i];
      if (id == kNone)
        continue;
      const ParsedSymbol &s = symbols[i];
      const bool discarded =
          s.place == SymbolPlace::Section &&
          program.sections[file.sectionBase + s.section].discarded;
      references.push_back({id,
                            s.place == SymbolPlace::Common
                                ? SymbolReference::Common
                            : s.place == SymbolPlace::Undefined || discarded
                                ? SymbolReference::Refers
                                : SymbolReference::Defines,
                            f, discarded});
    }
  }
  return references;
}

void writeCrossReferences(raw_ostream &out, const Program &program) {
  static constexpr size_t kFileColumn = 50;
  std::vector<SymbolReference> references = referencesOf(program);
  auto name = [&](const SymbolReference &r) {
    return program.symbols[r.symbol].name;
  };
  llvm::sort(references,
             [&](const SymbolReference &a, const SymbolReference &b) {
               return std::tuple(name(a), a.role, b.file) <
                      std::tuple(name(b), b.role, a.file);
             });
  out << "\nCross Reference Table\n\n"
      << left_justify("Symbol", kFileColumn) << "File\n";
  SymbolId last;
  for (const SymbolReference &r : references) {
    const std::string shown =
        r.symbol != last ? program.shownName(name(r)) : "";
    last = r.symbol;
    out << left_justify(shown, kFileColumn)
        << (shown.size() < kFileColumn ? "" : " ") << program.fileName(r.file)
        << "\n";
  }
}

void traceSymbols(const Program &program, Diagnostics &diag) {
  const std::vector<std::string> &names = program.config.traceSymbols;
  if (names.empty())
    return;
  StringSet<> traced;
  traced.insert(names.begin(), names.end());
  for (const SymbolReference &r : referencesOf(program)) {
    const StringRef name = program.symbols[r.symbol].name;
    const char *role = r.role == SymbolReference::Defines ? "definition of "
                       : r.role == SymbolReference::Common
                           ? "common definition of "
                       : r.discarded ? "discarded definition of "
                                     : "reference to ";
    if (traced.contains(name))
      diag.note(program.fileName(r.file) + ": " + role +
                program.shownName(name));
  }
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
  uint64_t count[2] = {}, bytes[2] = {}; // what takes memory, and the rest
  for (SectionId id : link.program.sections.ids(1)) {
    const SectionView s = link.section(id);
    if (!s.parsed || s.discarded || s.live || s.parsed->size == 0)
      continue;
    text += "removing unused section " + link.program.sectionName(id) + "\n";
    const bool describes = !(s.parsed->flags & ELF::SHF_ALLOC);
    ++count[describes];
    bytes[describes] += s.parsed->size;
  }
  const char *const kinds[] = {"\n", " that take no memory\n"};
  for (size_t i : {0, 1})
    if (count[i])
      text += "removed " + countOf(count[i], "section", "sections") + " of " +
              countOf(bytes[i], "byte", "bytes") + kinds[i];
  return text;
}

//===----------------------------------------------------------------------===//
// Statements of the script
//===----------------------------------------------------------------------===//

/// Whether GNU ld computes it while it reads the script. Values of the command
/// line are no literals.
static bool isLiteral(const Expr &e) {
  switch (e.kind) {
  case ExprKind::SegmentStart:
  case ExprKind::DataSegmentAlign:
  case ExprKind::DataSegmentEnd:
  case ExprKind::DataSegmentRelroEnd:
    return false;
  default:
    return e.constant &&
           all_of(e.args, [](const ExprPtr &arg) { return isLiteral(*arg); });
  }
}

std::optional<uint64_t> literalValue(const Expr &e) {
  EvaluationEnvironment none;
  return isLiteral(e) ? std::optional(evaluate(e, none).value) : std::nullopt;
}

std::string expressionText(const Expr &e) {
  if (const std::optional<uint64_t> value = literalValue(e))
    return hex(*value);
  auto arg = [&](size_t i) { return expressionText(*e.args[i]); };
  // GNU ld reads BLOCK as ALIGN.
  const std::string word =
      e.kind == ExprKind::Block ? "ALIGN" : expressionWord(e.kind).str();
  switch (e.kind) {
  case ExprKind::Number:
    return hex(e.number);
  case ExprKind::Symbol:
    return e.name.str();
  case ExprKind::Dot:
    return ".";
  case ExprKind::Conditional:
    return arg(0) + "?" + arg(1) + ":" + arg(2);
  case ExprKind::SizeOfHeaders:
    return word;
  case ExprKind::SegmentStart:
    return word + " (\"" + e.name.str() + "\", " + arg(0) + ")";
  case ExprKind::Assert:
    return word + " (" + arg(0) + ", " + e.name.str() + ")";
  case ExprKind::DataSegmentRelroEnd: // the address comes first
    return word + " (" + arg(1) + ", " + arg(0) + ")";
  case ExprKind::Align2:
  case ExprKind::Min:
  case ExprKind::Max:
  case ExprKind::DataSegmentAlign:
    return word + " (" + arg(0) + ", " + arg(1) + ")";
  default:
    if (e.args.size() == 2)
      return "(" + arg(0) + " " + word + " " + arg(1) + ")";
    // Without an argument: of a section, region, symbol or constant.
    return word + " (" + (e.args.empty() ? e.name.str() : arg(0)) + ")";
  }
}

std::string assignmentText(const AssignmentCommand &a) {
  std::string text = a.name.str() + " = " + expressionText(*a.value);
  return a.provide ? "PROVIDE (" + text + ")" : text;
}

std::string dataText(const DataCommand &data, uint64_t value) {
  if (!data.value)
    return "ASCIZ \"" + StringRef(data.bytes).rtrim('\0').str() + "\"";
  const char *word = data.size == 1   ? "BYTE"
                     : data.size == 2 ? "SHORT"
                     : data.size == 4 ? "LONG"
                     : data.isSigned  ? "SQUAD"
                                      : "QUAD";
  std::string text = std::string(word) + " " + hex(value);
  if (!isLiteral(*data.value))
    text += " " + expressionText(*data.value);
  return text;
}

static std::string excludeText(const std::vector<GlobPattern> &files) {
  std::string text;
  for (const GlobPattern &file : files)
    text += (text.empty() ? "EXCLUDE_FILE(" : " ") + file.text.str();
  return text.empty() ? "" : text + ") ";
}

/// A pattern inside of REVERSE and sorts.
static std::string sortedText(bool reverse, ArrayRef<SortKind> sorts,
                              std::string text) {
  static constexpr const char *words[] = {"", "SORT_NONE(", "SORT_BY_NAME(",
                                          "SORT_BY_ALIGNMENT(",
                                          "SORT_BY_INIT_PRIORITY("};
  for (SortKind sort : llvm::reverse(sorts))
    if (sort != SortKind{})
      text = words[size_t(sort)] + text + ")";
  return reverse ? "REVERSE(" + text + ")" : text;
}

std::string patternText(const InputDescription &d) {
  std::vector<std::string> names;
  for (const SectionPattern &p : d.patterns)
    names.push_back(
        sortedText(p.reverse, {p.outer, p.inner},
                   excludeText(p.excludeFiles) + p.name.text.str()));
  return excludeText(d.excludeFiles) +
         sortedText(d.fileReverse, d.fileSort,
                    d.hasArchive
                        ? d.archive.text.str() + ":" + d.member.text.str()
                        : d.file.text.str()) +
         "(" + join(names, " ") + ")";
}

std::string lineText(const ScriptLocation &where) {
  return where.file.str() + ":" + std::to_string(where.line);
}

} // namespace xlink
