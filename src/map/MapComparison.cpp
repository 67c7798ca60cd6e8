//===- MapComparison.cpp --------------------------------------------------===//
//
// Problem: a program has grown by 600 bytes. Which memory, which library, which
// function is it?
//
// Method: the same bytes are counted by regions, output sections, archives and
// objects. Bytes without a file (padding, room that is set aside for heaps and
// stacks, parts that the linker makes, data of the script) have rows among the
// objects, so the changes of objects sum to that of the program.
// Functions and variables have the sizes that their symbols state; these need
// not cover all bytes, and each of several names for the same bytes counts.
// Pairs.cpp pairs the items of the two maps.
//
// Cost: linear in both maps, except for sorting the rows.
//
//===----------------------------------------------------------------------===//
#include "map/MapComparison.h"
#include "map/LinkMapJson.h"
#include "map/Pairs.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"
#include <array>

using namespace llvm;

namespace xlink {

int64_t difference(uint64_t before, uint64_t after) {
  const uint64_t most = INT64_MAX;
  return after >= before ? int64_t(std::min(after - before, most))
                         : -int64_t(std::min(before - after, most));
}

int64_t saturatingSum(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!AddOverflow(a, b, sum))
    return sum;
  return a > 0 ? INT64_MAX : -INT64_MAX;
}

namespace {

/// The bytes in memory, counted in several ways.
struct Sums {
  explicit Sums(const LinkMap &map) : files(map.files.size()) {
    for (const MapOutput &out : map.outputs) {
      if (!(out.flags & ELF::SHF_ALLOC))
        continue;
      uint64_t &sum = out.type == ELF::SHT_NOBITS      ? zero
                      : out.flags & ELF::SHF_EXECINSTR ? code
                                                       : data;
      sum = SaturatingAdd(sum, out.size);
      total = SaturatingAdd(total, out.size);
      // Bytes of no part are padding too.
      uint64_t rest = out.size;
      for (uint32_t i = 0; i < out.parts; ++i) {
        const MapPart &part = map.parts[out.firstPart + i];
        rest -= std::min(rest, part.size);
        uint64_t &of =
            part.file != kNoIndex ? files[part.file]
            : part.kind == MapPart::Padding && map.reservationOf(part)
                ? without.back()
                : without[part.kind];
        of = SaturatingAdd(of, part.size);
      }
      without[MapPart::Padding] =
          SaturatingAdd(without[MapPart::Padding], rest);
    }
    StringMap<size_t> known;
    for (size_t i = 0; i < map.files.size(); ++i) {
      if (map.files[i].member.empty())
        continue;
      auto [it, isNew] = known.try_emplace(map.files[i].path, archives.size());
      if (isNew) {
        archives.push_back(map.files[i].path.str());
        archiveSizes.push_back(0);
      }
      uint64_t &of = archiveSizes[it->second];
      of = SaturatingAdd(of, files[i]);
    }
  }

