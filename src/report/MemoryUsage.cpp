//===- MemoryUsage.cpp ----------------------------------------------------===//
//
// Problem: GNU ld's table says how full a region is, and tools read it column
// by column. To make room, users need more: which part is free, set aside for a
// heap or a stack, or only loaded from here, and which files have the rest.
//
// Method: the table comes first and as GNU ld prints it. Behind an empty line
// follows a block for each region, with columns of its own. The size of a file
// is the sum of its parts in the sections that run or are loaded there; data of
// the script and of the linker count as files of these names. Room between
// sections counts as used, and so as padding. Each byte is in one line: a part
// that is set aside is neither padding nor free, whether it lies in a section
// or behind the last one, and is no file's.
//
// Cost: one visit of each part, and for each region one of each output section;
// those of a region are sorted.
//
//===----------------------------------------------------------------------===//
#include "report/Reports.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace xlink {

/// In the largest unit that divides it, 0 in bytes: a number of 10 columns, and
/// its unit in 3.
static void printSize(raw_ostream &out, uint64_t size) {
  static const char *const units[] = {"GB", "MB", "KB"};
  auto print = [&](uint64_t number, const char *unit) {
    out << right_justify(std::to_string(number), 10) << ' ' << unit;
  };
  for (unsigned i = 0, shift = 30; size != 0 && i < 3; ++i, shift -= 10)
    if ((size & ((uint64_t(1) << shift) - 1)) == 0)
      return print(size >> shift, units[i]);
  out << ' ';
  print(size, "B");
}

static double percentOf(uint64_t part, uint64_t whole) {
  return whole ? double(part) * 100.0 / double(whole) : 0;
}

std::string memoryUsageText(const LinkMap &map) {
  std::string text;
  raw_string_ostream out(text);
  out << "Memory region         Used Size  Region Size  %age Used";
  for (const MapRegion &r : map.regions) {
    out << "\n" << right_justify(printable(r.name), 16) << ": ";
    printSize(out, r.used);
    printSize(out, r.length);
    if (r.length)
      out << "    " << format("%6.2f%%", percentOf(r.used, r.length));
  }
  return text;
}

/// The bytes from `begin` to `end` of a region, counted from its origin, that
/// are not set aside.
static uint64_t notSetAside(const MapRegion &region, uint64_t begin,
                            uint64_t end) {
  uint64_t bytes = 0;
  for (const MapReservation &m : region.reservations) { // by address
    if (m.address < region.origin)
      continue;
    const uint64_t offset = m.address - region.origin;
    bytes += std::max(std::min(offset, end), begin) - begin;
    begin = std::clamp(SaturatingAdd(offset, m.size), begin, end);
  }
  return bytes + (end - begin);
}

namespace {

/// The contents of a region: by file, the largest first.
struct RegionContents {
  std::vector<std::pair<std::string, uint64_t>> files;
  uint64_t padding = 0;
};

/// The answer about a region, or about the sections in none: lines of sizes,
/// and an object.
struct UsageBlock {
  const uint64_t whole; ///< percentages are of this; 0: there are none
  std::string text = {};
  json::Object json = {};

  /// A line: a label, the size, its share, and its owner.
  void line(StringRef label, uint64_t bytes, const std::string &owner = "") {
    raw_string_ostream out(text);
    out << "\n  " << left_justify(label, 14);
    printSize(out, bytes);
    if (whole)
      out << format("%9.2f%%", percentOf(bytes, whole));
    if (!owner.empty())
      out << "  " << owner;
  }

  /// A member, and if `show` a line of it.
  void size(const char *member, uint64_t bytes, StringRef label, bool show) {
    json[member] = uint64_t(bytes);
    if (show)
      line(label, bytes);
  }

  void add(ArrayRef<MapReservation> reservations) {
    static constexpr std::pair<const char *, const char *> kinds[] = {
        {"heap", "heap"}, {"stack", "stack"}, {"set aside", "other"}};
    json::Array all;
    for (const MapReservation &m : reservations) {
      const auto [words, kind] = kinds[m.kind];
      const std::string address = hex(Address(m.address));
      line(words, m.size, printable(m.name) + " at " + address);
      all.push_back(json::Object{{"name", json::fixUTF8(m.name)},
                                 {"kind", kind},
                                 {"address", address},
                                 {"size", uint64_t(m.size)}});
    }
    json["reservations"] = std::move(all);
  }

  void add(const RegionContents &contents) {
    constexpr size_t most = 5; // lines; the others are one
    size("padding", contents.padding, "padding", contents.padding);
    json::Array all;
    uint64_t rest = 0;
    for (const auto &[file, bytes] : contents.files) {
      if (all.size() < most)
        line(all.empty() ? "largest" : "", bytes, printable(file));
      else
        rest += bytes;
      all.push_back(
          json::Object{{"file", json::fixUTF8(file)}, {"bytes", bytes}});
    }
    if (rest)
      line("", rest, std::to_string(all.size() - most) + " more");
    json["contributors"] = std::move(all);
  }
};

} // namespace

