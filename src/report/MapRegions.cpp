//===- MapRegions.cpp -----------------------------------------------------===//
//
// Problem: how full a memory is says little to who does not know what of it a
// heap or a stack has, and nothing at all where a script has no MEMORY.
//
// Method: without MEMORY the machine's own script has one, of the chip that
// this link is for: it is parsed once more, for that alone. What is set aside
// shows in three ways: a section called so that nothing is loaded to; symbols
// that a machine names as data, with the run-time of its vendor in mind; and,
// where stacks take what the program leaves, what objects state.
//
// Cost: a look at each output section and at a few names; on such machines the
// call graph.
//
//===----------------------------------------------------------------------===//
#include "report/MapRegions.h"
#include "report/ResourceUsage.h"
#include "report/ScriptText.h"
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

void useMachineRegions(const Link &link, LinkMap &map) {
  if (!link.addresses.regions.empty() || map.regions.empty())
    return;
  auto use = [&](uint32_t region, uint64_t begin, uint64_t size) {
    if (region == LinkMap::kNoIndex)
      return;
    MapRegion &r = map.regions[region];
    r.used = std::max<uint64_t>(r.used, Size(begin - r.origin) + Size(size));
  };
  for (MapOutput &o : map.outputs) {
    if (!o.takesMemory())
      continue;
    o.region = map.regionAt(o.address);
    use(o.region, o.address, o.size);
    if (o.loadRegion != LinkMap::kNoIndex && o.type != ELF::SHT_NOBITS)
      use(o.loadRegion, o.loadAddress, o.size);
  }
}

namespace {

/// Adds reservations to the regions that they are in.
class Reserver {
public:
  Reserver(const Link &link, const SymbolValues &values, LinkMap &map)
      : link(link), values(values), map(map) {}
  void bySymbols();
  void bySections();
  void byStatements();

private:
  std::optional<uint64_t> valueOf(StringRef name, unsigned number) const;
  void add(uint32_t region, MapReservation::Kind kind, StringRef name,
           uint64_t address, uint64_t size) {
    if (region != LinkMap::kNoIndex && size)
      map.regions[region].reservations.push_back({kind, name, address, size});
  }
  bool holdsOne(const MapOutput &output) const;
  bool isEmptyRoom(const MapOutput &output) const;

  const Link &link;
  const SymbolValues &values;
  LinkMap &map;
};

} // namespace

/// A name of the machine's table, where # stands for a number.
static std::string numbered(StringRef name, unsigned number) {
  auto [before, behind] = name.split('#');
  if (before.size() == name.size())
    return name.str();
  return (before + Twine(number) + behind).str();
}

std::optional<uint64_t> Reserver::valueOf(StringRef name,
                                          unsigned number) const {
  const SymbolId id = link.program.symbols.find(numbered(name, number));
  if (id == kNone || !link.symbol(id).isDefined())
    return std::nullopt;
  return values.globals[id];
}

void Reserver::bySymbols() {
  for (const Reservation &r : link.program.target->reservations)
    for (unsigned i = 0; i < r.count; ++i) {
      const uint64_t begin = valueOf(r.begin, i).value_or(0);
      const uint64_t end = r.end ? valueOf(r.end, i).value_or(0) : 0;
      const uint64_t size = r.size        ? valueOf(r.size, i).value_or(0)
                            : end > begin ? end - begin
                                          : 0;
      if (valueOf(r.begin, i))
        add(map.regionAt(begin),
            r.kind == Reservation::Heap ? MapReservation::Heap
                                        : MapReservation::Stack,
            map.keep(numbered(r.name, i)), begin, size);
    }
}

/// Whether a reservation in it is known already.
bool Reserver::holdsOne(const MapOutput &output) const {
  return any_of(map.regions, [&](const MapRegion &region) {
    return any_of(region.reservations, [&](const MapReservation &r) {
      return r.address >= output.address &&
             r.address - output.address < output.size;
    });
  });
}

/// Whether it takes memory and nothing is loaded to it.
bool Reserver::isEmptyRoom(const MapOutput &output) const {
  if (!(output.flags & ELF::SHF_ALLOC) || output.size == 0)
    return false;
  if (output.type == ELF::SHT_NOBITS)
    return true;
  return all_of(ArrayRef(map.parts).slice(output.firstPart, output.parts),
                [](const MapPart &part) {
                  return part.kind == MapPart::Padding || part.size == 0;
                });
}

void Reserver::bySections() {
  for (const MapOutput &o : map.outputs) {
    const bool stack = o.name.contains_insensitive("stack");
    const bool heap = o.name.contains_insensitive("heap");
    if ((stack || heap) && isEmptyRoom(o) && !holdsOne(o))
      add(o.region,
          stack && heap ? MapReservation::Other
          : stack       ? MapReservation::Stack
                        : MapReservation::Heap,
          o.name, o.address, o.size);
  }
}

/// At the end of the memory that the entry is in, from where stacks grow down;
/// where there is no room for it, behind the program.
void Reserver::byStatements() {
  if (!sharesStack(link.program) || map.entryName.empty())
    return;
  const std::optional<StackNeed> need = stackNeed(link, values);
  if (!need)
    return;
  const uint32_t region = map.regionAt(map.entry);
  if (region == LinkMap::kNoIndex)
    return;
  const MapRegion &r = map.regions[region];
  const uint64_t bytes = need->words * link.program.addressSize();
  const uint64_t left = r.length - std::min(r.used, r.length);
  add(region, MapReservation::Stack, map.keep("stack of " + need->function),
      r.origin + (bytes <= left ? r.length - bytes : r.used), bytes);
}

void addReservations(const Link &link, const SymbolValues &values,
                     LinkMap &map) {
  Reserver reserver(link, values, map);
  reserver.bySymbols();
  reserver.bySections();
  reserver.byStatements();
  for (MapRegion &region : map.regions)
    llvm::stable_sort(region.reservations,
                      [](const MapReservation &a, const MapReservation &b) {
                        return a.address < b.address;
                      });
}

} // namespace xlink
