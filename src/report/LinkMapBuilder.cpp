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
// part answers where a symbol or the target of a relocation is; merged and
// folded sections are asked for what stands for them first. Symbols are put in
// order by counting them for each part. Relocations are read where somebody
// asks for them, once, files in parallel; those of one part are sorted by
// target and counted.
//
// Cost: one visit of each section and symbol; sorting is within a part only.
// That of the relocations costs as much again.
//
//===----------------------------------------------------------------------===//
#include "report/LinkMapBuilder.h"
#include "map/SymbolSizes.h"
#include "report/MapFile.h"
#include "report/MapRegions.h"
#include "report/ScriptText.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <array>
#include <map>

using namespace llvm;

namespace xlink {

namespace {

/// A local symbol of a file, and the part that it is in.
struct LocalSymbol {
  uint32_t index;            ///< in the file
  uint32_t part;             ///< kNoIndex: in none
  uint32_t place = kNoIndex; ///< in LinkMap::symbols
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
  void addMember(SectionId id, Address at, const ItemPlace &place,
                 uint32_t pattern);
  uint32_t patternOf(const ScriptCommand &command, const ItemPlace &place);
  void addLiveness();
  void addSymbols();
  void placeGlobals();
  bool wantsLocal(const ParsedObject &object, const ParsedSymbol &s) const;
  void placeLocals();
  MapSymbol symbolOf(SymbolId id) const;
  MapSymbol symbolOf(const InputFile &file, const LocalSymbol &local) const;
  void addAbsolutes();
  std::vector<uint32_t> countSymbols() const;
  void fillSymbols(std::vector<uint32_t> next);
  void addReferences();
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

/// What a file was compiled from, as its symbols say. What -r made of several
/// files names several: nothing then.
static StringRef sourceOf(const ParsedObject &object) {
  StringRef source;
  for (const ParsedSymbol &s : object.symbols) {
    if (s.type != ELF::STT_FILE || s.name.empty() || s.name == source)
      continue;
    if (!source.empty())
      return "";
    source = s.name;
  }
  return source;
}

void Builder::addFiles() {
  map.files.resize(program.files.size());
  program.parallel.forEach(
      map.files.size(), program.symbolIds.size() * 8, [&](size_t i) {
        const ParsedObject &o = *program.files[FileId(i)].object;
        MapFile &f = map.files[i];
        f.path = o.archive.empty() ? o.path : o.archive;
        if (!o.archive.empty())
          f.member = o.member;
        f.source = sourceOf(o);
      });
  for (const Inclusion &i : program.inclusions) {
    MapFile &f = map.files[i.file.index()];
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
  for (uint32_t i = 0; i < map.regions.size(); ++i)
    if (const MapRegion &r = map.regions[i];
        load >= r.origin && load - r.origin < r.length)
      return i == out.region.index() ? kNoIndex : i;
  return kNoIndex;
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
    MapPart &part = addPart(MapPart::Data, begin,
                            data.value ? data.size : data.bytes.size());
    part.pattern = patternOf(*command, place);
  }
  uint32_t pattern = kNoIndex;
  constexpr uint32_t kAhead = 16;
  for (uint32_t i = item.begin; i < item.end; ++i) {
    // What files say of their sections lies far apart.
    if (i + kAhead < item.end)
      __builtin_prefetch(program.sections[out.members[i + kAhead]].parsed);
    if (link.placed(out.members[i])) {
      if (command && pattern == kNoIndex)
        pattern = patternOf(*command, place);
      addMember(out.members[i], begin + link.geometry.offsets[out.members[i]],
                place, pattern);
    }
  }
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

void Builder::addMember(SectionId id, Address at, const ItemPlace &place,
                        uint32_t pattern) {
  const InputSection &s = program.sections[id];
  const Size size = link.sizeOf(id);
  const uint64_t align =
      place.subalign ? place.subalign : uint64_t(s.parsed->align);
  fillTo(at, [&] {
    const std::string name = program.sectionName(id);
    if (at.sizeFrom(dot) >= align)
      return "room in front of " + name;
    return "alignment of " + name + " to " + std::to_string(align) +
           (place.subalign ? " by SUBALIGN" : "");
  });
  MapPart &part = addPart(s.file == kNone ? MapPart::Linker
                          : isCommon(s)   ? MapPart::Common
                                          : MapPart::Input,
                          at, size);
  partOf[id] = uint32_t(map.parts.size() - 1);
  part.name = s.parsed->name;
  part.file = s.file.index();
  part.align = align;
  part.pattern = pattern;
}

/// Why each part is in the output; those that keep others are parts too.
void Builder::addLiveness() {
  const Liveness &liveness = link.contents.liveness;
  if (liveness.edges.empty())
    return;
  for (SectionId id : program.sections.ids()) {
    if (partOf[id] == kNoIndex)
      continue;
    const LiveEdge &edge = liveness.edges[id];
    MapPart &part = map.parts[partOf[id]];
    part.live = MapPart::Live(edge.kind);
    if (edge.from != kNone)
      part.liveFrom = partOf[link.contents.standIn(edge.from)];
  }
}
static_assert(int(LiveEdge::None) == MapPart::Always &&
              int(LiveEdge::Root) == MapPart::Root &&
              int(LiveEdge::Reference) == MapPart::Reference &&
              int(LiveEdge::Dependent) == MapPart::Dependent &&
              int(LiveEdge::Group) == MapPart::Group &&
              int(LiveEdge::Description) == MapPart::Description);

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// The part that holds a byte of an input section, kNoIndex: it is nowhere.
uint32_t Builder::partAt(SectionId section, uint64_t offset) const {
  if (!link.placed(section))
    return kNoIndex;
  const std::optional<Parts::InputByte> byte = link.whereIs(section, offset);
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

/// Where the local symbols of the files are.
void Builder::placeLocals() {
  locals.resize(program.files.size());
  program.parallel.forEach(
      locals.size(), program.symbolIds.size() * 64, [&](size_t f) {
        const InputFile &file = program.files[FileId(f)];
        const ParsedObject &object = *file.object;
        for (uint32_t i = 1; i < object.symbols.size(); ++i) {
          const ParsedSymbol &s = object.symbols[i];
          if (!wantsLocal(object, s))
            continue;
          uint32_t part = kNoIndex;
          if (s.place == SymbolPlace::Section) {
            const SectionId section = file.sectionBase + s.section;
            part = partAt(section, s.value);
            if (part == kNoIndex && !isPlaced(section, s.value))
              continue;
          }
          locals[f].push_back({i, part});
        }
      });
}

MapSymbol Builder::symbolOf(SymbolId id) const {
  auto made = [&](const Symbol &s) {
    return MapSymbol{s.name,
                     values.globals[id],
                     s.size,
                     kindOf(s.type),
                     /*local=*/s.hidden,
                     s.binding == ELF::STB_WEAK};
  };
  const Symbol &s = program.symbols[id];
  return s.slot == kNone ? made(s) : made(link.symbol(id));
}

MapSymbol Builder::symbolOf(const InputFile &file,
                            const LocalSymbol &local) const {
  const ParsedSymbol &s = file.object->symbols[local.index];
  return {s.name,         values.address[file.symbolBase + local.index],
          s.size,         kindOf(s.type),
          /*local=*/true, /*weak=*/false};
}

void Builder::addAbsolutes() {
  for (SymbolId id : program.symbols.ids())
    if (partless.contains(id))
      map.absolutes.push_back(symbolOf(id));
  for (size_t f = 0; f < locals.size(); ++f)
    for (const LocalSymbol &local : locals[f])
      if (local.part == kNoIndex)
        map.absolutes.push_back(symbolOf(program.files[FileId(f)], local));
  llvm::stable_sort(map.absolutes, isBefore);
}

/// Where the symbols of each part begin, and behind that where the last end.
std::vector<uint32_t> Builder::countSymbols() const {
  std::vector<uint32_t> first(map.parts.size() + 1);
  for (uint32_t part : globalPart)
    if (part != kNoIndex)
      ++first[part + 1];
  for (const std::vector<LocalSymbol> &file : locals)
    for (const LocalSymbol &local : file)
      if (local.part != kNoIndex)
        ++first[local.part + 1];
  for (size_t i = 1; i < first.size(); ++i)
    first[i] += first[i - 1];
  return first;
}

/// Puts symbols where those of their part begin: global ones, then the local
/// ones file by file. To give out the places takes one thread.
void Builder::fillSymbols(std::vector<uint32_t> next) {
  IdVector<SymbolId, uint32_t> place(globalPart.size(), kNoIndex);
  for (SymbolId id : globalPart.ids())
    if (globalPart[id] != kNoIndex)
      place[id] = next[globalPart[id]]++;
  for (std::vector<LocalSymbol> &file : locals)
    for (LocalSymbol &local : file)
      if (local.part != kNoIndex)
        local.place = next[local.part]++;
  program.symbols.forEach(program.parallel, [&](SymbolId id) {
    if (place[id] != kNoIndex)
      map.symbols[place[id]] = symbolOf(id);
  });
  program.parallel.forEach(locals.size(), program.symbolIds.size() * 32,
                           [&](size_t f) {
                             for (const LocalSymbol &local : locals[f])
                               if (local.part != kNoIndex)
                                 map.symbols[local.place] =
                                     symbolOf(program.files[FileId(f)], local);
                           });
}

void Builder::addSymbols() {
  placeGlobals();
  placeLocals();
  addAbsolutes();
  const std::vector<uint32_t> first = countSymbols();
  map.symbols.resize(first.back());
  fillSymbols(first);
  program.parallel.forEach(
      map.parts.size(), map.parts.size() * 96, [&](size_t i) {
        MapPart &part = map.parts[i];
        part.firstSymbol = first[i];
        part.symbols = first[i + 1] - first[i];
        const auto symbols = MutableArrayRef(
            map.symbols.data() + part.firstSymbol, part.symbols);
        if (symbols.size() > 1)
          llvm::stable_sort(symbols, isBefore);
        inferSizes(part, symbols);
      });
}

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

namespace {

/// What the relocations of one file say.
struct FileReferences {
  std::vector<MapReference> references; ///< those of a part side by side
  /// How often each type of relocation occurs.
  std::array<uint64_t, 256> low{};
  std::map<uint32_t, uint64_t> high;

  void count(uint32_t type) {
    if (type < low.size())
      ++low[type];
    else
      ++high[type];
  }
};

/// Reads the relocations of one file.
class ReferenceReader {
public:
  ReferenceReader(const Link &link, const RelocationIndex &rows,
                  const IdVector<SectionId, uint32_t> &partOf,
                  const OpenIdVector<SymbolId, uint32_t> &globalPart,
                  const InputFile &file)
      : link(link), rows(rows), partOf(partOf), globalPart(globalPart),
        file(file) {}
  FileReferences read();

private:
  uint32_t localTarget(uint32_t symbol, int64_t addend) const;
  bool varies(uint32_t symbol) const;
  uint32_t target(const Relocation &rel);
  void add(uint32_t from, std::vector<uint64_t> &targets);

  /// In `targets`: nobody has asked yet; the addend decides.
  static constexpr uint32_t kUnknown = kNoIndex - 1, kVaries = kNoIndex - 2;

  const Link &link;
  const RelocationIndex &rows;
  const IdVector<SectionId, uint32_t> &partOf;
  const OpenIdVector<SymbolId, uint32_t> &globalPart;
  const InputFile &file;
  std::vector<uint32_t> targets; ///< the part of each symbol of the file
  FileReferences result;
};

} // namespace

/// The part that a relocation against a local symbol refers to, kNoIndex: none.
uint32_t ReferenceReader::localTarget(uint32_t symbol, int64_t addend) const {
  const ParsedSymbol &s = file.object->symbols[symbol];
  const SectionId section = file.sectionBase + s.section;
  if (s.place != SymbolPlace::Section || !link.placed(section))
    return kNoIndex;
  // The addend of a section's symbol selects the piece of a merged one.
  const uint64_t offset =
      s.type == ELF::STT_SECTION ? s.value + uint64_t(addend) : s.value;
  const std::optional<Parts::InputByte> byte = link.whereIs(section, offset);
  return byte ? partOf[byte->section] : kNoIndex;
}

/// Whether the addend decides to which part a local symbol leads.
bool ReferenceReader::varies(uint32_t symbol) const {
  const ParsedSymbol &s = file.object->symbols[symbol];
  return s.type == ELF::STT_SECTION && s.place == SymbolPlace::Section &&
         link.contents.sections[file.sectionBase + s.section].merge != kNone;
}

/// Many relocations are against few symbols: each is looked up once. What the
/// file says of its global ones is no longer in a cache, and does not matter.
uint32_t ReferenceReader::target(const Relocation &rel) {
  uint32_t &known = targets[rel.symbol];
  if (known == kUnknown) {
    const SymbolId id = link.program.symbolIds[file.symbolBase + rel.symbol];
    known = id != kNone          ? globalPart[id]
            : varies(rel.symbol) ? kVaries
                                 : localTarget(rel.symbol, rel.addend);
  }
  return known == kVaries ? localTarget(rel.symbol, rel.addend) : known;
}

/// What a part refers to: part, and in the lowest bit not a call.
void ReferenceReader::add(uint32_t from, std::vector<uint64_t> &to) {
  std::sort(to.begin(), to.end());
  std::vector<MapReference> &all = result.references;
  uint32_t last = kNoIndex;
  for (uint64_t t : to) {
    const uint32_t part = uint32_t(t >> 1);
    if (part != last)
      all.push_back({from, part, 2 | uint32_t(~t & 1)});
    else if (all.back().count() < MapReference::kMost)
      all.back().uses += 2;
    last = part;
  }
}

FileReferences ReferenceReader::read() {
  targets.assign(file.object->symbols.size(), kUnknown);
  result.references.reserve(file.object->relocations.size());
  std::vector<uint64_t> to;
  const ParsedObject &object = *file.object;
  for (uint32_t i = 1; i < object.sections.size(); ++i) {
    const ParsedSection &section = object.sections[i];
    const SectionId id = file.sectionBase + i;
    const uint32_t from = partOf[id];
    if (from == kNoIndex)
      continue;
    to.clear();
    const bool isCut = link.contents.sections[id].cut != kNone;
    for (uint32_t r = section.relocBegin; r < section.relocEnd; ++r) {
      const Relocation rel = object.relocations[r];
      const RelocationRow *row = rows.find(rel.type);
      if (!row || !row->hasField() ||
          (isCut && !link.keepsByte(id, rel.offset)))
        continue;
      result.count(rel.type);
      if (!(section.flags & ELF::SHF_ALLOC))
        continue;
      const uint32_t part = target(rel);
      const bool call = row->use == Use::Call || row->use == Use::Branch;
      if (part != kNoIndex && part != from)
        to.push_back(uint64_t(part) << 1 | !call);
    }
    add(from, to);
  }
  return std::move(result);
}

void Builder::addReferences() {
  map.crossed = true;
  const RelocationIndex rows(*program.target);
  std::vector<FileReferences> files(program.files.size());
  size_t relocations = 0;
  for (const InputFile &file : program.files)
    relocations += file.object->relocations.size();
  map.references.resize(files.size());
  program.parallel.forEach(files.size(), relocations * 24, [&](size_t i) {
    files[i] = ReferenceReader(link, rows, partOf, globalPart,
                               program.files[FileId(i)])
                   .read();
    map.references[i] = std::move(files[i].references);
  });
  std::map<uint32_t, uint64_t> counts;
  for (const FileReferences &f : files) {
    for (uint32_t type = 0; type < f.low.size(); ++type)
      if (f.low[type])
        counts[type] += f.low[type];
    for (auto [type, count] : f.high)
      counts[type] += count;
  }
  for (auto [type, count] : counts)
    map.relocations.push_back({rows.find(type)->name, count});
}

//===----------------------------------------------------------------------===//
// What is not there
//===----------------------------------------------------------------------===//

/// Why a section that lost its place before any layout is not in the output.
static MapDiscarded::Reason reasonOf(const Program &program,
                                     const InputSection &s) {
  const StringRef name = s.parsed->name;
  if ((s.parsed->fileFlags & ELF::SHF_EXCLUDE) ||
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
    else if (!link.contents.liveness.lives(id))
      d.reason = MapDiscarded::Unused;
    else if (link.contents.sections[id].folded != kNone)
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
  useMachineRegions(link, map);
  addEntry();
  addLiveness();
  addSymbols();
  if (crossed)
    addReferences();
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