  uint64_t code = 0, data = 0, zero = 0, total = 0;
  std::vector<uint64_t> files; ///< by index
  /// Bytes without a file, by MapPart::Kind, and last the reservations.
  std::array<uint64_t, 6> without = {};
  std::vector<std::string> archives;  ///< in order
  std::vector<uint64_t> archiveSizes; ///< of each
};

/// Adds a row if it differs.
void add(std::vector<SizeChange> &list, SizeChange change) {
  if (change.before != change.after)
    list.push_back(std::move(change));
}

/// Adds rows of items that differ; `partner` has the new one of each old one.
/// An item without bytes counts as absent.
void addPairs(std::vector<SizeChange> &list, ArrayRef<uint32_t> partner,
              ArrayRef<std::string> names, ArrayRef<uint64_t> sizes,
              ArrayRef<std::string> newNames, ArrayRef<uint64_t> newSizes) {
  auto size = [](uint64_t bytes) {
    return bytes ? std::optional(bytes) : std::nullopt;
  };
  auto kind = [](StringRef name) { return name.empty() ? "none" : nullptr; };
  std::vector<bool> matched(newNames.size());
  for (size_t i = 0; i < partner.size(); ++i) {
    const uint32_t other = partner[i];
    const bool both = other != kNoIndex;
    const std::string &name = both ? newNames[other] : names[i];
    add(list, {name, size(sizes[i]),
               both ? size(newSizes[other]) : std::nullopt, kind(name), other});
    if (both)
      matched[other] = true;
  }
  for (uint32_t i = 0; i < newNames.size(); ++i)
    if (!matched[i])
      add(list,
          {newNames[i], std::nullopt, size(newSizes[i]), kind(newNames[i]), i});
}

/// Pairs of the same name, the first with the first and so on: calls
/// `fn(row, old, new)`, with null for an item that one map lacks.
template <class T>
void forSameNames(const std::vector<T> &before, const std::vector<T> &after,
                  function_ref<void(SizeChange, const T *, const T *)> fn) {
  Pairs pairs(before.size(), after.size());
  pairs.round([&](uint32_t i) { return PairKey{before[i].name}; },
              [&](uint32_t i) { return PairKey{after[i].name}; });
  for (uint32_t i = 0; i < after.size(); ++i)
    fn({after[i].name.str()},
       pairs.ofB[i] == kNoIndex ? nullptr : &before[pairs.ofB[i]], &after[i]);
  for (uint32_t i = 0; i < before.size(); ++i)
    if (pairs.ofA[i] == kNoIndex)
      fn({before[i].name.str()}, &before[i], nullptr);
}

void compareRegions(MapComparison &result) {
  forSameNames<MapRegion>(
      result.before.regions, result.after.regions,
      [&](SizeChange row, const MapRegion *old, const MapRegion *now) {
        if (old) {
          row.before = old->used;
          row.lengthBefore = old->length;
        }
        if (now) {
          row.after = now->used;
          row.lengthAfter = now->length;
        }
        result.regions.push_back(std::move(row));
      });
}

void compareOutputs(MapComparison &result) {
  auto size = [](const MapOutput *out) {
    return out && (out->flags & ELF::SHF_ALLOC) ? std::optional(out->size)
                                                : std::nullopt;
  };
  forSameNames<MapOutput>(
      result.before.outputs, result.after.outputs,
      [&](SizeChange row, const MapOutput *old, const MapOutput *now) {
        row.before = size(old);
        row.after = size(now);
        add(result.outputs, std::move(row));
      });
}

/// Compares archives and objects; the result is which file is which.
std::vector<uint32_t> compareFiles(MapComparison &result, const Sums &old,
                                   const Sums &now) {
  static constexpr const char *kinds[] = {"none", "none",    "linker",
                                          "data", "padding", "reserved"};
  addPairs(result.archives, matchPaths(old.archives, now.archives),
           old.archives, old.archiveSizes, now.archives, now.archiveSizes);
  const std::vector<std::string> names = fileNames(result.before),
                                 newNames = fileNames(result.after);
  std::vector<uint32_t> partner = matchPaths(names, newNames);
  addPairs(result.objects, partner, names, old.files, newNames, now.files);
  for (size_t kind = 0; kind < old.without.size(); ++kind)
    add(result.objects,
        {"", old.without[kind], now.without[kind], kinds[kind]});
  return partner;
}

void compareSymbols(MapComparison &result, ArrayRef<uint32_t> files) {
  auto file = [](const LinkMap &map, const SymbolInMap &of) {
    return map.fileName(map.parts[of.part].file);
  };
  for (auto [old, now] : matchSymbols(result.before, result.after, files)) {
    const MapSymbol *was = old ? &result.before.symbols[old.symbol] : nullptr;
    const MapSymbol *is = now ? &result.after.symbols[now.symbol] : nullptr;
    const bool resized = (was ? was->size : 0) != (is ? is->size : 0);
    // A label has no size: a new one is no change.
    if (!resized && (!was || !is || !is->size || was->address == is->address))
      continue;
    SizeChange row;
    row.name = (is ? is : was)->name.str();
    row.file = is ? file(result.after, now) : file(result.before, old);
    if (was)
      row.before = was->size;
    if (is)
      row.after = is->size;
    row.number = now.symbol;
    if (was && is) {
      if (was->name != is->name)
        row.oldName = was->name.str();
      if (std::string before = file(result.before, old); before != row.file)
        row.oldFile = std::move(before);
      row.addressBefore = was->address;
      row.addressAfter = is->address;
      row.output = result.after.parts[now.part].output;
    }
    (resized ? result.symbols : result.moved).push_back(std::move(row));
  }
}

/// Bytes without a symbol, by file and input section, in order.
struct Unnamed {
  uint32_t file; ///< kNoIndex: made by the linker
  StringRef name;
  uint64_t bytes;
};
std::vector<Unnamed> unnamedIn(const LinkMap &map) {
  std::vector<Unnamed> list;
  DenseMap<std::pair<uint32_t, StringRef>, size_t> known;
  for (const MapPart &part : map.parts) {
    if (part.kind == MapPart::Padding || part.kind == MapPart::Data ||
        !(map.outputs[part.output].flags & ELF::SHF_ALLOC))
      continue;
    const uint64_t bytes = map.namelessBytes(part);
    if (!bytes)
      continue;
    const auto [it, isNew] =
        known.try_emplace({part.file, part.name}, list.size());
    if (isNew)
      list.push_back({part.file, part.name, 0});
    list[it->second].bytes = SaturatingAdd(list[it->second].bytes, bytes);
  }
  return list;
}

void compareUnnamed(MapComparison &result, ArrayRef<uint32_t> files) {
  const std::vector<Unnamed> before = unnamedIn(result.before),
                             after = unnamedIn(result.after);
  Pairs pairs(before.size(), after.size());
  pairs.round(
      [&](uint32_t i) {
        const uint32_t old = before[i].file,
                       file = old == kNoIndex ? kNoIndex : files[old];
        return old != kNoIndex && file == kNoIndex
                   ? std::nullopt
                   : std::optional(PairKey{before[i].name, {}, {}, file});
      },
      [&](uint32_t i) {
        return PairKey{after[i].name, {}, {}, after[i].file};
      });
  auto row = [&](const LinkMap &map, const Unnamed &of) {
    SizeChange row{of.name.str()};
    row.file = map.fileName(of.file);
    return row;
  };
  for (uint32_t i = 0; i < before.size(); ++i) {
    SizeChange change = row(result.before, before[i]);
    change.before = before[i].bytes;
    if (pairs.ofA[i] != kNoIndex)
      change.after = after[pairs.ofA[i]].bytes;
    add(result.unnamed, std::move(change));
  }
  for (uint32_t i = 0; i < after.size(); ++i)
    if (pairs.ofB[i] == kNoIndex) {
      SizeChange change = row(result.after, after[i]);
      change.after = after[i].bytes;
      add(result.unnamed, std::move(change));
    }
}

/// The largest change first, of the same ones by name.
void sortRows(std::vector<SizeChange> &list) {
  stable_sort(list, [](const SizeChange &a, const SizeChange &b) {
    const int64_t x = std::abs(a.change()), y = std::abs(b.change());
    return x != y ? x > y : a.name < b.name;
  });
}

} // namespace

