//===- SizeTables.cpp - sizes of one map, and changes between two ---------===//
#include "map/LinkMapJson.h"
#include "map/MapComparison.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace xlink {
namespace {

constexpr unsigned kWidth = 12; ///< of a column

std::string withSign(int64_t value) {
  return (value > 0 ? "+" : "") + std::to_string(value);
}
std::string sizeText(std::optional<uint64_t> size) {
  return size ? std::to_string(*size) : "-";
}

/// The change in percent, ", +12.5 %"; "" if nothing changed.
std::string percentText(const SizeChange &change) {
  if (!change.before.value_or(0) || !change.change())
    return "";
  std::string text;
  raw_string_ostream(text) << format(
      ", %+.1f %%", 100.0 * double(change.change()) / double(*change.before));
  return text;
}

std::string shownName(StringRef name, bool demangle) {
  return printable(demangle ? demangled(name) : name.str());
}

/// The number of rows that a table shows in full: a single further row is no
/// longer than the line of the others.
size_t shownRows(size_t rows, size_t most) {
  return rows > most && rows - most > 1 ? most : rows;
}
int64_t sumOf(ArrayRef<SizeChange> rows) {
  int64_t sum = 0;
  for (const SizeChange &row : rows)
    sum = saturatingSum(sum, row.change());
  return sum;
}

/// "2 grew by 54 bytes, 1 appeared with 24; 3 only moved"
std::string countsText(const MapComparison &comparison) {
  struct {
    const char *change;
    uint64_t symbols = 0, bytes = 0;
  } counts[] = {
      {" grew by "}, {" shrank by "}, {" appeared with "}, {" vanished with "}};
  for (const SizeChange &symbol : comparison.symbols) {
    auto &count = counts[!symbol.before        ? 2
                         : !symbol.after       ? 3
                         : symbol.change() < 0 ? 1
                                               : 0];
    ++count.symbols;
    count.bytes =
        SaturatingAdd(count.bytes, uint64_t(std::abs(symbol.change())));
  }
  std::vector<std::string> parts;
  for (const auto &count : counts)
    if (count.symbols)
      parts.push_back(std::to_string(count.symbols) + count.change +
                      std::to_string(count.bytes) + " bytes");
  if (!comparison.moved.empty())
    parts.push_back(std::to_string(comparison.moved.size()) + " only moved");
  return join(parts, ", ");
}

/// A name as code in a cell of Markdown, for any characters.
std::string cell(StringRef name) {
  // The fence has more backquotes than any run of them in the name.
  size_t most = 0, run = 0;
  for (char c : name)
    most = std::max(most, run = c == '`' ? run + 1 : 0);
  const std::string fence(most + 1, '`');
  std::string text;
  for (char c : name)
    text += c == '|' ? "\\|" : std::string(1, c);
  const char *space = most ? " " : "";
  return fence + space + text + space + fence;
}

/// The end of a row: a name, and the file of a symbol.
std::string rowName(const SizeChange &row, bool demangle, bool markdown) {
  auto quoted = [&](const std::string &name) {
    return markdown ? cell(name) : name;
  };
  const std::string name = row.kind
                               ? StringSwitch<std::string>(row.kind)
                                     .Case("padding", "(padding)")
                                     .Case("reserved", "(room set aside)")
                                     .Case("data", "(data of the script)")
                                     .Case("linker", "(made by the linker)")
                                     .Default("(no file)")
                               : quoted(shownName(row.name, demangle));
  return row.file.empty() ? name : name + " in " + quoted(printable(row.file));
}

//===----------------------------------------------------------------------===//
// Changes between two maps
//===----------------------------------------------------------------------===//

/// Writes the tables of a comparison, as text or as Markdown.
class ComparisonWriter {
public:
  ComparisonWriter(const MapComparison &comparison,
                   const ComparisonNames &names, bool markdown, size_t rows)
      : comparison(comparison), names(names), markdown(markdown), rows(rows) {}

  std::string run() {
    heading();
    if (comparison.equal())
      return text;
    header("Memory");
    row(comparison.code, "code");
    row(comparison.data, "data with initial values");
    row(comparison.zero, "data without");
    row(comparison.total, "all" + percentText(comparison.total));
    table("Memory region", comparison.regions);
    table("Output section", comparison.outputs);
    table("Archive", comparison.archives);
    table("Object", comparison.objects);
    table("Function or variable", comparison.symbols, names.demangle);
    table("Bytes without a symbol", comparison.unnamed);
    if (std::string counts = countsText(comparison); !counts.empty())
      out << "\nFunctions and variables: " << counts << '\n';
    moves();
    return text;
  }

