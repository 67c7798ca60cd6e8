//===- SizeBudget.cpp -----------------------------------------------------===//
//
// Problem: memory runs out slowly, a library here and a table there, and the
// link that fails is not the one to blame. A budget refuses the one that is.
//
// Method: a limit is about the sum of all that has its name. Regions and output
// sections have sizes of their own; archives, objects and input sections are
// the parts in memory (SHF_ALLOC) that are theirs; symbols are the bytes that
// they cover, so that several names for one thing count it once. What takes
// most, and what has grown since the baseline, is only looked for where a limit
// is exceeded: symbols, and of input sections and padding the bytes that no
// symbol covers. What was elsewhere before, under no such limit, has grown by
// all that it is.
//
// Cost: for each limit a look at the names of its kind, demangled ones too for
// limits on symbols.
//
//===----------------------------------------------------------------------===//
#include "map/SizeBudget.h"
#include "base/Demangle.h"
#include "base/MappedFile.h"
#include "map/LinkMapJson.h"
#include "map/MapComparison.h"
#include "map/MapMatching.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace xlink {

static constexpr const char *kLimitKinds[] = {"region",  "output", "section",
                                              "archive", "object", "symbol"};

std::string SizeLimit::text() const {
  return std::string(kLimitKinds[kind]) + " " + printable(name);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

class BudgetReader {
public:
  BudgetReader(StringRef file, Diagnostics &diag) : diag(diag) {
    budget.file = file.str();
  }
  void line(StringRef text, unsigned number);
  SizeBudget budget;
  bool good = true;

private:
  void wrong(const Twine &text) {
    diag.error(budget.file + ":" + std::to_string(lineNumber) + ": " +
               text.str());
    good = false;
  }
  bool kind(StringRef word, SizeLimit &limit);
  bool name(StringRef &rest, SizeLimit &limit);
  bool amount(StringRef word, SizeLimit &limit);

  Diagnostics &diag;
  unsigned lineNumber = 0;
};

/// The first word of a line, which loses it.
StringRef takeWord(StringRef &rest) {
  rest = rest.ltrim();
  const StringRef word = rest.take_until([](char c) { return isSpace(c); });
  rest = rest.drop_front(word.size()).ltrim();
  return word;
}

bool BudgetReader::kind(StringRef word, SizeLimit &limit) {
  std::string all;
  for (size_t i = 0; i < std::size(kLimitKinds); ++i) {
    if (word == kLimitKinds[i]) {
      limit.kind = SizeLimit::Kind(i);
      return true;
    }
    all += (i ? ", " : "") + std::string(kLimitKinds[i]);
  }
  wrong("'" + printable(word) + "' is none of " + all);
  return false;
}

/// A word, or anything between two quotes.
bool BudgetReader::name(StringRef &rest, SizeLimit &limit) {
  if (!rest.empty() && (rest[0] == '\'' || rest[0] == '"')) {
    const size_t end = rest.find(rest[0], 1);
    if (end == StringRef::npos) {
      wrong("the quote in front of " + printable(rest.drop_front()) +
            " has no counterpart");
      return false;
    }
    limit.name = rest.slice(1, end);
    rest = rest.drop_front(end + 1);
  } else {
    limit.name = takeWord(rest);
  }
  if (limit.name.empty()) {
    wrong("a name is missing behind '" + Twine(kLimitKinds[limit.kind]) + "'");
    return false;
  }
  limit.name = limit.name.copy(*budget.texts);
  if (limit.kind == SizeLimit::Region)
    return true;
  Expected<GlobPattern> pattern = GlobPattern::create(limit.name);
  if (!pattern) {
    consumeError(pattern.takeError());
    wrong("'" + printable(limit.name) +
          "' is no pattern: a bracket or a backslash has no counterpart");
    return false;
  }
  limit.pattern = std::move(*pattern);
  return true;
}

bool BudgetReader::amount(StringRef word, SizeLimit &limit) {
  limit.amount = word.str();
  StringRef digits = word;
  const bool share = digits.consume_back("%");
  unsigned shift = 0;
  if (digits.consume_back_insensitive("K"))
    shift = 10;
  else if (digits.consume_back_insensitive("M"))
    shift = 20;
  const bool isHex = digits.consume_front_insensitive("0x");
  if (digits.empty() || digits.getAsInteger(isHex ? 16 : 10, limit.bytes) ||
      limit.bytes > UINT64_MAX >> shift || (share && (shift || isHex))) {
    wrong("'" + printable(word) +
          "' is no size: one is written like 512, 0x200, 48K or 1M, a share "
          "of a region like 90%");
    return false;
  }
  limit.bytes <<= shift;
  if (!share)
    return true;
  if (limit.kind != SizeLimit::Region || limit.bytes > 100) {
    wrong(limit.kind == SizeLimit::Region
              ? "'" + word + "' is more than a region has"
              : "'" + word +
                    "' is a share, which only a region's limit can be");
    return false;
  }
  limit.percent = unsigned(limit.bytes);
  return true;
}

void BudgetReader::line(StringRef text, unsigned number) {
  lineNumber = number;
  StringRef rest = text.trim();
  if (rest.empty() || rest[0] == '#')
    return;
  SizeLimit limit;
  limit.line = number;
  if (!kind(takeWord(rest), limit) || !name(rest, limit))
    return;
  const StringRef size = takeWord(rest);
  if (size.empty() || size[0] == '#')
    return wrong("a size is missing behind '" + printable(limit.name) + "'");
  if (!amount(size, limit))
    return;
  if (!rest.empty() && rest[0] != '#')
    return wrong("'" + printable(rest) + "' follows the size");
  budget.limits.push_back(std::move(limit));
}

} // namespace