/// The contents of region `r`; those of no region behind the last one.
static RegionContents contentsOf(const LinkMap &map, size_t r) {
  // Files count from 0; behind them the linker's own data and the script's.
  const size_t linker = map.files.size(), data = linker + 1;
  const bool none = r == map.regions.size();
  RegionContents contents;
  std::vector<uint64_t> bytes(data + 1);
  for (const MapOutput &o : map.outputs) {
    const bool runs = o.region == (none ? LinkMap::kNoIndex : r);
    const bool loaded = !none && o.loadRegion == r && o.region != r &&
                        o.type != ELF::SHT_NOBITS;
    if (!o.takesMemory() || (!runs && !loaded))
      continue;
    for (const MapPart &p : ArrayRef(map.parts).slice(o.firstPart, o.parts)) {
      if (runs && map.reservationOf(p))
        continue;
      if (p.kind == MapPart::Padding)
        contents.padding += p.size;
      else
        bytes[p.file < linker           ? p.file
              : p.kind == MapPart::Data ? data
                                        : linker] += p.size;
    }
  }
  if (!none) {
    const MapRegion &region = map.regions[r];
    for (const LinkMap::Gap &gap : map.gapsOf(uint32_t(r)))
      if (const uint64_t begin = gap.begin - region.origin; begin < region.used)
        contents.padding += notSetAside(
            region, begin, std::min(gap.end - region.origin, region.used));
  }
  for (size_t i = 0; i < bytes.size(); ++i)
    if (bytes[i])
      contents.files.emplace_back(i < linker    ? map.fileName(uint32_t(i))
                                  : i == linker ? "<internal>"
                                                : "the script's data",
                                  bytes[i]);
  stable_sort(contents.files,
              [](const auto &a, const auto &b) { return a.second > b.second; });
  return contents;
}

void writeMemoryDetails(raw_ostream &text, json::OStream &json,
                        const LinkMap &map) {
  json::Array regions;
  for (size_t i = 0; i < map.regions.size(); ++i) {
    const MapRegion &r = map.regions[i];
    const bool fits = r.used <= r.length;
    UsageBlock block{r.length};
    block.json = json::Object{{"name", json::fixUTF8(r.name)},
                              {"origin", hex(Address(r.origin))},
                              {"length", uint64_t(r.length)},
                              {"used", uint64_t(r.used)},
                              {"percent", percentOf(r.used, r.length)},
                              {"builtin", r.builtin}};
    block.size("free", fits ? notSetAside(r, r.used, r.length) : 0, "free",
               fits);
    block.size("excess", fits ? 0 : r.used - r.length, "too much", !fits);
    block.size("loadOnly", r.loadOnly, "loaded only", r.loadOnly);
    block.add(r.reservations);
    block.add(contentsOf(map, i));
    regions.push_back(std::move(block.json));
    if (r.used || !r.reservations.empty())
      text << "\n\n" + printable(r.name) + ", " + hex(Address(r.origin)) +
                  " to " +
                  hex(Address(r.origin) + Size(r.length ? r.length - 1 : 0)) +
                  (r.builtin ? ", the machine's" : "") + block.text;
  }
  const RegionContents outside = contentsOf(map, map.regions.size());
  uint64_t sum = outside.padding;
  for (const auto &[file, bytes] : outside.files)
    sum += bytes;
  UsageBlock used{0}, block{sum};
  used.line("used", sum);
  block.add(outside);
  if (!outside.files.empty() || outside.padding)
    text << "\n\nin no region" << used.text << block.text;
  json.value(json::Object{{"regions", std::move(regions)},
                          {"outside", std::move(block.json)}});
}

std::string stackUsageText(const Link &link, const SymbolValues &values,
                           Diagnostics &diag) {
  const Program &program = link.program;
  if (!sharesStack(program))
    return "";
  std::string text;
  raw_string_ostream out(text);
  out << "\n" << right_justify("stack", 16) << ": ";
  const std::optional<StackNeed> need = stackNeed(link, values);
  if (!need) {
    out << " not known; --print-resource-usage says why";
    return text;
  }
  const uint64_t bytes = need->words * program.addressSize();
  printSize(out, bytes);
  out << "    " << need->words << " words, from " << need->function;
  // Stacks are in the region of the entry.
  const BoundSymbol entry = link.symbol(program.entrySymbol);
  if (entry.kind != SymbolKind::Defined || !link.placed(entry.section))
    return text;
  const RegionId region =
      link.output(link.section(entry.section).output).region;
  if (region == kNone)
    return text;
  const RegionPlace &r = link.addresses.regions[region];
  const uint64_t used = r.cursor.sizeFrom(r.origin), length = r.length;
  const uint64_t left = length - std::min(used, length);
  if (bytes > left)
    diag.warn(WarningGroup::General,
              "the stack, " + std::to_string(bytes) + " bytes from '" +
                  need->function + "', does not fit into region '" +
                  program.script.memory[region.index()].name.str() +
                  "': " + std::to_string(left) + " bytes are left");
  return text;
}

} // namespace xlink
