//===- LinkMapBuilder.cpp -------------------------------------------------===//
//
// Problem: the contents of all reports about memory, as one value: the parts of
// each output section without a gap, the reasons for padding, the part of each
// symbol, the references between parts.
//
// Method: the statements of each output section once more, in layout order, as
// the map runs through them: room between the end of one part and the
// beginning of the next is padding, and the statement or section behind it is
// its cause. Each placed input section is one part, so an array from section to
// part answers where a symbol is and where a relocation leads; merged and
// folded sections are replaced by their stand-ins first. Symbols are put in
// order by counting them for each part.
//
// Cost: one visit of each section and symbol and, where references are asked
// for, of each relocation; sorting is within a part only.
//
//===----------------------------------------------------------------------===//
#include "report/CallGraph.h"
#include "report/Reports.h"
#include "resolve/ScriptSymbols.h"
#include "script/ScriptParser.h"

using namespace llvm;

namespace xlink {

static MapSymbol::Kind kindOf(uint8_t type) {
  if (type == ELF::STT_FUNC || type == ELF::STT_GNU_IFUNC)
    return MapSymbol::Function;
  if (type == ELF::STT_OBJECT || type == ELF::STT_COMMON)
    return MapSymbol::Object;
  return type == ELF::STT_TLS       ? MapSymbol::ThreadLocal
         : type == ELF::STT_SECTION ? MapSymbol::Section
                                    : MapSymbol::None;
}

static bool isBefore(const MapSymbol &a, const MapSymbol &b) {
  return a.address < b.address;
}

/// Why a section that lost its place before any layout is not in the output.
static MapDiscarded::Reason reasonOf(const Program &program,
                                     const InputSection &s) {
  const StringRef name = s.parsed->name;
  if ((s.parsed->flags & ELF::SHF_EXCLUDE) || isBuildId(*s.parsed) ||
      s.parsed->kind != SectionKind::Regular)
    return MapDiscarded::Excluded;
  if (program.config.strip != Strip::None &&
      !(s.parsed->flags & ELF::SHF_ALLOC) && !s.parsed->group &&
      !name.starts_with(".gnu.linkonce."))
    return MapDiscarded::Debug;
  return MapDiscarded::Comdat;
}

static_assert(int(LiveEdge::None) == MapPart::Always &&
              int(LiveEdge::Root) == MapPart::Root &&
              int(LiveEdge::Reference) == MapPart::Reference &&
              int(LiveEdge::Dependent) == MapPart::Dependent &&
              int(LiveEdge::Group) == MapPart::Group &&
              int(LiveEdge::Description) == MapPart::Description);

//===----------------------------------------------------------------------===//
// Memory regions
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

/// The regions of MEMORY or, where the script has none, those of the machine's
/// own script: then nothing of them is in use yet. None for a machine that
/// knows no memory, and with -r.
static void addRegions(const Link &link, LinkMap &map) {
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
  if (!parseScript("", builtinScriptText(*program.target, program.state),
                   noInclude, script, silent))
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

/// Adds members that depend on the output sections and their parts: where there
/// is no MEMORY the regions that hold the output sections, and how far these
/// fill them; and the room that is set aside for heaps and stacks.
static void completeRegions(const Link &link, const SymbolValues &values,
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

//===----------------------------------------------------------------------===//
// The value
//===----------------------------------------------------------------------===//

namespace {

class LinkMapBuilder {
public:
  LinkMapBuilder(const Link &link, const SymbolValues &values)
      : link(link), program(link.program), values(values) {}

  LinkMap build(bool crossed) {
    map.machine = program.target->name;
    map.output = program.output.path;
    map.addressBits = program.target->is64 ? 64 : 32;
    partOf = IdVector<SectionId, uint32_t>(program.sections.size(), kNoIndex);
    addFiles();
    addRegions(link, map);
    addOutputs();
    addReasons();
    if (program.entrySymbol != kNone) {
      map.entryName = program.symbols[program.entrySymbol].name;
      map.entry = values.globals[program.entrySymbol];
    } else if (program.config.entry &&
               !StringRef(*program.config.entry).getAsInteger(0, map.entry)) {
      map.entryName = *program.config.entry;
    }
    addSymbols();
    if (crossed)
      addReferences();
    addDiscarded();
    if (program.config.sizeAttribution)
      addDebugSources();
    completeRegions(link, values, map);
    return std::move(map);
  }

private:
  void addFiles() {
    for (const InputFile &file : program.files) {
      const ParsedObject &o = *file.object;
      MapInput &f = map.files.emplace_back();
      f.path = o.archive.empty() ? o.path : o.archive;
      if (!o.archive.empty())
        f.member = o.member();
    }
    for (const Inclusion &i : program.inclusions) {
      MapInput &f = map.files[i.file.index()];
      f.symbol = program.symbols[i.symbol].name;
      f.neededBy = i.by.index();
    }
  }

  /// Debug information knows the folder too, but reading it takes long: only
  /// for reports that show sources.
  void addDebugSources() {
    for (FileId id : program.files.ids()) {
      const InputFile &file = program.files[id];
      const std::vector<ParsedSection> &sections = file.object->sections;
      for (uint32_t i = 1; i < sections.size(); ++i) {
        if (partOf[file.sectionBase + i] == kNoIndex || !sections[i].size ||
            !(sections[i].flags & ELF::SHF_EXECINSTR))
          continue;
        const std::string line = program.sourceLine(file.sectionBase + i, 0);
        if (line.empty())
          continue;
        map.files[id.index()].source =
            map.keep(StringRef(line).rsplit(':').first);
        break;
      }
    }
  }

  /// Where a section is loaded that runs in another place: the region that the
  /// script names, or the one that holds the address.
  uint32_t loadRegionOf(const OutputView &out, uint64_t load) const {
    if (out.lmaRegion != kNone)
      return out.lmaRegion == out.region ? kNoIndex : out.lmaRegion.index();
    if (load == out.address.wrapped())
      return kNoIndex;
    const uint32_t region = map.regionAt(load);
    return region == out.region.index() ? kNoIndex : region;
  }

  void addOutputs() {
    const IdVector<OutputId, Address> loadedTo = link.loadedTo();
    map.parts.reserve(program.sections.size());
    for (const OutputView &out : link.outputsInOrder()) {
      if (!out.kept)
        continue;
      const Address load = loadedTo[out.id];
      MapOutput o;
      o.name = out.name;
      o.address = out.address.wrapped();
      o.loadAddress = out.isAlloc() ? load.wrapped() : o.address;
      o.size = out.size;
      o.align = out.align;
      o.type = out.type;
      o.flags = out.flags;
      o.region = out.region.index();
      o.loadRegion = loadRegionOf(out, o.loadAddress);
      if (o.loadRegion != kNoIndex && out.hasBytes())
        map.regions[o.loadRegion].loadOnly += o.size;
      o.firstPart = uint32_t(map.parts.size());
      map.outputs.push_back(o);
      dot = out.address;
      for (uint32_t i = 0; i < out.items.size(); ++i)
        addItem(out, i);
      fillTo(out.address + out.size,
             [] { return "fill up to the section's end"; });
      map.outputs.back().parts = uint32_t(map.parts.size()) - o.firstPart;
    }
  }

  MapPart &addPart(MapPart::Kind kind, Address at, uint64_t size) {
    MapPart &part = map.parts.emplace_back();
    part.kind = kind;
    part.output = uint32_t(map.outputs.size() - 1);
    part.address = at.wrapped();
    part.size = size;
    dot = std::max(dot, at + size);
    return part;
  }

  void fillTo(Address to, function_ref<std::string()> cause) {
    if (to > dot)
      addPart(MapPart::Padding, dot, to.sizeFrom(dot)).cause =
          map.keep(cause());
  }

  void addItem(const OutputView &out, uint32_t index) {
    const OutputItem &item = out.items[index];
    const ItemPlace &place = link.item(out.section, index);
    const Address begin = out.address + place.offset;
    const ScriptCommand *command = item.command;
    if (command && command->kind == CommandKind::Assignment &&
        static_cast<const AssignmentCommand &>(*command).isDot())
      fillTo(place.value, [&] {
        const ScriptLocation &where = command->where;
        return "assignment to ." + (where.line ? " at " + lineText(where) : "");
      });
    if (command && command->kind == CommandKind::Data) {
      auto &data = static_cast<const DataCommand &>(*command);
      addPart(MapPart::Data, begin, data.value ? data.size : data.bytes.size())
          .pattern = patternOf(*command, place);
    }
    for (uint32_t i = item.begin; i < item.end; ++i)
      if (const SectionId id = out.members[i]; link.placed(id))
        addMember(id, begin + link.addresses.offsets[id], place.subalign,
                  command ? patternOf(*command, place) : kNoIndex);
  }

  /// The statement of the script that puts parts in place, as a pattern.
  uint32_t patternOf(const ScriptCommand &command, const ItemPlace &place) {
    const auto [it, isNew] =
        patterns.try_emplace(&command, uint32_t(map.patterns.size()));
    if (!isNew)
      return it->second;
    MapPattern &made = map.patterns.emplace_back();
    made.script = command.where.file;
    made.line = command.where.line;
    if (command.kind == CommandKind::InputDescription)
      made.text =
          map.keep(patternText(static_cast<const InputDescription &>(command)));
    else if (command.kind == CommandKind::Data)
      made.text = map.keep(
          dataText(static_cast<const DataCommand &>(command), place.value));
    return it->second;
  }

  void addMember(SectionId id, Address at, uint64_t subalign,
                 uint32_t pattern) {
    const InputSection &s = program.sections[id];
    const uint64_t align = subalign ? subalign : uint64_t(s.parsed->align);
    fillTo(at, [&] {
      const std::string name = program.sectionName(id);
      if (at.sizeFrom(dot) >= align)
        return "room in front of " + name;
      return "alignment of " + name + " to " + std::to_string(align) +
             (subalign ? " by SUBALIGN" : "");
    });
    partOf[id] = uint32_t(map.parts.size());
    MapPart &part = addPart(s.file == kNone ? MapPart::Linker
                            : isCommon(s)   ? MapPart::Common
                                            : MapPart::Input,
                            at, link.sizeOf(id));
    part.name = s.parsed->name;
    part.file = s.file.index();
    part.align = align;
    part.pattern = pattern;
  }

  /// Why sections are in the output; the section that keeps one is a part too.
  void addReasons() {
    const auto &edges = link.contributions.liveness.edges;
    if (edges.empty())
      return;
    for (SectionId id : partOf.ids()) {
      if (partOf[id] == kNoIndex)
        continue;
      MapPart &part = map.parts[partOf[id]];
      part.live = MapPart::Live(edges[id].kind);
      if (edges[id].from != kNone)
        part.liveFrom = partOf[link.contributions.standIn(edges[id].from)];
    }
  }

  /// The part that holds a byte of an input section, kNoIndex: it is nowhere.
  uint32_t partAt(SectionId section, uint64_t offset) const {
    if (!link.placed(section))
      return kNoIndex;
    const std::optional<PartialLink::InputByte> byte =
        link.whereIs(section, offset);
    if (!byte)
      return kNoIndex;
    const uint32_t part = partOf[byte->section];
    return part == kNoIndex ? kPartless : part;
  }

  uint32_t partOfGlobal(SymbolId id) const {
    const auto [section, offset] = link.definitionOf(id);
    if (section != kNone)
      return partAt(section, offset);
    return link.symbol(id).isDefined() ? kPartless : kNoIndex;
  }

  /// Whether the map has a local symbol: one with a name, and of those that
  /// compilers call .L* the ones in the symbol table.
  bool wantsLocal(const ParsedObject &object, const ParsedSymbol &s) const {
    if (s.binding != ELF::STB_LOCAL || s.name.empty() ||
        s.type == ELF::STT_SECTION || s.type == ELF::STT_FILE)
      return false;
    if (s.place != SymbolPlace::Section || !s.name.starts_with(".L"))
      return s.place == SymbolPlace::Section ||
             s.place == SymbolPlace::Absolute;
    return !program.discardsLocals() &&
           program.config.discard != Discard::All &&
           !(object.sections[s.section].flags & ELF::SHF_MERGE);
  }

  void addSymbol(uint32_t part, const MapSymbol &symbol) {
    if (part == kPartless)
      map.absolutes.push_back(symbol);
    else if (part != kNoIndex)
      placed.emplace_back(part, symbol);
  }

  /// The local symbols of a file, and the source that they name. A file that -r
  /// made of several ones names several: none then.
  void addLocals(FileId id) {
    const InputFile &file = program.files[id];
    const ParsedObject &object = *file.object;
    StringRef source;
    bool several = false;
    for (uint32_t i = 1; i < object.symbols.size(); ++i) {
      const ParsedSymbol &s = object.symbols[i];
      if (s.binding != ELF::STB_LOCAL)
        continue;
      if (s.type == ELF::STT_FILE && !s.name.empty()) {
        several |= !source.empty() && source != s.name;
        source = s.name;
      }
      if (wantsLocal(object, s))
        addSymbol(s.place == SymbolPlace::Section
                      ? partAt(file.sectionBase + s.section, s.value)
                      : kPartless,
                  {s.name, values.address[file.symbolBase + i], s.size,
                   kindOf(s.type), /*local=*/true, /*weak=*/false});
    }
    if (!several)
      map.files[id.index()].source = source;
  }

  /// Those of each part are side by side and sorted; at one address global ones
  /// are in front, then local ones file by file.
  void addSymbols() {
    for (SymbolId id : program.symbols.ids()) {
      const BoundSymbol s = link.symbol(id);
      addSymbol(partOfGlobal(id),
                {s.name, values.globals[id], s.size, kindOf(s.type),
                 /*local=*/s.isHidden() && !program.config.relocatable,
                 s.binding == ELF::STB_WEAK});
    }
    for (FileId file : program.files.ids())
      addLocals(file);
    llvm::stable_sort(map.absolutes, isBefore);
    Grouped<MapSymbol> symbols(map.parts.size(), [&](auto fn) {
      for (const auto &[part, symbol] : placed)
        fn(part, symbol);
    });
    placed = {};
    for (size_t i = 0; i < map.parts.size(); ++i) {
      MapPart &part = map.parts[i];
      const MutableArrayRef<MapSymbol> those = symbols.of(i);
      part.firstSymbol = symbols.before(i);
      part.symbols = uint32_t(those.size());
      if (those.size() > 1)
        llvm::stable_sort(those, isBefore);
      inferSizes(part, those);
    }
    map.symbols = std::move(symbols).all();
  }

  /// The part that a relocation refers to, if it is in one.
  uint32_t targetOf(const InputFile &file, const Relocation &rel) const {
    const SymbolId id = program.symbolIds[file.symbolBase + rel.symbol];
    if (id != kNone)
      return partOfGlobal(id);
    const ParsedSymbol &s = file.object->symbols[rel.symbol];
    if (s.place != SymbolPlace::Section)
      return kNoIndex;
    // The addend of a section's symbol selects the piece of a merged one.
    return partAt(file.sectionBase + s.section,
                  s.type == ELF::STT_SECTION ? s.value + uint64_t(rel.addend)
                                             : s.value);
  }

  void addReferences() {
    map.crossed = true;
    std::map<uint32_t, uint64_t> counts;
    for (const InputFile &file : program.files)
      for (uint32_t i = 1; i < file.object->sections.size(); ++i) {
        const ParsedSection &section = file.object->sections[i];
        const SectionId id = file.sectionBase + i;
        const uint32_t from = partOf[id];
        if (from == kNoIndex)
          continue;
        std::map<uint32_t, MapReference> references;
        const bool isCut = link.contributions.sections[id].cut != kNone;
        for (uint32_t r = section.relocBegin; r < section.relocEnd; ++r) {
          const Relocation rel = file.object->relocations[r];
          const RelocationRow *row = findRelocation(*program.target, rel.type);
          if (!row || !row->hasField() ||
              (isCut && !link.keepsByte(id, rel.offset)))
            continue;
          ++counts[rel.type];
          const uint32_t to =
              section.flags & ELF::SHF_ALLOC ? targetOf(file, rel) : kNoIndex;
          if (to >= map.parts.size() || to == from)
            continue;
          MapReference &made = references[to];
          made.count += made.count < MapReference::kMost;
          made.call |= row->use == Use::Call || row->use == Use::Branch;
        }
        for (const auto &[to, reference] : references)
          map.references.push_back({from, to, reference.count, reference.call});
      }
    for (auto [type, count] : counts)
      map.relocations.push_back(
          {findRelocation(*program.target, type)->name, count});
  }

  void addDiscarded() {
    for (SectionId id : program.sections.ids(1)) {
      if (partOf[id] != kNoIndex)
        continue;
      const InputSection &s = program.sections[id];
      // -r writes tables of others anew, which are no sections that it dropped.
      if (!s.parsed || s.file == kNone || !isReportedSection(*s.parsed) ||
          (s.parsed->kind != SectionKind::Regular && !s.discarded))
        continue;
      MapDiscarded d;
      if (s.discarded)
        d.reason = reasonOf(program, s);
      else if (!link.contributions.liveness.lives(id))
        d.reason = MapDiscarded::Unused;
      else if (link.contributions.sections[id].folded != kNone)
        d.reason = MapDiscarded::Folded;
      else if (link.placement.sections[id].discarded)
        d.reason = MapDiscarded::Script;
      else
        continue; // nothing of it was left to place
      d.name = s.parsed->name;
      d.file = s.file.index();
      d.size = s.parsed->size;
      map.discarded.push_back(d);
    }
  }

  /// Instead of a part: that of an output section that is left out because
  /// nothing is in it, or of a symbol that is in no section.
  static constexpr uint32_t kPartless = kNoIndex - 1;

  const Link &link;
  const Program &program;
  const SymbolValues &values;
  LinkMap map;

  IdVector<SectionId, uint32_t> partOf;
  std::vector<std::pair<uint32_t, MapSymbol>> placed; ///< symbols, their parts
  DenseMap<const ScriptCommand *, uint32_t> patterns; ///< in the map
  Address dot; ///< where the parts of the output section end so far
};

} // namespace

LinkMap buildLinkMap(const Link &link, const SymbolValues &values,
                     bool crossed) {
  return LinkMapBuilder(link, values).build(crossed);
}

} // namespace xlink
