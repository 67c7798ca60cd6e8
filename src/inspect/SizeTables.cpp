//===- SizeTables.cpp -----------------------------------------------------===//
#include "inspect/SizeTables.h"
#include "base/Demangle.h"
#include "base/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xlink {
namespace {

/// How many rows a table for people has; the rest is summed up.
constexpr size_t kMostRows = 20;
constexpr unsigned kWidth = 12; ///< of a column

std::string withSign(int64_t value) {
  return (value > 0 ? "+" : "") + std::to_string(value);
}
std::string sizeText(std::optional<uint64_t> size) {
  return size ? std::to_string(*size) : "-";
}

/// How much a size changed in percent, ", +12.5 %"; "" of nothing.
std::string percentText(const SizeChange &change) {
  if (!change.before.value_or(0) || !change.change())
    return "";
  std::string text;
  raw_string_ostream(text) << format(
      ", %+.1f %%", 100.0 * double(change.change()) / double(*change.before));
  return text;
}

/// What is left of a region, which may be less than nothing.
std::string freeText(const SizeChange &region) {
  return region.lengthAfter
             ? std::to_string(difference(*region.after, *region.lengthAfter))
             : "-";
}
/// ", length 1024 -> 2048"
std::string lengthText(const SizeChange &region) {
  if (region.lengthBefore == region.lengthAfter || !region.lengthBefore ||
      !region.lengthAfter)
    return "";
  return ", length " + std::to_string(*region.lengthBefore) + " -> " +
         std::to_string(*region.lengthAfter);
}

/// What a row of an object that is no file is called.
std::string kindText(StringRef kind) {
  return StringSwitch<std::string>(kind)
      .Case("padding", "(padding)")
      .Case("reserved", "(room set aside)")
      .Case("data", "(data of the script)")
      .Case("linker", "(made by the linker)")
      .Default("(no file)");
}

std::string shownName(StringRef name, bool demangle) {
  return printable(demangle ? demangled(name) : name.str());
}

/// "+0x20"
std::string distanceText(const MapComparison::Move &move) {
  return (move.back ? "-" : "+") + hex(move.distance);
}
/// "first to last", of one its name.
std::string rangeText(const MapComparison::Move &move, bool demangle) {
  const std::string first = shownName(move.first->name, demangle);
  return move.symbols == 1
             ? first
             : first + " to " + shownName(move.last->name, demangle);
}

/// "2 grew by 54 bytes, 1 appeared with 24; 3 only moved"
std::string countsText(const MapComparison &comparison) {
  struct {
    const char *what;
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
  std::string text;
  for (const auto &count : counts)
    if (count.symbols)
      text += (text.empty() ? "" : ", ") + std::to_string(count.symbols) +
              count.what + std::to_string(count.bytes) + " bytes";
  if (!comparison.moved.empty())
    text += (text.empty() ? "" : ", ") +
            std::to_string(comparison.moved.size()) + " only moved";
  return text;
}

/// Rows of a table, the first of them in full.
template <class T, class Row, class Change>
void forRows(const std::vector<T> &rows, Change change, Row row,
             function_ref<void(int64_t, size_t)> others,
             size_t most = kMostRows) {
  // One row more is no longer than the line that would stand for it.
  const size_t shownRows = rows.size() > most + 1 ? most : rows.size();
  for (size_t i = 0; i < shownRows; ++i)
    row(rows[i]);
  int64_t sum = 0;
  for (size_t i = shownRows; i < rows.size(); ++i)
    sum = saturatingSum(sum, change(rows[i]));
  if (shownRows != rows.size())
    others(sum, rows.size() - shownRows);
}

/// A name as code in a cell of Markdown, whatever characters it has.
std::string cell(StringRef name) {
  // A fence of more backquotes than stand in a row in the name ends nowhere in
  // it.
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

/// What is at the end of a row: a name, and of a symbol the file that has it.
std::string rowName(const SizeChange &row, bool demangle,
                    std::string (*quoted)(StringRef)) {
  return (row.kind ? kindText(row.kind)
                   : quoted(shownName(row.name, demangle))) +
         (row.file.empty() ? "" : " in " + quoted(printable(row.file)));
}

/// Writes the tables of a comparison, as text or as Markdown.
class Tables {
public:
  Tables(const MapComparison &comparison, const ComparisonNames &names,
         bool markdown)
      : comparison(comparison), names(names), markdown(markdown) {}
  std::string run();

private:
  /// `free`: what the column of that name has; null: the table has none.
  void row(StringRef change, StringRef before, StringRef after,
           const Twine &name, const std::string *free = nullptr);
  void row(const SizeChange &change, const Twine &name,
           const std::string *free = nullptr) {
    row(withSign(change.change()), sizeText(change.before),
        sizeText(change.after), name, free);
  }
  void header(const char *name, bool free = false);
  void others(int64_t sum, size_t count);
  std::string quoted(StringRef name) const {
    return markdown ? cell(name) : name.str();
  }
  void heading();
  void totals();
  void regions();
  void sizes(const char *title, const std::vector<SizeChange> &list);
  void moves();

  const MapComparison &comparison;
  const ComparisonNames &names;
  const bool markdown;
  std::string text;
  raw_string_ostream out{text};
};

void Tables::row(StringRef change, StringRef before, StringRef after,
                 const Twine &name, const std::string *free) {
  if (markdown) {
    out << "| " << name << " | " << before << " | " << after << " | " << change
        << " |";
    if (free)
      out << ' ' << *free << " |";
  } else {
    // A space in front at least: numbers may be as long as they like.
    for (StringRef cell : {change, before, after})
      out << right_justify((" " + cell).str(), kWidth);
    if (free)
      out << right_justify(" " + *free, kWidth);
    out << "  " << name;
  }
  out << '\n';
}

void Tables::header(const char *name, bool free) {
  static const std::string title = "Free";
  out << '\n';
  row("Change", "Old", "New", name, free ? &title : nullptr);
  if (markdown)
    out << "|---|---:|---:|---:|" << (free ? "---:|" : "") << '\n';
}

void Tables::others(int64_t sum, size_t count) {
  if (markdown)
    out << "| " << count << " others | | | " << withSign(sum) << " |\n";
  else
    row(withSign(sum), "", "", "in " + Twine(count) + " others");
}

void Tables::totals() {
  header("Memory");
  row(comparison.code, "code");
  row(comparison.data, "data with initial values");
  row(comparison.zero, "data without");
  row(comparison.total, "all" + percentText(comparison.total));
}

void Tables::regions() {
  if (comparison.regions.empty())
    return;
  header(markdown ? "Region" : "Memory region", /*free=*/true);
  for (const SizeChange &region : comparison.regions) {
    const std::string free = freeText(region);
    row(region, quoted(printable(region.name)) + lengthText(region), &free);
  }
}

void Tables::sizes(const char *title, const std::vector<SizeChange> &list) {
  if (list.empty())
    return;
  header(title);
  forRows(
      list, [](const SizeChange &c) { return c.change(); },
      [&](const SizeChange &c) {
        row(c, rowName(
                   c, &list == &comparison.symbols && names.demangle,
                   markdown ? cell : [](StringRef s) { return s.str(); }));
      },
      [&](int64_t sum, size_t count) { others(sum, count); });
}

void Tables::moves() {
  if (comparison.moved.empty())
    return;
  out << (markdown ? "\n| Moved by | Symbols | Output section | First and last "
                     "|\n|---:|---:|---|---|\n"
                   : "\n");
  forRows(
      comparison.moves(),
      [](const MapComparison::Move &move) { return int64_t(move.symbols); },
      [&](const MapComparison::Move &move) {
        const std::string section =
            quoted(printable(comparison.after.outputs[move.output].name));
        const std::string range = quoted(rangeText(move, names.demangle));
        if (markdown)
          out << "| " << distanceText(move) << " | " << move.symbols << " | "
              << section << " | " << range << " |\n";
        else
          out << "moved by " << distanceText(move) << ": "
              << countOf(move.symbols, "symbol", "symbols") << " in " << section
              << ", " << range << '\n';
      },
      [&](int64_t sum, size_t count) {
        if (markdown)
          out << "| " << count << " others | " << sum << " | | |\n";
        else
          out << "moved by "
              << countOf(count, "other distance", "other distances") << ": "
              << countOf(uint64_t(sum), "symbol", "symbols") << '\n';
      });
}

/// The line in front of all tables.
void Tables::heading() {
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
    out << "**Size: no difference** (" << sizeText(total.after) << " bytes)\n";
  } else {
    const std::string counts = countsText(comparison);
    out << "**Size: " << withSign(total.change()) << " bytes** ("
        << sizeText(total.before) << " -> " << sizeText(total.after)
        << percentText(total) << ")"
        << (counts.empty() ? "" : "; functions and variables: ") << counts
        << '\n';
  }
}

std::string Tables::run() {
  heading();
  if (comparison.equal())
    return text;
  if (!markdown)
    totals();
  regions();
  const bool details = !comparison.outputs.empty() ||
                       !comparison.objects.empty() ||
                       !comparison.symbols.empty() || !comparison.moved.empty();
  if (!details)
    return text;
  if (markdown)
    out << "\n<details><summary>Sections, objects, functions and variables"
           "</summary>\n";
  sizes("Output section", comparison.outputs);
  sizes("Archive", comparison.archives);
  sizes("Object", comparison.objects);
  sizes("Function or variable", comparison.symbols);
  if (std::string counts = countsText(comparison); !markdown && !counts.empty())
    out << "\nFunctions and variables: " << counts << '\n';
  moves();
  if (markdown)
    out << "\n</details>\n";
  return text;
}

} // namespace

std::string comparisonText(const MapComparison &comparison,
                           const ComparisonNames &names) {
  return Tables(comparison, names, /*markdown=*/false).run();
}

std::string comparisonMarkdown(const MapComparison &comparison,
                               const ComparisonNames &names) {
  return Tables(comparison, names, /*markdown=*/true).run();
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
    {"symbols", "Function or variable", &MapComparison::symbols}};

} // namespace

std::string sizesText(const MapComparison &sizes, const ComparisonNames &names,
                      size_t rows) {
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
    const std::vector<SizeChange> &list = sizes.*table.rows;
    if (list.empty())
      continue;
    const bool regions = table.rows == &MapComparison::regions;
    const bool symbols = table.rows == &MapComparison::symbols;
    out << "\n       Bytes" << (regions ? "      Used  " : "     Share  ")
        << table.title << '\n';
    forRows(
        list, [](const SizeChange &c) { return c.change(); },
        [&](const SizeChange &c) {
          line(*c.after, regions ? *c.lengthAfter : total,
               rowName(c, symbols && names.demangle,
                       [](StringRef s) { return s.str(); }));
        },
        [&](int64_t sum, size_t count) {
          line(uint64_t(sum), total, "in " + Twine(count) + " others");
        },
        regions ? list.size() : rows);
  }
  return text;
}

std::string sizesJson(const MapComparison &sizes,
                      const ComparisonNames &names) {
  std::string text;
  raw_string_ostream out(text);
  json::OStream json(out, 2);
  json.object([&] {
    json.attribute("format", "xlink sizes");
    json.attribute("version", 1);
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
  out << '\n';
  return text;
}

} // namespace xlink