  /// For a pull request: moves and archives are in the other tables.
  std::string runMarkdown() {
    heading();
    if (comparison.equal())
      return text;
    table("Region", comparison.regions);
    if (comparison.outputs.empty() && comparison.objects.empty() &&
        comparison.symbols.empty())
      return text;
    out << "\n<details><summary>Sections, objects, functions and variables"
           "</summary>\n";
    table("Output section", comparison.outputs);
    table("Object", comparison.objects);
    std::vector<SizeChange> resized, added, gone;
    for (const SizeChange &symbol : comparison.symbols)
      (!symbol.before  ? added
       : !symbol.after ? gone
                       : resized)
          .push_back(symbol);
    table("Grew or shrank", resized, names.demangle);
    table("New", added, names.demangle);
    table("Gone", gone, names.demangle);
    out << "\n</details>\n";
    return text;
  }

private:
  /// `free`: the column of that name; "": the table has none.
  void row(StringRef change, StringRef before, StringRef after,
           const Twine &name, StringRef free = "") {
    if (markdown) {
      out << "| " << name << " | " << before << " | " << after << " | "
          << change << " |";
      if (!free.empty())
        out << ' ' << free << " |";
    } else {
      // A space in front at least: numbers may be wider than the column.
      for (StringRef cell : {change, before, after})
        out << right_justify((" " + cell).str(), kWidth);
      if (!free.empty())
        out << right_justify((" " + free).str(), kWidth);
      out << "  " << name;
    }
    out << '\n';
  }

  void row(const SizeChange &change, const Twine &name, StringRef free = "") {
    row(withSign(change.change()), sizeText(change.before),
        sizeText(change.after), name, free);
  }

  void header(const char *name, StringRef free = "") {
    out << '\n';
    row("Change", "Old", "New", name, free);
    if (markdown)
      out << "|---|---:|---:|---:|" << (free.empty() ? "" : "---:|") << '\n';
  }

  /// The rows of a list. Those of regions have their free bytes.
  void table(const char *title, const std::vector<SizeChange> &list,
             bool demangle = false) {
    if (list.empty())
      return;
    const bool regions = &list == &comparison.regions;
    header(title, regions ? "Free" : "");
    const size_t shown =
        regions && !markdown ? list.size() : shownRows(list.size(), rows);
    for (const SizeChange &change : ArrayRef(list).take_front(shown)) {
      const auto old = change.lengthBefore, now = change.lengthAfter;
      std::string name = rowName(change, demangle, markdown);
      if (old && now && *old != *now)
        name += ", length " + sizeText(old) + " -> " + sizeText(now);
      // An overflowing region has less than nothing left.
      row(change, name,
          !regions ? ""
          : now    ? std::to_string(difference(*change.after, *now))
                   : "-");
    }
    if (shown == list.size())
      return;
    const std::string sum = withSign(sumOf(ArrayRef(list).drop_front(shown)));
    const std::string others = std::to_string(list.size() - shown) + " others";
    if (markdown)
      out << "| " << others << " | | | " << sum << " |"
          << (regions ? " |\n" : "\n");
    else
      row(sum, "", "", "in " + others);
  }

  /// Symbols of one output section that moved by one distance are one line:
  /// those of most symbols first; of as many, in the order of `moved`.
  void moves() {
    using Symbols = std::vector<const SizeChange *>;
    MapVector<std::pair<uint64_t, uint32_t>, Symbols> groups;
    for (const SizeChange &symbol : comparison.moved)
      groups[{symbol.addressAfter - symbol.addressBefore, symbol.output}]
          .push_back(&symbol);
    if (groups.empty())
      return;
    std::vector<Symbols> list;
    for (auto &[key, symbols] : groups)
      list.push_back(std::move(symbols));
    stable_sort(list, [](const Symbols &a, const Symbols &b) {
      return a.size() > b.size();
    });
    out << '\n';
    const size_t shown = shownRows(list.size(), rows);
    for (const Symbols &symbols : ArrayRef(list).take_front(shown)) {
      const SizeChange &first = *symbols.front();
      const uint64_t from = first.addressBefore, to = first.addressAfter;
      const std::string distance =
          to < from ? "-" + hex(from - to) : "+" + hex(to - from);
      const std::string section =
          printable(comparison.after.outputs[first.output].name);
      std::string range = shownName(first.name, names.demangle);
      if (symbols.size() > 1)
        range += " to " + shownName(symbols.back()->name, names.demangle);
      out << "moved by " << distance << ": "
          << countOf(symbols.size(), "symbol", "symbols") << " in " << section
          << ", " << range << '\n';
    }
    size_t sum = 0;
    for (const Symbols &symbols : ArrayRef(list).drop_front(shown))
      sum += symbols.size();
    const size_t others = list.size() - shown;
    if (others)
      out << "moved by " << countOf(others, "other distance", "other distances")
          << ": " << countOf(sum, "symbol", "symbols") << '\n';
  }

