//===- MapComparisonJson.cpp - a comparison for programs ------------------===//
#include "map/MapComparison.h"
#include "base/Diagnostics.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xlink {

NamedSymbol namedSymbol(const LinkMap &map, SymbolInMap symbol) {
  return {map.symbols[symbol.symbol].name,
          map.fileName(map.parts[symbol.part].file)};
}
NamedSymbol namedSymbol(const MapComparison &c, const SymbolChange &symbol) {
  return symbol.after ? namedSymbol(c.after, symbol.after)
                      : namedSymbol(c.before, symbol.before);
}

namespace {

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
  const NamedSymbol now = namedSymbol(comparison, symbol);
  name("name", now.name);
  if (!now.file.empty())
    name("file", now.file);
  if (!symbol.before || !symbol.after)
    return;
  const NamedSymbol old = namedSymbol(comparison.before, symbol.before);
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

std::string comparisonJson(const MapComparison &comparison,
                           const ComparisonNames &names) {
  return JsonTables(comparison, &names).run();
}

std::string comparisonOfPage(const MapComparison &comparison) {
  return JsonTables(comparison, nullptr).run();
}

} // namespace xlink
