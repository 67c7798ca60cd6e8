//===- SizeBudget.cpp -----------------------------------------------------===//
//
// Problem: memory runs out slowly, a library here and a table there, and the
// link that fails is not the one to blame. A budget refuses the one that is.
//
// Method: a limit is about the sum of all that has its name. Regions and output
// sections have sizes of their own; archives, objects and input sections are
// the parts in memory (SHF_ALLOC) that are theirs; symbols are the bytes that
// they cover, so that several names for one thing count it once. The
// largest contributors, and the growth since the baseline, are only looked for
// where a limit is exceeded: symbols, and of input sections and padding the
// bytes that no symbol covers. A contributor that was under no such limit
// before has grown by its whole size.
//
// Cost: for each limit a look at the parts, and at the names of its kind,
// demangled ones too for limits on symbols.
//
//===----------------------------------------------------------------------===//
#include "map/SizeBudget.h"
#include "base/Diagnostics.h"
#include "base/MappedFile.h"
#include "map/MapComparison.h"
#include "map/Pairs.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace xlink {

static constexpr StringLiteral kLimitKinds[] = {"region",  "output", "section",
                                                "archive", "object", "symbol"};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The first word of a line, which loses it.
static StringRef takeWord(StringRef &rest) {
  rest = rest.ltrim();
  const StringRef word = rest.take_until([](char c) { return isSpace(c); });
  rest = rest.drop_front(word.size()).ltrim();
  return word;
}

/// Takes the name of a limit, a word or the text between two quotes. Returns
/// the error, or "".
static std::string readName(StringRef &rest, SizeLimit &limit) {
  if (rest.starts_with("'") || rest.starts_with("\"")) {
    const size_t end = rest.find(rest[0], 1);
    if (end == StringRef::npos)
      return "the quote in front of " + printable(rest.drop_front()) +
             " has no counterpart";
    limit.name = rest.slice(1, end).str();
    rest = rest.drop_front(end + 1);
  } else {
    limit.name = takeWord(rest).str();
  }
  if (limit.name.empty())
    return ("a name is missing behind '" + kLimitKinds[limit.kind] + "'").str();
  if (limit.kind == SizeLimit::Region)
    return "";
  Expected<GlobPattern> pattern = GlobPattern::create(limit.name);
  if (!pattern) {
    consumeError(pattern.takeError());
    return "'" + printable(limit.name) +
           "' is no pattern: a bracket or a backslash has no counterpart";
  }
  limit.pattern = std::move(*pattern);
  return "";
}

/// Reads "48K", "0x200" or "90%". Returns the error, or "".
static std::string readAmount(StringRef word, SizeLimit &limit) {
  limit.amount = word.str();
  StringRef digits = word;
  const bool share = digits.consume_back("%");
  const unsigned shift = digits.consume_back_insensitive("K")   ? 10
                         : digits.consume_back_insensitive("M") ? 20
                                                                : 0;
  const bool isHex = digits.consume_front_insensitive("0x");
  if (digits.empty() || digits.getAsInteger(isHex ? 16 : 10, limit.bytes) ||
      limit.bytes > UINT64_MAX >> shift || (share && (shift || isHex)))
    return "'" + printable(word) +
           "' is no size: one is written like 512, 0x200, 48K or 1M, a share "
           "of a region like 90%";
  limit.bytes <<= shift;
  if (!share)
    return "";
  if (limit.kind != SizeLimit::Region)
    return "'" + limit.amount +
           "' is a share, which only a region's limit can be";
  if (limit.bytes > 100)
    return "'" + limit.amount + "' is more than a region has";
  limit.percent = unsigned(limit.bytes);
  return "";
}

/// Reads a line that is not empty. Returns the error, or "".
static std::string readLimit(StringRef rest, SizeLimit &limit) {
  const StringRef kind = takeWord(rest);
  const auto *known = llvm::find(kLimitKinds, kind);
  if (known == std::end(kLimitKinds))
    return "'" + printable(kind) + "' is none of " +
           join(ArrayRef(kLimitKinds), ", ");
  limit.kind = SizeLimit::Kind(known - kLimitKinds);
  if (std::string fault = readName(rest, limit); !fault.empty())
    return fault;
  const StringRef size = takeWord(rest);
  if (size.empty() || size[0] == '#')
    return "a size is missing behind '" + printable(limit.name) + "'";
  if (std::string fault = readAmount(size, limit); !fault.empty())
    return fault;
  if (!rest.empty() && rest[0] != '#')
    return "'" + printable(rest) + "' follows the size";
  return "";
}