  /// The line in front of all tables.
  void heading() {
    const SizeChange &total = comparison.total;
    auto map = [](const std::string &file, const LinkMap &m) {
      return printable(file) + " (" + printable(m.output) + ", " +
             printable(m.machine) + ")";
    };
    if (!markdown) {
      out << "Sizes in bytes, from " << map(names.before, comparison.before)
          << " to " << map(names.after, comparison.after) << '\n';
      if (comparison.equal())
        out << "no difference\n";
    } else if (comparison.equal()) {
      out << "**Size: no difference** (" << sizeText(total.after)
          << " bytes)\n";
    } else {
      const std::string counts = countsText(comparison);
      out << "**Size: " << withSign(total.change()) << " bytes** ("
          << sizeText(total.before) << " -> " << sizeText(total.after)
          << percentText(total) << ")"
          << (counts.empty() ? "" : "; functions and variables: ") << counts
          << '\n';
    }
  }

  const MapComparison &comparison;
  const ComparisonNames &names;
  const bool markdown;
  const size_t rows; ///< of a table
  std::string text;
  raw_string_ostream out{text};
};

} // namespace

std::string comparisonText(const MapComparison &comparison,
                           const ComparisonNames &names, bool markdown) {
  if (!markdown)
    return ComparisonWriter(comparison, names, false, names.rows).run();
  // As many rows as keep the whole short.
  constexpr size_t kMostLines = 60;
  for (size_t rows = std::min(names.rows, kMostLines);; --rows) {
    std::string text =
        ComparisonWriter(comparison, names, true, rows).runMarkdown();
    if (rows == 0 || size_t(count(text, '\n')) <= kMostLines)
      return text;
  }
}

//===----------------------------------------------------------------------===//
// One map
//===----------------------------------------------------------------------===//

namespace {

/// The tables of one map.
struct SizeTable {
  const char *member, *title;
  std::vector<SizeChange> MapComparison::*rows;
};
constexpr SizeTable kSizeTables[] = {
    {"regions", "Memory region", &MapComparison::regions},
    {"sections", "Section", &MapComparison::outputs},
    {"archives", "Archive", &MapComparison::archives},
    {"files", "File", &MapComparison::objects},
    {"symbols", "Function or variable", &MapComparison::symbols},
    {"unnamed", "Bytes without a symbol", &MapComparison::unnamed},
    {"discarded", "Discarded section", &MapComparison::discarded}};

} // namespace

std::string sizesText(const MapComparison &sizes,
                      const ComparisonNames &names) {
  std::string text;
  raw_string_ostream out(text);
  auto line = [&](uint64_t bytes, uint64_t of, const Twine &name) {
    out << right_justify(" " + std::to_string(bytes), kWidth)
        << format("%9.2f%%  ", of ? 100.0 * double(bytes) / double(of) : 0.0)
        << name << '\n';
  };
  const uint64_t total = *sizes.total.after;
  out << printable(names.after) << " (" << printable(sizes.after.machine)
      << "): " << countOf(total, "byte", "bytes") << " of memory, code "
      << *sizes.code.after << ", data with initial values " << *sizes.data.after
      << ", without " << *sizes.zero.after << '\n';
  for (const SizeTable &table : kSizeTables) {
    const ArrayRef<SizeChange> list = sizes.*table.rows;
    if (list.empty())
      continue;
    const bool regions = table.rows == &MapComparison::regions;
    const bool symbols = table.rows == &MapComparison::symbols;
    const bool discarded = table.rows == &MapComparison::discarded;
    const uint64_t whole = discarded ? uint64_t(sumOf(list)) : total;
    out << "\n       Bytes" << (regions ? "      Used  " : "     Share  ")
        << table.title << '\n';
    const size_t shown =
        regions ? list.size() : shownRows(list.size(), names.rows);
    for (const SizeChange &row : list.take_front(shown))
      line(*row.after, regions ? *row.lengthAfter : whole,
           rowName(row, symbols && names.demangle, /*markdown=*/false));
    if (shown != list.size())
      line(uint64_t(sumOf(list.drop_front(shown))), whole,
           "in " + Twine(list.size() - shown) + " others");
  }
  return text;
}

std::string sizesJson(const MapComparison &sizes,
                      const ComparisonNames &names) {
  return jsonAnswer("xlink sizes", [&](json::OStream &json) {
    json.attribute("file", json::fixUTF8(names.after));
    json.attribute("machine", json::fixUTF8(sizes.after.machine));
    for (const SizeChange *sum :
         {&sizes.code, &sizes.data, &sizes.zero, &sizes.total})
      json.attribute(sum->name, *sum->after);
    for (const SizeTable &table : kSizeTables)
      json.attributeArray(table.member, [&] {
        for (const SizeChange &row : sizes.*table.rows)
          json.object([&] {
            json.attribute(row.kind ? "kind" : "name",
                           row.kind ? row.kind : json::fixUTF8(row.name));
            if (!row.file.empty())
              json.attribute("file", json::fixUTF8(row.file));
            json.attribute("bytes", *row.after);
            if (row.lengthAfter)
              json.attribute("length", *row.lengthAfter);
          });
      });
  });
}

} // namespace xlink
