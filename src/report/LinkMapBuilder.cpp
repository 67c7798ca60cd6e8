//===- LinkMapBuilder.cpp -------------------------------------------------===//
//
// Problem: everything that reports about memory say, as one value: what stands
// in each output section without a gap, why there is padding, which symbol is
// in which part, which part refers to which.
//
// Method: the statements of each output section once more, in layout order, as
// the map runs through them: what lies between the end of one part and the
// beginning of the next is padding, and the statement or section behind it is
// its cause. Each placed input section is one part, so an array from section to
// part answers where a symbol is; merged and folded sections are asked for what
// stands for them first. Symbols are put in order by counting them for each
// part.
//
// Cost: one visit of each section and symbol; sorting is within a part only.
//
//===----------------------------------------------------------------------===//
#include "report/LinkMapBuilder.h"
#include "base/Grouped.h"
#include "map/SymbolSizes.h"
#include "report/MapFile.h"
#include "report/MapReferences.h"
#include "report/MapRegions.h"
#include "report/ScriptText.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

namespace {

/// A local symbol of a file, and the part that it is in.
struct LocalSymbol {
  uint32_t index; ///< in the file
  uint32_t part;  ///< kNoIndex: in none
};

class Builder {
public:
  Builder(const Link &link, const SymbolValues &values)
      : link(link), program(link.program), values(values) {}
  LinkMap build(bool crossed);

private:
  void addFiles();
  void addOutputs();
  void addDebugSources();
  void addEntry();
  void addParts(const OutputView &out);
  void addItem(const OutputView &out, uint32_t index);
  void addMember(SectionId id, Address at, uint64_t subalign, uint32_t pattern);
  void addReasons();
  uint32_t patternOf(const ScriptCommand &command, const ItemPlace &place);
  void addSymbols();
  void placeGlobals();
  bool wantsLocal(const ParsedObject &object, const ParsedSymbol &s) const;
  void placeLocals(FileId id);
  MapSymbol global(SymbolId id) const;
  MapSymbol local(FileId file, uint32_t index) const;
  void addAbsolutes();
  void sortSymbols();
  void addDiscarded();

  /// Padding up to `to`, if there is any; `cause` is called then.
  void fillTo(Address to, function_ref<std::string()> cause);
  MapPart &addPart(MapPart::Kind kind, Address at, uint64_t size);
  uint32_t partAt(SectionId section, uint64_t offset) const;
  /// Whether a byte has a place: without a part that is in an output section
  /// that is left out because nothing is in it.
  bool isPlaced(SectionId section, uint64_t offset) const {
    return link.placed(section) && link.whereIs(section, offset);
  }
  uint32_t loadRegionOf(const OutputView &out, uint64_t load) const;

  const Link &link;
  const Program &program;
  const SymbolValues &values;
  LinkMap map;

  IdVector<SectionId, uint32_t> partOf;
  OpenIdVector<SymbolId, uint32_t> globalPart;        ///< of a global symbol
  IdSet<SymbolId> partless;                           ///< defined, in no part
  std::vector<std::vector<LocalSymbol>> locals;       ///< of each file
  DenseMap<const ScriptCommand *, uint32_t> patterns; ///< in the map
  Address dot; ///< where the parts of the output section end so far
};

} // namespace

//===----------------------------------------------------------------------===//
// Files and the entry
//===----------------------------------------------------------------------===//