std::optional<SizeBudget> readSizeBudget(StringRef file, StringRef text,
                                         Diagnostics &diag) {
  SizeBudget budget;
  budget.file = file.str();
  bool good = true;
  for (unsigned number = 1; !text.empty(); ++number) {
    const auto [line, rest] = text.split('\n');
    text = rest;
    if (line.trim().empty() || line.trim()[0] == '#')
      continue;
    SizeLimit &limit = budget.limits.emplace_back();
    limit.line = number;
    const std::string fault = readLimit(line.trim(), limit);
    if (!fault.empty())
      diag.error(budget.file + ":" + std::to_string(number) + ": " + fault);
    good &= fault.empty();
  }
  if (!good)
    return std::nullopt;
  if (budget.limits.empty())
    diag.warn(WarningGroup::General, file.str() + ": has no limits");
  return budget;
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

namespace {

/// The parts or symbols of a map that are under a limit.
struct Covered {
  bool found = false; ///< something has the limit's name
  std::vector<uint32_t> parts;
  std::vector<SymbolInMap> symbols; ///< of a limit on symbols, in order
};

/// Whether the name that messages have for a file, or the end of it behind a
/// '/', is a limit's.
bool hasFile(const SizeLimit &limit, const LinkMap &map, uint32_t file) {
  const MapInput &f = map.files[file];
  const bool archive = limit.kind == SizeLimit::Archive;
  if (archive && f.member.empty())
    return false;
  const std::string name = archive ? f.path.str() : map.fileName(file);
  size_t begin = 0;
  do {
    if (limit.pattern.match(StringRef(name).drop_front(begin)))
      return true;
    begin = f.path.find('/', begin) + 1;
  } while (begin); // npos + 1
  return false;
}

/// Whether a limit on regions or output sections is about all that is in one.
bool hasOutput(const SizeLimit &limit, const LinkMap &map,
               const MapOutput &out) {
  if (limit.kind == SizeLimit::Output)
    return limit.pattern.match(out.name);
  auto is = [&](uint32_t region) {
    return region < map.regions.size() &&
           map.regions[region].name == limit.name;
  };
  return limit.kind == SizeLimit::Region &&
         (is(out.region) ||
          (is(out.loadRegion) && out.type != ELF::SHT_NOBITS));
}

Covered coveredBy(const SizeLimit &limit, const LinkMap &map) {
  Covered result;
  if (limit.kind == SizeLimit::Symbol) {
    result.symbols = symbolsInMemory(map);
    erase_if(result.symbols, [&](const SymbolInMap &s) {
      const StringRef name = map.symbols[s.symbol].name;
      return !limit.pattern.match(name) &&
             !(isMangled(name) && limit.pattern.match(demangled(name)));
    });
    result.found = !result.symbols.empty();
    return result;
  }
  std::vector<bool> files(map.files.size());
  if (limit.kind == SizeLimit::Archive || limit.kind == SizeLimit::Object)
    for (uint32_t i = 0; i < files.size(); ++i)
      files[i] = hasFile(limit, map, i);
  result.found = is_contained(files, true) ||
                 (limit.kind == SizeLimit::Region &&
                  any_of(map.regions, [&](const MapRegion &region) {
                    return region.name == limit.name;
                  }));
  for (const MapOutput &out : map.outputs) {
    if (!(out.flags & ELF::SHF_ALLOC))
      continue;
    const bool all = hasOutput(limit, map, out);
    result.found |= all;
    for (uint32_t i = out.firstPart; i < out.firstPart + out.parts; ++i) {
      const MapPart &part = map.parts[i];
      const bool named = limit.kind == SizeLimit::Section &&
                         !part.name.empty() && limit.pattern.match(part.name);
      result.found |= named;
      if (all || named || (part.file != kNoIndex && files[part.file]))
        result.parts.push_back(i);
    }
  }
  return result;
}

LimitUse measure(const SizeLimit &limit, const LinkMap &map) {
  const Covered covered = coveredBy(limit, map);
  LimitUse use;
  use.found = covered.found;
  use.allowed = limit.percent ? 0 : limit.bytes;
  for (uint32_t part : covered.parts)
    use.used = SaturatingAdd(use.used, map.parts[part].size);
  // By address within a part: bytes of several symbols count once.
  uint32_t part = kNoIndex;
  uint64_t end = 0;
  for (const SymbolInMap &s : covered.symbols) {
    const MapSymbol &symbol = map.symbols[s.symbol];
    if (std::exchange(part, s.part) != s.part)
      end = 0;
    const uint64_t last = SaturatingAdd(symbol.address, symbol.size);
    const uint64_t first = std::max(symbol.address, end);
    if (last > first)
      use.used = SaturatingAdd(use.used, last - first);
    end = std::max(end, last);
  }
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
  std::vector<LimitUse> result;
  for (const SizeLimit &limit : budget.limits)
    result.push_back(measure(limit, map));
  return result;
}

//===----------------------------------------------------------------------===//
// Reporting
//===----------------------------------------------------------------------===//

namespace {

/// Bytes of each thing that has a name; the same thing counts together.
class NamedSizes {
public:
  NamedSizes(const LinkMap &map, bool demangle)
      : map(map), demangle(demangle) {}

  void addSymbol(const SymbolInMap &symbol, int64_t bytes) {
    const StringRef name = map.symbols[symbol.symbol].name;
    const std::string file = map.fileName(map.parts[symbol.part].file);
    symbols.push_back(
        {bytes, printable(demangle ? demangled(name) : name.str()) +
                    (file.empty() ? "" : " in " + printable(file))});
  }
  /// A part of this map or, as `file` of this one, of another: input sections
  /// of a file, sections of the linker, padding, room set aside for heaps and
  /// stacks.
  void addPart(const LinkMap &of, const MapPart &part, uint32_t file,
               int64_t bytes) {
    const StringRef name = part.kind != MapPart::Padding ? part.name
                           : of.reservationOf(part)      ? "room set aside"
                                                         : "";
    int64_t &sum = parts[{file, name}];
    sum = saturatingSum(sum, bytes);
  }
  /// Adds a note for each of the five largest.
  void addLargest(const char *before, std::vector<std::string> &notes) {
    std::vector<std::pair<int64_t, std::string>> all = std::move(symbols);
    for (const auto &[key, bytes] : parts) {
      const auto [file, name] = key;
      if (bytes > 0)
        all.push_back({bytes, file != kNoIndex
                                  ? printable(map.fileName(file)) + ":(" +
                                        printable(name) + ")"
                              : name.empty() ? "padding"
                                             : printable(name)});
    }
    erase_if(all, [](const auto &entry) { return entry.first <= 0; });
    const size_t count = std::min<size_t>(all.size(), 5);
    std::partial_sort(all.begin(), all.begin() + count, all.end(),
                      [](const auto &a, const auto &b) {
                        return a.first != b.first ? a.first > b.first
                                                  : a.second < b.second;
                      });
    for (const auto &[bytes, name] : ArrayRef(all).take_front(count))
      notes.push_back(before + std::to_string(bytes) + " bytes: " + name);
  }

private:
  const LinkMap &map;
  const bool demangle;
  std::vector<std::pair<int64_t, std::string>> symbols;
  MapVector<std::pair<uint32_t, StringRef>, int64_t> parts;
};

} // namespace

/// The symbols under a limit, by index.
static DenseSet<uint32_t> symbolsUnder(const LinkMap &map,
                                       const Covered &covered) {
  DenseSet<uint32_t> under;
  for (const SymbolInMap &s : covered.symbols)
    under.insert(s.symbol);
  for (uint32_t i : covered.parts)
    for (uint32_t s = 0; s < map.parts[i].symbols; ++s)
      under.insert(map.parts[i].firstSymbol + s);
  return under;
}

namespace {

/// Tells the largest contributors under a limit, and those that have grown.
class ExcessReporter {
public:
  ExcessReporter(const LinkMap &map, const Baseline *baseline, bool demangle)
      : map(map), baseline(baseline), demangle(demangle) {
    if (!baseline)
      return;
    files = matchPaths(fileNames(baseline->map), fileNames(map));
    symbols = matchSymbols(baseline->map, map, files);
  }

  std::vector<std::string> notes(const SizeLimit &limit, uint64_t used) const {
    std::vector<std::string> result;
    const Covered now = coveredBy(limit, map);
    NamedSizes sizes(map, demangle);
    for (const SymbolInMap &s : now.symbols)
      sizes.addSymbol(s, difference(0, map.symbols[s.symbol].size));
    for (uint32_t i : now.parts)
      sizes.addPart(map, map.parts[i], map.parts[i].file,
                    difference(0, map.parts[i].size));
    sizes.addLargest("", result);
    if (!baseline)
      return result;
    const LimitUse old = measure(limit, baseline->map);
    const std::string file = printable(baseline->file);
    if (!old.found)
      result.push_back("nothing in " + file + " has this name");
    else
      result.push_back(
          (used <= old.used ? "it has not grown"
                            : "it has grown by " +
                                  std::to_string(used - old.used) + " bytes") +
          " since " + file + ", where it was " + std::to_string(old.used));
    if (!old.found || used > old.used)
      addGrowth(limit, now, result);
    return result;
  }

private:
  /// Symbols that have grown, and parts that have and have no symbol to say so.
  void addGrowth(const SizeLimit &limit, const Covered &now,
                 std::vector<std::string> &notes) const {
    const LinkMap &old = baseline->map;
    const Covered before = coveredBy(limit, old);
    const DenseSet<uint32_t> under = symbolsUnder(map, now);
    const DenseSet<uint32_t> wasUnder = symbolsUnder(old, before);
    NamedSizes grown(map, demangle);
    for (const auto &[was, is] : symbols) {
      if (!is || !under.contains(is.symbol))
        continue;
      const uint64_t size = was && wasUnder.contains(was.symbol)
                                ? old.symbols[was.symbol].size
                                : 0;
      if (map.symbols[is.symbol].size > size)
        grown.addSymbol(is, difference(size, map.symbols[is.symbol].size));
    }
    for (uint32_t i : now.parts)
      grown.addPart(map, map.parts[i], map.parts[i].file,
                    difference(0, map.namelessBytes(map.parts[i])));
    for (uint32_t i : before.parts) {
      const MapPart &part = old.parts[i];
      const uint32_t file = part.file == kNoIndex ? kNoIndex : files[part.file];
      // A file that is gone takes nothing away from parts without a file.
      if (file != kNoIndex || part.file == kNoIndex)
        grown.addPart(old, part, file, difference(old.namelessBytes(part), 0));
    }
    grown.addLargest("+", notes);
  }

  const LinkMap &map;
  const Baseline *baseline;
  bool demangle;
  std::vector<uint32_t> files; ///< the file of each of the baseline's
  std::vector<std::pair<SymbolInMap, SymbolInMap>> symbols; ///< pairs
};

} // namespace

void reportSizeBudget(const SizeBudget &budget,
                      const std::vector<LimitUse> &uses, const LinkMap &map,
                      const Baseline *baseline, bool demangle,
                      Diagnostics &diag) {
  std::optional<ExcessReporter> reporter;
  for (const auto &[limit, use] : zip_equal(budget.limits, uses)) {
    const std::string place =
        (budget.file + ":" + Twine(limit.line) + ": " + kLimitKinds[limit.kind])
            .str() +
        " " + printable(limit.name);
    if (!use.found) {
      std::vector<std::string> notes;
      if (limit.kind == SizeLimit::Region && map.regions.empty())
        notes.push_back("the program has no memory regions");
      else if (limit.kind == SizeLimit::Region)
        notes.push_back("the program has the regions " +
                        join(map_range(map.regions,
                                       [](const MapRegion &r) {
                                         return printable(r.name);
                                       }),
                             ", "));
      diag.warn(WarningGroup::General,
                place + ": nothing in the program has this name",
                std::move(notes));
    } else if (use.exceeded()) {
      if (!reporter)
        reporter.emplace(map, baseline, demangle);
      const std::string allowed = std::to_string(use.allowed);
      diag.error(place + " takes " + std::to_string(use.used) + " bytes, " +
                     std::to_string(use.used - use.allowed) +
                     " more than its limit of " +
                     (allowed == limit.amount
                          ? allowed
                          : limit.amount + " (" + allowed + ")"),
                 reporter->notes(limit, use.used));
    }
  }
}

json::Value sizeBudgetJson(const SizeBudget &budget,
                           const std::vector<LimitUse> &uses) {
  json::Array limits;
  for (const auto &[limit, use] : zip_equal(budget.limits, uses))
    limits.push_back(json::Object{{"line", limit.line},
                                  {"kind", kLimitKinds[limit.kind]},
                                  {"name", json::fixUTF8(limit.name)},
                                  {"limit", use.allowed},
                                  {"used", use.used},
                                  {"found", use.found},
                                  {"exceeded", use.exceeded()}});
  return json::Object{{"file", json::fixUTF8(budget.file)},
                      {"limits", std::move(limits)}};
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

} // namespace xlink