bool MapComparison::equal() const {
  return outputs.empty() && objects.empty() && archives.empty() &&
         symbols.empty() && moved.empty() &&
         none_of(regions, [](const SizeChange &r) { return r.differs(); });
}

MapComparison compareMaps(const LinkMap &before, const LinkMap &after) {
  const Sums old(before), now(after);
  MapComparison result{before, after};
  result.code = {"code", old.code, now.code};
  result.data = {"data", old.data, now.data};
  result.zero = {"zero", old.zero, now.zero};
  result.total = {"total", old.total, now.total};
  compareRegions(result);
  compareOutputs(result);
  const std::vector<uint32_t> files = compareFiles(result, old, now);
  compareSymbols(result, files);
  compareUnnamed(result, files);
  for (std::vector<SizeChange> *list :
       {&result.outputs, &result.archives, &result.objects, &result.symbols,
        &result.unnamed})
    sortRows(*list);
  return result;
}

MapComparison sizesOf(const LinkMap &map) {
  static const LinkMap empty;
  MapComparison sizes = compareMaps(empty, map);
  erase_if(sizes.outputs, [](const SizeChange &out) { return !*out.after; });
  for (const MapDiscarded &from : map.discarded)
    if (from.size) {
      SizeChange &row = sizes.discarded.emplace_back(from.name.str());
      row.file = map.fileName(from.file);
      row.after = from.size;
    }
  sortRows(sizes.discarded);
  return sizes;
}

