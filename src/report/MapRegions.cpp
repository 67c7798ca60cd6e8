//===- MapRegions.cpp -----------------------------------------------------===//
//
// Problem: how full a memory is says little without the room that its heap and
// its stacks have, and nothing at all where a script has no MEMORY.
//
// Method: without MEMORY the machine's own script has one, of the chip that
// this link is for: it is parsed once more, for that alone. Reservations show
// in three ways: a section called so that nothing is loaded to; symbols that a
// machine's table names, with the run-time of its vendor in mind; and, where
// stacks take the rest of the memory, the needs that objects state.
//
// Cost: a look at each output section and at a few names; on such machines the
// call graph.
//
//===----------------------------------------------------------------------===//
#include "report/LinkMapBuilder.h"
#include "report/Reports.h"
#include "report/ScriptText.h"
#include "report/StackUsage.h"
#include "resolve/ScriptSymbols.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

void addRegions(const Link &link, LinkMap &map) {
  const Program &program = link.program;
  for (RegionId id : link.addresses.regions.ids()) {
    const RegionPlace &r = link.addresses.regions[id];
    MapRegion &region = map.regions.emplace_back();
    region.name = program.script.memory[id.index()].name;
    region.origin = r.origin.wrapped();
    region.length = r.length;
    region.used = r.cursor.sizeFrom(r.origin);
    region.builtin = program.builtinScript;
  }
  if (!map.regions.empty() || program.config.relocatable)
    return;
  Diagnostics silent; // the project's own scripts are sound
  Script script;
  auto noInclude = [](StringRef) { return std::nullopt; };
  if (!parseScript("", builtinScriptText(program), noInclude, script, silent))
    return;
  for (const MemoryCommand &m : script.memory) {
    const std::optional<uint64_t> origin = literalValue(*m.origin);
    const std::optional<uint64_t> length = literalValue(*m.length);
    if (!origin || !length)
      continue;
    MapRegion &region = map.regions.emplace_back();
    region.name = map.keep(m.name);
    region.origin = *origin;
    region.length = *length;
    region.builtin = true;
  }
}

/// Where there is no MEMORY.
static void useMachineRegions(LinkMap &map) {
  auto use = [&](uint32_t region, uint64_t begin, uint64_t size) {
    if (region == kNoIndex)
      return;
    MapRegion &r = map.regions[region];
    r.used = std::max<uint64_t>(r.used, Size(begin - r.origin) + Size(size));
  };
  for (MapOutput &o : map.outputs) {
    if (!o.takesMemory())
      continue;
    o.region = map.regionAt(o.address);
    use(o.region, o.address, o.size);
    if (o.loadRegion != kNoIndex && o.type != ELF::SHT_NOBITS)
      use(o.loadRegion, o.loadAddress, o.size);
  }
}

static void reserve(LinkMap &map, uint32_t region, MapReservation::Kind kind,
                    StringRef name, uint64_t address, uint64_t size) {
  if (region != kNoIndex && size)
    map.regions[region].reservations.push_back({kind, name, address, size});
}

/// Room that symbols of the machine's table delimit.
static void reserveBySymbols(const Link &link, const SymbolValues &values,
                             LinkMap &map) {
  for (const Reservation &r : link.program.target->reservations)
    for (unsigned i = 0; i < r.count; ++i) {
      auto valueOf = [&](StringRef name) -> std::optional<uint64_t> {
        const SymbolId id = link.program.symbols.find(numbered(name, i));
        if (id == kNone || !link.symbol(id).isDefined())
          return std::nullopt;
        return values.globals[id];
      };
      const std::optional<uint64_t> begin = valueOf(r.begin);
      if (!begin)
        continue;
      const uint64_t end = r.end ? valueOf(r.end).value_or(0) : 0;
      const uint64_t size = r.size         ? valueOf(r.size).value_or(0)
                            : end > *begin ? end - *begin
                                           : 0;
      reserve(map, map.regionAt(*begin),
              r.kind == Reservation::Heap ? MapReservation::Heap
                                          : MapReservation::Stack,
              map.keep(numbered(r.name, i)), *begin, size);
    }
}

/// Whether an output section takes memory, nothing is loaded to it, and no
/// reservation in it is known already.
static bool isEmptyRoom(const LinkMap &map, const MapOutput &output) {
  if (!(output.flags & ELF::SHF_ALLOC) || output.size == 0)
    return false;
  for (const MapRegion &region : map.regions)
    for (const MapReservation &r : region.reservations)
      if (r.address >= output.address &&
          r.address - output.address < output.size)
        return false;
  return output.type == ELF::SHT_NOBITS ||
         all_of(ArrayRef(map.parts).slice(output.firstPart, output.parts),
                [](const MapPart &part) {
                  return part.kind == MapPart::Padding || part.size == 0;
                });
}

static void reserveBySections(LinkMap &map) {
  for (const MapOutput &o : map.outputs) {
    const bool stack = o.name.contains_insensitive("stack");
    const bool heap = o.name.contains_insensitive("heap");
    if ((stack || heap) && isEmptyRoom(map, o))
      reserve(map, o.region,
              stack && heap ? MapReservation::Other
              : stack       ? MapReservation::Stack
                            : MapReservation::Heap,
              o.name, o.address, o.size);
  }
}

/// The need that objects state: at the end of the memory that the entry is in,
/// from where stacks grow down; without room for it there, behind the program.
static void reserveStatedStack(const Link &link, const SymbolValues &values,
                               LinkMap &map) {
  if (!sharesStack(link.program) || map.entryName.empty())
    return;
  const std::optional<StackNeed> need = stackNeed(link, values);
  const uint32_t region = map.regionAt(map.entry);
  if (!need || region == kNoIndex)
    return;
  const MapRegion &r = map.regions[region];
  const uint64_t bytes = need->words * link.program.addressSize();
  const uint64_t left = r.length - std::min(r.used, r.length);
  reserve(map, region, MapReservation::Stack,
          map.keep("stack of " + need->function),
          r.origin + (bytes <= left ? r.length - bytes : r.used), bytes);
}

void completeRegions(const Link &link, const SymbolValues &values,
                     LinkMap &map) {
  if (link.addresses.regions.empty())
    useMachineRegions(map);
  reserveBySymbols(link, values, map);
  reserveBySections(map);
  reserveStatedStack(link, values, map);
  for (MapRegion &region : map.regions)
    llvm::stable_sort(region.reservations,
                      [](const MapReservation &a, const MapReservation &b) {
                        return a.address < b.address;
                      });
}

} // namespace xlink
