//===- MapComparisonText.cpp - a comparison for people and programs -------===//
#include "base/Demangle.h"
#include "map/MapComparison.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xlink {
namespace {

/// How many rows a table for people has; the rest is summed up.
constexpr size_t kMostRows = 20;

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
std::string freeText(const RegionChange &region) {
  if (!region.lengthAfter)
    return "-";
  return std::to_string(difference(*region.used.after, *region.lengthAfter));
}
/// ", length 1024 -> 2048"
std::string lengthText(const RegionChange &region) {
  if (region.lengthBefore == region.lengthAfter || !region.lengthBefore ||
      !region.lengthAfter)
    return "";
  return ", length " + std::to_string(*region.lengthBefore) + " -> " +
         std::to_string(*region.lengthAfter);
}

/// What a row of an object is called.
std::string objectName(const SizeChange &object) {
  switch (object.kind) {
  case MapPart::Padding:
    return object.setAside ? "(room set aside)" : "(padding)";
  case MapPart::Data:
    return "(data of the script)";
  case MapPart::Linker:
    return "(made by the linker)";
  default:
    return object.name.empty() ? "(no file)" : printable(object.name);
  }
}

/// Name and file of a symbol in one map.
struct Named {
  StringRef name;
  std::string file;
};
Named named(const LinkMap &map, SymbolInMap symbol) {
  return {map.symbols[symbol.symbol].name,
          map.fileName(map.parts[symbol.part].file)};
}
Named named(const MapComparison &c, const SymbolChange &symbol) {
  return symbol.after ? named(c.after, symbol.after)
                      : named(c.before, symbol.before);
}
std::string shown(StringRef name, bool demangle) {
  return printable(demangle ? demangled(name) : name.str());
}

/// "+0x20"
std::string distanceText(const MapComparison::Move &move) {
  return (move.back ? "-" : "+") + hex(move.distance);
}
/// "first to last", of one its name.
std::string rangeText(const MapComparison &c, const MapComparison::Move &move,
                      bool demangle) {
  const std::string first = shown(named(c, move.first).name, demangle);
  if (move.symbols == 1)
    return first;
  return first + " to " + shown(named(c, move.last).name, demangle);
}

/// How many symbols did what, and by how many bytes.
struct SymbolCounts {
  explicit SymbolCounts(const MapComparison &comparison);
  struct Count {
    size_t symbols = 0;
    uint64_t bytes = 0;
  } grew, shrank, appeared, vanished;
};

SymbolCounts::SymbolCounts(const MapComparison &comparison) {
  for (const SymbolChange &symbol : comparison.symbols) {
    const int64_t change = comparison.sizesOf(symbol).change();
    Count &count = !symbol.before  ? appeared
                   : !symbol.after ? vanished
                   : change > 0    ? grew
                                   : shrank;
    ++count.symbols;
    count.bytes = SaturatingAdd(count.bytes, uint64_t(std::abs(change)));
  }
}

/// "2 grew by 54 bytes, 1 appeared with 24; 3 only moved"
std::string countsText(const MapComparison &comparison) {
  const SymbolCounts counts(comparison);
  std::string text;
  auto add = [&](const SymbolCounts::Count &count, const char *what) {
    if (count.symbols)
      text += (text.empty() ? "" : ", ") + std::to_string(count.symbols) +
              what + std::to_string(count.bytes) + " bytes";
  };
  add(counts.grew, " grew by ");
  add(counts.shrank, " shrank by ");
  add(counts.appeared, " appeared with ");
  add(counts.vanished, " vanished with ");
  if (!comparison.moved.empty())
    text += (text.empty() ? "" : ", ") +
            std::to_string(comparison.moved.size()) + " only moved";
  return text;
}

/// Rows of a table, the first of them in full.
template <class T, class Row, class Change>
void forRows(const std::vector<T> &rows, Change change, Row row,
             function_ref<void(int64_t, size_t)> others) {
  // One row more is no longer than the line that would stand for it.
  const size_t shownRows =
      rows.size() > kMostRows + 1 ? kMostRows : rows.size();
  for (size_t i = 0; i < shownRows; ++i)
    row(rows[i]);
  int64_t sum = 0;
  for (size_t i = shownRows; i < rows.size(); ++i)
    sum = saturatingSum(sum, change(rows[i]));
  if (shownRows != rows.size())
    others(sum, rows.size() - shownRows);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

class TextTables {
public:
  TextTables(const MapComparison &comparison, const ComparisonNames &names)
      : comparison(comparison), names(names) {}
  std::string run();

private:
  void row(StringRef change, StringRef before, StringRef after,
           const Twine &name) {
    out << column(change) << column(before) << column(after) << "  " << name
        << '\n';
  }
  void row(const SizeChange &change, const Twine &name) {
    row(withSign(change.change()), sizeText(change.before),
        sizeText(change.after), name);
  }
  void header(const Twine &name) {
    out << '\n';
    row("Change", "Old", "New", name);
  }
  void others(int64_t sum, size_t count) {
    row(withSign(sum), "", "", "in " + Twine(count) + " others");
  }
  void totals();
  void regions();
  void sizes(const char *title, const std::vector<SizeChange> &list);
  void symbols();
  void moves();

  static std::string column(StringRef text, size_t width = kWidth) {
    // A space at least: numbers may be as long as they like.
    return std::string(width - std::min(width - 1, text.size()), ' ') +
           text.str();
  }

  static constexpr size_t kWidth = 12;
  const MapComparison &comparison;
  const ComparisonNames &names;
  std::string text;
  raw_string_ostream out{text};
};

void TextTables::totals() {
  header("Memory");
  row(comparison.code, "code");
  row(comparison.data, "data with initial values");
  row(comparison.zero, "data without");
  row(comparison.total, "all" + percentText(comparison.total));
}

void TextTables::regions() {
  if (comparison.regions.empty())
    return;
  header(column("Free", kWidth - 2) + "  Memory region");
  for (const RegionChange &region : comparison.regions)
    row(region.used, column(freeText(region), kWidth - 2) + "  " +
                         printable(region.used.name) + lengthText(region));
}

void TextTables::sizes(const char *title, const std::vector<SizeChange> &list) {
  if (list.empty())
    return;
  header(title);
  forRows(
      list, [](const SizeChange &c) { return c.change(); },
      [&](const SizeChange &c) { row(c, objectName(c)); },
      [&](int64_t sum, size_t count) { others(sum, count); });
}

void TextTables::symbols() {
  if (!comparison.symbols.empty())
    header("Function or variable");
  forRows(
      comparison.symbols,
      [&](const SymbolChange &c) { return comparison.sizesOf(c).change(); },
      [&](const SymbolChange &c) {
        const Named n = named(comparison, c);
        row(comparison.sizesOf(c),
            shown(n.name, names.demangle) +
                (n.file.empty() ? "" : " in " + printable(n.file)));
      },
      [&](int64_t sum, size_t count) { others(sum, count); });
  if (std::string counts = countsText(comparison); !counts.empty())
    out << "\nFunctions and variables: " << counts << '\n';
}

void TextTables::moves() {
  if (comparison.moved.empty())
    return;
  out << '\n';
  forRows(
      comparison.moves(),
      [](const MapComparison::Move &move) { return int64_t(move.symbols); },
      [&](const MapComparison::Move &move) {
        out << "moved by " << distanceText(move) << ": "
            << countOf(move.symbols, "symbol", "symbols") << " in "
            << printable(comparison.after.outputs[move.output].name) << ", "
            << rangeText(comparison, move, names.demangle) << '\n';
      },
      [&](int64_t sum, size_t count) {
        out << "moved by "
            << countOf(count, "other distance", "other distances") << ": "
            << countOf(uint64_t(sum), "symbol", "symbols") << '\n';
      });
}

std::string TextTables::run() {
  auto map = [](const std::string &file, const LinkMap &m) {
    return printable(file) + " (" + printable(m.output) + ", " +
           printable(m.machine) + ")";
  };
  out << "Sizes in bytes, from " << map(names.before, comparison.before)
      << " to " << map(names.after, comparison.after) << '\n';
  if (comparison.equal()) {
    out << "no difference\n";
    return text;
  }
  totals();
  regions();
  sizes("Output section", comparison.outputs);
  sizes("Archive", comparison.archives);
  sizes("Object", comparison.objects);
  symbols();
  moves();
  return text;
}

//===----------------------------------------------------------------------===//
// Markdown
//===----------------------------------------------------------------------===//

/// A name as code in a cell of a table, whatever characters it has.
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

class MarkdownTables {
public:
  MarkdownTables(const MapComparison &comparison, const ComparisonNames &names)
      : comparison(comparison), names(names) {}
  std::string run();

private:
  void header(const Twine &name, const char *more = "") {
    out << "\n| " << name << " | Old | New | Change |" << more
        << "\n|---|---:|---:|---:|" << (*more ? "---:|" : "") << '\n';
  }
  void row(const Twine &name, const SizeChange &change) {
    out << "| " << name << " | " << sizeText(change.before) << " | "
        << sizeText(change.after) << " | " << withSign(change.change()) << " |";
  }
  void others(int64_t sum, size_t count) {
    out << "| " << count << " others | | | " << withSign(sum) << " |\n";
  }
  void regions();
  void sizes(const char *title, const std::vector<SizeChange> &list);
  void symbols();
  void moves();

  const MapComparison &comparison;
  const ComparisonNames &names;
  std::string text;
  raw_string_ostream out{text};
};

void MarkdownTables::regions() {
  if (comparison.regions.empty())
    return;
  header("Region", " Free |");
  for (const RegionChange &region : comparison.regions) {
    row(cell(printable(region.used.name)) + lengthText(region), region.used);
    out << ' ' << freeText(region) << " |\n";
  }
}

void MarkdownTables::sizes(const char *title,
                           const std::vector<SizeChange> &list) {
  if (list.empty())
    return;
  header(title);
  forRows(
      list, [](const SizeChange &c) { return c.change(); },
      [&](const SizeChange &c) {
        const std::string name = objectName(c);
        row(c.name.empty() ? name : cell(name), c);
        out << '\n';
      },
      [&](int64_t sum, size_t count) { others(sum, count); });
}

void MarkdownTables::symbols() {
  if (comparison.symbols.empty())
    return;
  header("Function or variable");
  forRows(
      comparison.symbols,
      [&](const SymbolChange &c) { return comparison.sizesOf(c).change(); },
      [&](const SymbolChange &c) {
        const Named n = named(comparison, c);
        row(cell(shown(n.name, names.demangle)) +
                (n.file.empty() ? "" : " in " + cell(printable(n.file))),
            comparison.sizesOf(c));
        out << '\n';
      },
      [&](int64_t sum, size_t count) { others(sum, count); });
}

void MarkdownTables::moves() {
  if (comparison.moved.empty())
    return;
  out << "\n| Moved by | Symbols | Output section | First and last |\n"
         "|---:|---:|---|---|\n";
  forRows(
      comparison.moves(),
      [](const MapComparison::Move &move) { return int64_t(move.symbols); },
      [&](const MapComparison::Move &move) {
        out << "| " << distanceText(move) << " | " << move.symbols << " | "
            << cell(printable(comparison.after.outputs[move.output].name))
            << " | " << cell(rangeText(comparison, move, names.demangle))
            << " |\n";
      },
      [&](int64_t sum, size_t count) {
        out << "| " << count << " others | " << sum << " | | |\n";
      });
}

std::string MarkdownTables::run() {
  const SizeChange &total = comparison.total;
  if (comparison.equal())
    return "**Size: no difference** (" + sizeText(total.after) + " bytes)\n";
  out << "**Size: " << withSign(total.change()) << " bytes** ("
      << sizeText(total.before) << " -> " << sizeText(total.after)
      << percentText(total) << ")";
  if (std::string counts = countsText(comparison); !counts.empty())
    out << "; functions and variables: " << counts;
  out << '\n';
  regions();
  const bool details = !comparison.outputs.empty() ||
                       !comparison.objects.empty() ||
                       !comparison.symbols.empty() || !comparison.moved.empty();
  if (!details)
    return text;
  out << "\n<details><summary>Sections, objects, functions and variables"
         "</summary>\n";
  sizes("Output section", comparison.outputs);
  sizes("Archive", comparison.archives);
  sizes("Object", comparison.objects);
  symbols();
  moves();
  out << "\n</details>\n";
  return text;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// Writes the comparison as it goes: a tree of values takes 4 KB for each row,
/// and there may be a hundred thousand that only moved.
class JsonTables {
public:
  /// `names` null: for the page of --html-report.
  JsonTables(const MapComparison &comparison, const ComparisonNames *names)
      : comparison(comparison), names(names), json(out, names ? 2 : 0) {}
  std::string run();

private:
  void size(StringRef name, std::optional<uint64_t> size) {
    json.attribute(name, size ? json::Value(*size) : json::Value(nullptr));
  }
  /// The names of a map are UTF-8 when it was read, but not when it was made.
  void name(StringRef member, StringRef name) {
    json.attribute(member, json::fixUTF8(name));
  }
  void change(const SizeChange &change) {
    size("old", change.before);
    size("new", change.after);
    json.attribute("change", change.change());
  }
  /// A number of something in the new map, which only the page wants.
  void number(uint32_t index) {
    if (!names && index != LinkMap::kNoIndex)
      json.attribute("number", index);
  }
  void map(StringRef member, const std::string *file, const LinkMap &map);
  void memory(StringRef member, const SizeChange &sum) {
    json.attributeObject(member, [&] { change(sum); });
  }
  void regions();
  void sizes(StringRef member, const std::vector<SizeChange> &list);
  /// Name and file, and those in the old map where they were others.
  void symbolNames(const SymbolChange &symbol);
  void symbols();
  void moved();

  const MapComparison &comparison;
  const ComparisonNames *names;
  std::string text;
  raw_string_ostream out{text};
  json::OStream json;
};

void JsonTables::map(StringRef member, const std::string *file,
                     const LinkMap &map) {
  json.attributeObject(member, [&] {
    if (file)
      name("file", *file);
    name("output", map.output);
    name("machine", map.machine);
  });
}

void JsonTables::regions() {
  json.attributeArray("regions", [&] {
    for (const RegionChange &region : comparison.regions)
      json.object([&] {
        name("name", region.used.name);
        change(region.used);
        size("oldLength", region.lengthBefore);
        size("newLength", region.lengthAfter);
      });
  });
}

void JsonTables::sizes(StringRef member, const std::vector<SizeChange> &list) {
  static constexpr const char *kinds[] = {"none", "none", "linker", "data",
                                          "padding"};
  json.attributeArray(member, [&] {
    for (const SizeChange &row : list)
      json.object([&] {
        if (row.kind != MapPart::Input || row.name.empty())
          json.attribute("kind", row.setAside ? "reserved" : kinds[row.kind]);
        else
          name("name", row.name);
        if (&list == &comparison.objects)
          number(row.file);
        change(row);
      });
  });
}

void JsonTables::symbolNames(const SymbolChange &symbol) {
  const Named now = named(comparison, symbol);
  name("name", now.name);
  if (!now.file.empty())
    name("file", now.file);
  if (!symbol.before || !symbol.after)
    return;
  const Named old = named(comparison.before, symbol.before);
  if (old.name != now.name)
    name("oldName", old.name);
  if (old.file != now.file)
    name("oldFile", old.file);
}

void JsonTables::symbols() {
  json.attributeArray("symbols", [&] {
    for (const SymbolChange &symbol : comparison.symbols)
      json.object([&] {
        symbolNames(symbol);
        number(symbol.after.symbol);
        change(comparison.sizesOf(symbol));
      });
  });
}

void JsonTables::moved() {
  json.attributeArray("moved", [&] {
    for (const SymbolChange &symbol : comparison.moved) {
      const MapSymbol &old = comparison.before.symbols[symbol.before.symbol];
      const MapSymbol &now = comparison.after.symbols[symbol.after.symbol];
      json.object([&] {
        symbolNames(symbol);
        json.attribute("size", now.size);
        json.attribute("oldAddress", hex(old.address));
        json.attribute("newAddress", hex(now.address));
      });
    }
  });
}

std::string JsonTables::run() {
  json.object([&] {
    json.attribute("format", "xlink map comparison");
    json.attribute("version", 1);
    map("old", names ? &names->before : nullptr, comparison.before);
    map("new", names ? &names->after : nullptr, comparison.after);
    json.attribute("equal", comparison.equal());
    json.attributeObject("memory", [&] {
      memory("code", comparison.code);
      memory("data", comparison.data);
      memory("zero", comparison.zero);
      memory("total", comparison.total);
    });
    regions();
    sizes("outputs", comparison.outputs);
    sizes("archives", comparison.archives);
    sizes("objects", comparison.objects);
    symbols();
    if (names)
      moved();
  });
  out << '\n';
  return text;
}

} // namespace

std::string comparisonText(const MapComparison &comparison,
                           const ComparisonNames &names) {
  return TextTables(comparison, names).run();
}

std::string comparisonMarkdown(const MapComparison &comparison,
                               const ComparisonNames &names) {
  return MarkdownTables(comparison, names).run();
}

std::string comparisonJson(const MapComparison &comparison,
                           const ComparisonNames &names) {
  return JsonTables(comparison, &names).run();
}

std::string comparisonOfPage(const MapComparison &comparison) {
  return JsonTables(comparison, nullptr).run();
}

} // namespace xlink