//===----------------------------------------------------------------------===//
// As JSON
//===----------------------------------------------------------------------===//

namespace {

/// Writes the comparison as it goes: a tree of values takes 4 KB for each row,
/// and a hundred thousand symbols may have moved. `names` null: for the page.
void writeComparison(json::OStream &json, const MapComparison &comparison,
                     const ComparisonNames *names) {
  // The names of a map are UTF-8 when it was read, but not when it was made.
  auto text = [&](StringRef member, StringRef text) {
    if (!text.empty())
      json.attribute(member, json::fixUTF8(text));
  };
  auto side = [&](StringRef member, StringRef file, const LinkMap &map) {
    json.attributeObject(member, [&] {
      if (names)
        json.attribute("file", json::fixUTF8(file));
      json.attribute("output", json::fixUTF8(map.output));
      json.attribute("machine", json::fixUTF8(map.machine));
    });
  };
  auto change = [&](const SizeChange &row) {
    json.attribute("old", row.before);
    json.attribute("new", row.after);
    json.attribute("change", row.change());
  };
  auto rows = [&](StringRef member, const std::vector<SizeChange> &list) {
    json.attributeArray(member, [&] {
      for (const SizeChange &row : list)
        json.object([&] {
          if (row.kind)
            json.attribute("kind", row.kind);
          else
            json.attribute("name", json::fixUTF8(row.name));
          text("file", row.file);
          text("oldName", row.oldName);
          text("oldFile", row.oldFile);
          if (!names && row.number != kNoIndex && &list != &comparison.archives)
            json.attribute("number", row.number);
          if (&list == &comparison.moved) {
            json.attribute("size", *row.after);
            json.attribute("oldAddress", hex(row.addressBefore));
            json.attribute("newAddress", hex(row.addressAfter));
            return;
          }
          change(row);
          if (&list == &comparison.regions) {
            json.attribute("oldLength", row.lengthBefore);
            json.attribute("newLength", row.lengthAfter);
          }
        });
    });
  };
  side("old", names ? names->before : "", comparison.before);
  side("new", names ? names->after : "", comparison.after);
  json.attribute("equal", comparison.equal());
  json.attributeObject("memory", [&] {
    for (const SizeChange *sum : {&comparison.code, &comparison.data,
                                  &comparison.zero, &comparison.total})
      json.attributeObject(sum->name, [&] { change(*sum); });
  });
  rows("regions", comparison.regions);
  rows("outputs", comparison.outputs);
  rows("archives", comparison.archives);
  rows("objects", comparison.objects);
  rows("symbols", comparison.symbols);
  if (names) {
    rows("unnamed", comparison.unnamed);
    rows("moved", comparison.moved);
  }
}

} // namespace

std::string comparisonJson(const MapComparison &comparison,
                           const ComparisonNames &names) {
  return jsonAnswer("xlink map comparison", [&](json::OStream &json) {
    writeComparison(json, comparison, &names);
  });
}

std::string comparisonOfPage(const MapComparison &comparison) {
  return jsonAnswer(
      "xlink map comparison",
      [&](json::OStream &json) { writeComparison(json, comparison, nullptr); },
      /*indent=*/0);
}

} // namespace xlink