void Builder::addFiles() {
  map.files.resize(program.files.size());
  for (FileId id : program.files.ids()) {
    const ParsedObject &o = *program.files[id].object;
    MapInput &f = map.files[id.index()];
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

/// Debug information knows the folder too, but reading it takes long: where
/// somebody wants to read of sources.
void Builder::addDebugSources() {
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

void Builder::addEntry() {
  if (program.entrySymbol != kNone) {
    map.entryName = program.symbols[program.entrySymbol].name;
    map.entry = values.globals[program.entrySymbol];
  } else if (program.config.entry &&
             !StringRef(*program.config.entry).getAsInteger(0, map.entry)) {
    map.entryName = *program.config.entry;
  }
}

//===----------------------------------------------------------------------===//
// Output sections and what stands in them
//===----------------------------------------------------------------------===//

/// Where a section is loaded that runs in another place: the region that the
/// script names, or the one that holds the address.
uint32_t Builder::loadRegionOf(const OutputView &out, uint64_t load) const {
  if (out.lmaRegion != kNone)
    return out.lmaRegion == out.region ? kNoIndex : out.lmaRegion.index();
  if (load == out.address.wrapped())
    return kNoIndex;
  const uint32_t region = map.regionAt(load);
  return region == out.region.index() ? kNoIndex : region;
}

void Builder::addOutputs() {
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
    addParts(out);
    map.outputs.back().parts = uint32_t(map.parts.size()) - o.firstPart;
  }
}

MapPart &Builder::addPart(MapPart::Kind kind, Address at, uint64_t size) {
  MapPart &part = map.parts.emplace_back();
  part.kind = kind;
  part.output = uint32_t(map.outputs.size() - 1);
  part.address = at.wrapped();
  part.size = size;
  dot = std::max(dot, at + size);
  return part;
}

void Builder::fillTo(Address to, function_ref<std::string()> cause) {
  if (to > dot)
    addPart(MapPart::Padding, dot, to.sizeFrom(dot)).cause = map.keep(cause());
}

/// " at x.ld:12", or nothing without a place.
static std::string atLine(const ScriptLocation &where) {
  if (!where.line)
    return "";
  return " at " + lineText(where);
}

void Builder::addParts(const OutputView &out) {
  dot = out.address;
  for (uint32_t i = 0; i < out.items.size(); ++i)
    addItem(out, i);
  fillTo(out.address + out.size, [] { return "fill up to the section's end"; });
}

void Builder::addItem(const OutputView &out, uint32_t index) {
  const OutputItem &item = out.items[index];
  const ItemPlace &place = link.item(out.section, index);
  const Address begin = out.address + place.offset;
  const ScriptCommand *command = item.command;
  if (command && command->kind == CommandKind::Assignment &&
      static_cast<const AssignmentCommand &>(*command).isDot())
    fillTo(place.value,
           [&] { return "assignment to ." + atLine(command->where); });
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

/// What of the script puts parts in place; one for all that it does.
uint32_t Builder::patternOf(const ScriptCommand &command,
                            const ItemPlace &place) {
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

void Builder::addMember(SectionId id, Address at, uint64_t subalign,
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

static_assert(int(LiveEdge::None) == MapPart::Always &&
              int(LiveEdge::Root) == MapPart::Root &&
              int(LiveEdge::Reference) == MapPart::Reference &&
              int(LiveEdge::Dependent) == MapPart::Dependent &&
              int(LiveEdge::Group) == MapPart::Group &&
              int(LiveEdge::Description) == MapPart::Description);

/// Why sections are in the output; the section that keeps one is a part too.
void Builder::addReasons() {
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

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// The part that holds a byte of an input section, kNoIndex: it is nowhere.
uint32_t Builder::partAt(SectionId section, uint64_t offset) const {
  if (!link.placed(section))
    return kNoIndex;
  const std::optional<PartialLink::InputByte> byte =
      link.whereIs(section, offset);
  return byte ? partOf[byte->section] : kNoIndex;
}

static MapSymbol::Kind kindOf(uint8_t type) {
  switch (type) {
  case ELF::STT_FUNC:
  case ELF::STT_GNU_IFUNC:
    return MapSymbol::Function;
  case ELF::STT_OBJECT:
  case ELF::STT_COMMON:
    return MapSymbol::Object;
  case ELF::STT_TLS:
    return MapSymbol::ThreadLocal;
  case ELF::STT_SECTION:
    return MapSymbol::Section;
  default:
    return MapSymbol::None;
  }
}

static bool isBefore(const MapSymbol &a, const MapSymbol &b) {
  return a.address < b.address;
}

/// Where each global symbol is.
void Builder::placeGlobals() {
  globalPart.extend(program.symbols.size());
  partless = IdSet<SymbolId>(program.symbols.size());
  program.symbols.forEach(program.parallel, [&](SymbolId id) {
    const auto [section, offset] = link.definitionOf(id);
    globalPart[id] = kNoIndex;
    if (section == kNone) {
      partless.set(id, link.symbol(id).isDefined());
      return;
    }
    globalPart[id] = partAt(section, offset);
    if (globalPart[id] == kNoIndex)
      partless.set(id, isPlaced(section, offset));
  });
}

/// Whether the map has a local symbol: one with a name, and of those that
/// compilers call .L* what the symbol table has.
bool Builder::wantsLocal(const ParsedObject &object,
                         const ParsedSymbol &s) const {
  if (s.binding != ELF::STB_LOCAL || s.name.empty() ||
      s.type == ELF::STT_SECTION || s.type == ELF::STT_FILE)
    return false;
  if (s.place != SymbolPlace::Section || !s.name.starts_with(".L"))
    return s.place == SymbolPlace::Section || s.place == SymbolPlace::Absolute;
  const Discard discard = program.config.discard;
  return discard != Discard::Locals && discard != Discard::All &&
         !(object.sections[s.section].flags & ELF::SHF_MERGE);
}

/// Where the local symbols of a file are, and what it was compiled from, as
/// they say. What -r made of several files names several: nothing then.
void Builder::placeLocals(FileId id) {
  const InputFile &file = program.files[id];
  const ParsedObject &object = *file.object;
  StringRef source;
  bool several = false;
  const ArrayRef<ParsedSymbol> all = object.symbolsToLastLocal();
  for (uint32_t i = 1; i < all.size(); ++i) {
    const ParsedSymbol &s = all[i];
    if (s.type == ELF::STT_FILE && !s.name.empty()) {
      several |= !source.empty() && source != s.name;
      source = s.name;
    }
    if (!wantsLocal(object, s))
      continue;
    uint32_t part = kNoIndex;
    if (s.place == SymbolPlace::Section) {
      const SectionId section = file.sectionBase + s.section;
      part = partAt(section, s.value);
      if (part == kNoIndex && !isPlaced(section, s.value))
        continue;
    }
    locals[id.index()].push_back({i, part});
  }
  if (!several)
    map.files[id.index()].source = source;
}

MapSymbol Builder::global(SymbolId id) const {
  const BoundSymbol s = link.symbol(id);
  return {s.name,
          values.globals[id],
          s.size,
          kindOf(s.type),
          /*local=*/s.isHidden() && !program.config.relocatable,
          s.binding == ELF::STB_WEAK};
}

MapSymbol Builder::local(FileId id, uint32_t index) const {
  const InputFile &file = program.files[id];
  const ParsedSymbol &s = file.object->symbols[index];
  return {s.name,         values.address[file.symbolBase + index],
          s.size,         kindOf(s.type),
          /*local=*/true, /*weak=*/false};
}

void Builder::addAbsolutes() {
  for (SymbolId id : program.symbols.ids())
    if (partless.contains(id))
      map.absolutes.push_back(global(id));
  for (FileId file : program.files.ids())
    for (const LocalSymbol &s : locals[file.index()])
      if (s.part == kNoIndex)
        map.absolutes.push_back(local(file, s.index));
  llvm::stable_sort(map.absolutes, isBefore);
}

/// Puts the symbols of each part side by side: global ones, then the local ones
/// file by file; those of a part are sorted.
void Builder::sortSymbols() {
  Grouped<MapSymbol> symbols(map.parts.size(), [&](auto fn) {
    for (SymbolId id : globalPart.ids())
      if (globalPart[id] != kNoIndex)
        fn(globalPart[id], global(id));
    for (FileId file : program.files.ids())
      for (const LocalSymbol &s : locals[file.index()])
        if (s.part != kNoIndex)
          fn(s.part, local(file, s.index));
  });
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

void Builder::addSymbols() {
  placeGlobals();
  locals.resize(program.files.size());
  program.parallel.forEach(locals.size(), program.symbolIds.size() * 64,
                           [&](size_t i) { placeLocals(FileId(i)); });
  addAbsolutes();
  sortSymbols();
  locals = {};
}

//===----------------------------------------------------------------------===//
// What is not there
//===----------------------------------------------------------------------===//

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

void Builder::addDiscarded() {
  // Room that nothing is put into costs nothing.
  map.discarded.reserve(size_t(llvm::count(partOf, kNoIndex)));
  for (SectionId id : program.sections.ids(1)) {
    if (partOf[id] != kNoIndex)
      continue;
    const InputSection &s = program.sections[id];
    // -r writes tables of others anew, which are no sections that it dropped.
    if (!s.parsed || s.file == kNone || !isReportedSection(*s.parsed) ||
        (s.parsed->kind != SectionKind::Regular && !s.discarded))
      continue;
    const SectionPlace &place = link.placement.sections[id];
    MapDiscarded d;
    if (s.discarded)
      d.reason = reasonOf(program, s);
    else if (!link.contributions.liveness.lives(id))
      d.reason = MapDiscarded::Unused;
    else if (link.contributions.sections[id].folded != kNone)
      d.reason = MapDiscarded::Folded;
    else if (place.discarded)
      d.reason = MapDiscarded::Script;
    else
      continue; // nothing of it was left to place
    d.name = s.parsed->name;
    d.file = s.file.index();
    d.size = s.parsed->size;
    map.discarded.push_back(d);
  }
}

LinkMap Builder::build(bool crossed) {
  map.machine = program.target->name;
  map.output = program.output.path;
  map.addressBits = program.target->is64 ? 64 : 32;
  partOf = IdVector<SectionId, uint32_t>(program.sections.size(), kNoIndex);
  addFiles();
  addRegions(link, map);
  addOutputs();
  addReasons();
  useMachineRegions(link, map);
  addEntry();
  addSymbols();
  if (crossed)
    addReferences(link, partOf, globalPart, map);
  globalPart = {};
  addDiscarded();
  if (program.config.sizeAttribution)
    addDebugSources();
  addReservations(link, values, map);
  return std::move(map);
}

LinkMap buildLinkMap(const Link &link, const SymbolValues &values,
                     bool crossed) {
  return Builder(link, values).build(crossed);
}

} // namespace xlink