std::optional<SizeBudget> readSizeBudget(StringRef file, StringRef text,
                                         Diagnostics &diag) {
  BudgetReader reader(file, diag);
  for (unsigned number = 1; !text.empty(); ++number) {
    const auto [line, rest] = text.split('\n');
    reader.line(line, number);
    text = rest;
  }
  if (!reader.good)
    return std::nullopt;
  if (reader.budget.limits.empty())
    diag.warn(WarningGroup::General, file.str() + ": has no limits");
  return std::move(reader.budget);
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

namespace {

/// Names of things, which patterns find. The texts are somebody else's.
using Names = std::vector<std::pair<StringRef, uint32_t>>;

/// What has a name under the limit, in order, each once.
std::vector<uint32_t> thingsUnder(const SizeLimit &limit, const Names &names) {
  std::vector<uint32_t> found;
  for (const auto &[name, thing] : names)
    if (limit.pattern.match(name))
      found.push_back(thing);
  llvm::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// What of a map a limit is about.
class Scope {
public:
  explicit Scope(const LinkMap &map)
      : map(map), symbols(symbolsInMemory(map)) {}

  const LinkMap &map;
  /// All symbols of the map that could be under a limit.
  const std::vector<SymbolInMap> symbols;

  /// Calls fn for each part under a limit; of symbols the parts that they are
  /// in. Whether anything has its name.
  bool forParts(const SizeLimit &limit, function_ref<void(uint32_t)> fn);
  /// Calls fn for each symbol under a limit on symbols.
  bool forSymbols(const SizeLimit &limit,
                  function_ref<void(const SymbolInMap &)> fn);
  LimitUse measure(const SizeLimit &limit);

private:
  bool forOutputs(const SizeLimit &limit, function_ref<void(uint32_t)> fn);
  bool forFiles(const SizeLimit &limit, function_ref<void(uint32_t)> fn);

  const Names &namesOf(SizeLimit::Kind kind);
  void addSymbols(Names &names);
  void addFiles(Names &names, bool archives);
  bool inMemory(const MapPart &part) const {
    return map.outputs[part.output].flags & ELF::SHF_ALLOC;
  }

  BumpPtrAllocator texts;
  std::map<SizeLimit::Kind, Names> names;     ///< of those asked for
  std::vector<std::vector<uint32_t>> partsOf; ///< by file, likewise
};

void Scope::addSymbols(Names &names) {
  for (uint32_t i = 0; i < symbols.size(); ++i) {
    const StringRef name = map.symbols[symbols[i].symbol].name;
    names.emplace_back(name, i);
    if (!name.starts_with("_"))
      continue;
    if (const std::string shown = demangled(name); shown != name)
      names.emplace_back(StringRef(shown).copy(texts), i);
  }
}

/// Files by the names that messages have for them, and by the ends of those
/// behind a '/'.
void Scope::addFiles(Names &names, bool archives) {
  for (uint32_t i = 0; i < map.files.size(); ++i) {
    const MapInput &file = map.files[i];
    if (archives && file.member.empty())
      continue;
    const StringRef name =
        archives ? file.path : StringRef(map.fileName(i)).copy(texts);
    names.emplace_back(name, i);
    for (size_t at = file.path.find('/'); at != StringRef::npos;
         at = file.path.find('/', at + 1))
      names.emplace_back(name.drop_front(at + 1), i);
  }
}

const Names &Scope::namesOf(SizeLimit::Kind kind) {
  auto [it, fresh] = names.try_emplace(kind);
  if (!fresh)
    return it->second;
  if (kind == SizeLimit::Symbol) {
    addSymbols(it->second);
  } else if (kind != SizeLimit::Section) {
    addFiles(it->second, kind == SizeLimit::Archive);
  } else {
    for (uint32_t i = 0; i < map.parts.size(); ++i)
      if (const MapPart &part = map.parts[i];
          !part.name.empty() && inMemory(part))
        it->second.emplace_back(part.name, i);
  }
  return it->second;
}

bool Scope::forOutputs(const SizeLimit &limit,
                       function_ref<void(uint32_t)> fn) {
  bool found = false;
  auto is = [&](uint32_t region) {
    return region < map.regions.size() &&
           map.regions[region].name == limit.name;
  };
  for (const MapRegion &region : map.regions)
    found |= limit.kind == SizeLimit::Region && region.name == limit.name;
  for (const MapOutput &out : map.outputs) {
    if (!(out.flags & ELF::SHF_ALLOC))
      continue;
    const bool loaded = is(out.loadRegion) && out.type != ELF::SHT_NOBITS;
    if (limit.kind == SizeLimit::Region ? !is(out.region) && !loaded
                                        : !limit.pattern.match(out.name))
      continue;
    found = true;
    for (uint32_t i = 0; i < out.parts; ++i)
      fn(out.firstPart + i);
  }
  return found;
}

bool Scope::forFiles(const SizeLimit &limit, function_ref<void(uint32_t)> fn) {
  if (partsOf.empty()) {
    partsOf.resize(map.files.size());
    for (uint32_t i = 0; i < map.parts.size(); ++i)
      if (const MapPart &part = map.parts[i];
          part.file != kNoIndex && inMemory(part))
        partsOf[part.file].push_back(i);
  }
  const std::vector<uint32_t> files = thingsUnder(limit, namesOf(limit.kind));
  for (uint32_t file : files)
    for (uint32_t part : partsOf[file])
      fn(part);
  return !files.empty();
}

bool Scope::forParts(const SizeLimit &limit, function_ref<void(uint32_t)> fn) {
  switch (limit.kind) {
  case SizeLimit::Region:
  case SizeLimit::Output:
    return forOutputs(limit, fn);
  case SizeLimit::Archive:
  case SizeLimit::Object:
    return forFiles(limit, fn);
  case SizeLimit::Symbol:
    return forSymbols(limit, [&](const SymbolInMap &s) { fn(s.part); });
  case SizeLimit::Section:
    break;
  }
  const std::vector<uint32_t> parts = thingsUnder(limit, namesOf(limit.kind));
  for (uint32_t part : parts)
    fn(part);
  return !parts.empty();
}

bool Scope::forSymbols(const SizeLimit &limit,
                       function_ref<void(const SymbolInMap &)> fn) {
  const std::vector<uint32_t> found = thingsUnder(limit, namesOf(limit.kind));
  for (uint32_t i : found)
    fn(symbols[i]);
  return !found.empty();
}

LimitUse Scope::measure(const SizeLimit &limit) {
  LimitUse use;
  use.allowed = limit.percent ? 0 : limit.bytes;
  if (limit.kind == SizeLimit::Symbol) {
    // By address within a part: what several cover counts once.
    uint32_t part = kNoIndex;
    uint64_t end = 0;
    use.found = forSymbols(limit, [&](const SymbolInMap &s) {
      const MapSymbol &symbol = map.symbols[s.symbol];
      if (std::exchange(part, s.part) != s.part)
        end = 0;
      const uint64_t last = SaturatingAdd(symbol.address, symbol.size);
      const uint64_t first = std::max(symbol.address, end);
      if (last > first)
        use.used = SaturatingAdd(use.used, last - first);
      end = std::max(end, last);
    });
    return use;
  }
  use.found = forParts(limit, [&](uint32_t part) {
    use.used = SaturatingAdd(use.used, map.parts[part].size);
  });
  if (limit.kind == SizeLimit::Region)
    for (const MapRegion &region : map.regions)
      if (region.name == limit.name) {
        use.used = region.used;
        if (limit.percent) // no product of the two may overflow
          use.allowed = region.length / 100 * *limit.percent +
                        region.length % 100 * *limit.percent / 100;
      }
  return use;
}

} // namespace

std::vector<LimitUse> useOf(const SizeBudget &budget, const LinkMap &map) {
  Scope scope(map);
  std::vector<LimitUse> result;
  for (const SizeLimit &limit : budget.limits)
    result.push_back(scope.measure(limit));
  return result;
}

//===----------------------------------------------------------------------===//
// Reporting
//===----------------------------------------------------------------------===//

namespace {

constexpr size_t kMostNamed = 5;

/// Bytes of something that has a name.
struct Share {
  int64_t bytes;
  std::string name;
};

/// The largest of some shares, the same ones by name.
std::vector<Share> largest(std::vector<Share> shares) {
  erase_if(shares, [](const Share &s) { return s.bytes <= 0; });
  const size_t count = std::min(shares.size(), kMostNamed);
  std::partial_sort(shares.begin(), shares.begin() + count, shares.end(),
                    [](const Share &a, const Share &b) {
                      return a.bytes != b.bytes ? a.bytes > b.bytes
                                                : a.name < b.name;
                    });
  shares.resize(count);
  return shares;
}

std::string symbolText(const LinkMap &map, const SymbolInMap &symbol,
                       bool demangle) {
  const StringRef name = map.symbols[symbol.symbol].name;
  const std::string file = map.fileName(map.parts[symbol.part].file);
  return printable(demangle ? demangled(name) : name.str()) +
         (file.empty() ? "" : " in " + printable(file));
}

/// What stands in a program under one name: input sections of a file, what the
/// linker makes, padding, room set aside for heaps and stacks.
using PartKey = std::pair<uint32_t, StringRef>;
using PartSums = MapVector<PartKey, int64_t>;

std::string partText(const LinkMap &map, const PartKey &key) {
  if (key.first == kNoIndex)
    return key.second.empty() ? "padding" : printable(key.second);
  return printable(map.fileName(key.first)) + ":(" + printable(key.second) +
         ")";
}

PartKey keyOf(const LinkMap &map, const MapPart &part) {
  if (part.kind != MapPart::Padding)
    return {part.file, part.name};
  return {part.file, map.reservationOf(part) ? "room set aside" : ""};
}

void add(PartSums &sums, const LinkMap &map, const MapPart &part) {
  int64_t &sum = sums[keyOf(map, part)];
  sum = saturatingSum(sum, difference(0, part.size));
}

/// Bytes of a part that no symbol covers.
uint64_t namelessBytes(const LinkMap &map, const MapPart &part) {
  uint64_t nameless = part.size, done = 0;
  for (const MapSymbol &s :
       ArrayRef<MapSymbol>(map.symbols).slice(part.firstSymbol, part.symbols)) {
    if (s.kind == MapSymbol::Section || s.address < part.address)
      continue;
    const uint64_t begin = std::max(done, s.address - part.address);
    const uint64_t end =
        std::min(part.size, SaturatingAdd(s.address - part.address, s.size));
    if (begin >= end)
      continue;
    nameless -= end - begin;
    done = end;
  }
  return nameless;
}

class ExcessReporter {
public:
  ExcessReporter(const LinkMap &map, const Baseline *baseline, bool demangle)
      : map(map), baseline(baseline), demangle(demangle), scope(map) {}
  std::vector<std::string> notes(const SizeLimit &limit, uint64_t used);

private:
  void addLargest(const SizeLimit &limit, std::vector<std::string> &notes);
  void addGrowth(const SizeLimit &limit, uint64_t used,
                 std::vector<std::string> &notes);
  void addGrownSymbols(const SizeLimit &limit, std::vector<Share> &grown);
  void addGrownParts(const SizeLimit &limit, std::vector<Share> &grown);
  std::vector<Share> shares(const PartSums &sums) const {
    std::vector<Share> result;
    for (const auto &[key, bytes] : sums)
      if (bytes > 0)
        result.push_back({bytes, partText(map, key)});
    return result;
  }

  const LinkMap &map;
  const Baseline *baseline;
  bool demangle;
  Scope scope;
  /// Of the baseline; made when they are first asked for.
  std::optional<Scope> oldScope;
  std::vector<uint32_t> files; ///< which file each of its files is
  std::vector<std::pair<SymbolInMap, SymbolInMap>> symbols; ///< pairs
};

/// The symbols under a limit, by index.
DenseSet<uint32_t> symbolsUnder(Scope &scope, const SizeLimit &limit) {
  DenseSet<uint32_t> under;
  if (limit.kind == SizeLimit::Symbol) {
    scope.forSymbols(limit,
                     [&](const SymbolInMap &s) { under.insert(s.symbol); });
    return under;
  }
  scope.forParts(limit, [&](uint32_t i) {
    const MapPart &part = scope.map.parts[i];
    for (uint32_t s = 0; s < part.symbols; ++s)
      under.insert(part.firstSymbol + s);
  });
  return under;
}

void ExcessReporter::addLargest(const SizeLimit &limit,
                                std::vector<std::string> &notes) {
  std::vector<Share> all;
  if (limit.kind == SizeLimit::Symbol) {
    scope.forSymbols(limit, [&](const SymbolInMap &s) {
      all.push_back({difference(0, map.symbols[s.symbol].size),
                     symbolText(map, s, demangle)});
    });
  } else {
    PartSums sums;
    scope.forParts(limit, [&](uint32_t i) { add(sums, map, map.parts[i]); });
    all = shares(sums);
  }
  for (const Share &share : largest(std::move(all)))
    notes.push_back(std::to_string(share.bytes) + " bytes: " + share.name);
}

void ExcessReporter::addGrownSymbols(const SizeLimit &limit,
                                     std::vector<Share> &grown) {
  const DenseSet<uint32_t> under = symbolsUnder(scope, limit);
  const DenseSet<uint32_t> wasUnder = symbolsUnder(*oldScope, limit);
  for (const auto &[old, now] : symbols) {
    if (!now || !under.contains(now.symbol))
      continue;
    const uint64_t before = old && wasUnder.contains(old.symbol)
                                ? baseline->map.symbols[old.symbol].size
                                : 0;
    const uint64_t after = map.symbols[now.symbol].size;
    if (after > before)
      grown.push_back(
          {difference(before, after), symbolText(map, now, demangle)});
  }
}

/// What has grown and has no symbol to say so.
void ExcessReporter::addGrownParts(const SizeLimit &limit,
                                   std::vector<Share> &grown) {
  PartSums sums;
  auto change = [&](const PartKey &key, int64_t bytes) {
    int64_t &sum = sums[key];
    sum = saturatingSum(sum, bytes);
  };
  scope.forParts(limit, [&](uint32_t i) {
    const MapPart &part = map.parts[i];
    change(keyOf(map, part), difference(0, namelessBytes(map, part)));
  });
  const LinkMap &old = baseline->map;
  oldScope->forParts(limit, [&](uint32_t i) {
    const MapPart &part = old.parts[i];
    PartKey key = keyOf(old, part);
    // What is gone takes nothing away from what has no file.
    if (part.file != kNoIndex && (key.first = files[part.file]) == kNoIndex)
      return;
    change(key, difference(namelessBytes(old, part), 0));
  });
  append_range(grown, shares(sums));
}

void ExcessReporter::addGrowth(const SizeLimit &limit, uint64_t used,
                               std::vector<std::string> &notes) {
  if (!baseline)
    return;
  if (!oldScope) {
    oldScope.emplace(baseline->map);
    files = matchFiles(baseline->map, map);
    symbols = matchSymbols(baseline->map, map, files);
  }
  const LimitUse old = oldScope->measure(limit);
  const std::string file = printable(baseline->file);
  if (old.found && used <= old.used) {
    notes.push_back("it has not grown since " + file + ", where it was " +
                    std::to_string(old.used));
    return;
  }
  notes.push_back(old.found
                      ? "it has grown by " + std::to_string(used - old.used) +
                            " bytes since " + file + ", where it was " +
                            std::to_string(old.used)
                      : "nothing in " + file + " has this name");
  std::vector<Share> grown;
  addGrownSymbols(limit, grown);
  if (limit.kind != SizeLimit::Symbol)
    addGrownParts(limit, grown);
  for (const Share &share : largest(std::move(grown)))
    notes.push_back("+" + std::to_string(share.bytes) +
                    " bytes: " + share.name);
}

std::vector<std::string> ExcessReporter::notes(const SizeLimit &limit,
                                               uint64_t used) {
  std::vector<std::string> result;
  addLargest(limit, result);
  addGrowth(limit, used, result);
  return result;
}

/// What to write instead of a name that nothing has.
std::vector<std::string> namesNote(const SizeLimit &limit, const LinkMap &map) {
  if (limit.kind != SizeLimit::Region)
    return {};
  if (map.regions.empty())
    return {"the program has no memory regions"};
  std::string all;
  for (const MapRegion &region : map.regions)
    all += (all.empty() ? "" : ", ") + printable(region.name);
  return {"the program has the regions " + all};
}

} // namespace

void reportSizeBudget(const SizeBudget &budget,
                      const std::vector<LimitUse> &uses, const LinkMap &map,
                      const Baseline *baseline, bool demangle,
                      Diagnostics &diag) {
  std::optional<ExcessReporter> reporter;
  for (size_t i = 0; i < uses.size(); ++i) {
    const SizeLimit &limit = budget.limits[i];
    const LimitUse &use = uses[i];
    const std::string place =
        budget.file + ":" + std::to_string(limit.line) + ": " + limit.text();
    if (!use.found)
      diag.warn(WarningGroup::General, [&] {
        return Message{place + ": nothing in the program has this name",
                       namesNote(limit, map)};
      });
    else if (use.exceeded())
      diag.error([&] {
        if (!reporter)
          reporter.emplace(map, baseline, demangle);
        const std::string allowed = std::to_string(use.allowed);
        return Message{place + " takes " + std::to_string(use.used) +
                           " bytes, " + std::to_string(use.used - use.allowed) +
                           " more than its limit of " +
                           (allowed == limit.amount
                                ? allowed
                                : limit.amount + " (" + allowed + ")"),
                       reporter->notes(limit, use.used)};
      });
  }
}

std::optional<json::Value> checkSizeBudget(const Config &config,
                                           const LinkMap &map,
                                           const Baseline *baseline,
                                           vfs::FileSystem *fs,
                                           Diagnostics &diag) {
  std::string error;
  const std::unique_ptr<MemoryBuffer> buffer =
      openFile(fs, config.sizeBudget, error);
  if (!buffer) {
    diag.error("cannot open the size budget " + config.sizeBudget + ": " +
               error);
    return std::nullopt;
  }
  const std::optional<SizeBudget> budget =
      readSizeBudget(config.sizeBudget, buffer->getBuffer(), diag);
  if (!budget)
    return std::nullopt;
  const std::vector<LimitUse> uses = useOf(*budget, map);
  reportSizeBudget(*budget, uses, map, baseline, config.demangle, diag);
  return sizeBudgetJson(*budget, uses);
}

json::Value sizeBudgetJson(const SizeBudget &budget,
                           const std::vector<LimitUse> &uses) {
  json::Array limits;
  for (size_t i = 0; i < uses.size(); ++i) {
    const SizeLimit &limit = budget.limits[i];
    limits.push_back(json::Object{{"line", limit.line},
                                  {"kind", kLimitKinds[limit.kind]},
                                  {"name", json::fixUTF8(limit.name)},
                                  {"limit", uses[i].allowed},
                                  {"used", uses[i].used},
                                  {"found", uses[i].found},
                                  {"exceeded", uses[i].exceeded()}});
  }
  return json::Object{{"file", json::fixUTF8(budget.file)},
                      {"limits", std::move(limits)}};
}

} // namespace xlink
