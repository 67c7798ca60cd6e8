//===- FileMap.cpp --------------------------------------------------------===//
//
// Problem: the sizes of a file whose linker wrote no map of --map-json are
// needed in the form of one.
//
// Method: a section is cut into the parts that the linker's own map states, or
// is one part. Without a stated file a part is cut at its symbols: the bytes of
// a local symbol belong to the source file that the symbol table names, all
// others to "(no file)". Sources by DWARF come before all that: the code of
// each sequence of a unit's line table, and the variables of the unit's entry,
// which have the sizes of their symbols. A sequence at address 0 is that of a
// function which the linker has dropped, unless it has the function that is
// there.
//
// Cost: n log n in the parts and symbols; with DWARF linear in its sections.
//
//===----------------------------------------------------------------------===//
#include "inspect/FileMap.h"
#include "debug/LineTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

static MapSymbol symbolForMap(const LinkedFile &file, const ElfSymbol &from) {
  MapSymbol to;
  to.name = from.name;
  to.address = from.isIn(file)
                   ? file.sections[from.section].address + file.offsetOf(from)
                   : from.value;
  to.size = from.size;
  to.kind = from.type == STT_FUNC     ? MapSymbol::Function
            : from.type == STT_OBJECT ? MapSymbol::Object
            : from.type == STT_TLS    ? MapSymbol::ThreadLocal
                                      : MapSymbol::None;
  to.local = from.binding == STB_LOCAL;
  to.weak = from.binding == STB_WEAK;
  return to;
}

namespace {

class ElfMap {
public:
  ElfMap(const LinkedFile &file, const LinkMap *stated, Diagnostics &diag)
      : file(file), stated(stated), diag(diag) {}

  std::optional<LinkMap> run(bool bySource) {
    map.machine = file.target->name;
    map.output = map.keep(file.name);
    map.addressBits = file.target->is64 ? 64 : 32;
    if (stated) {
      map.files = stated->files;
      map.regions = stated->regions;
      map.discarded = stated->discarded;
      for (const MapOutput &out : stated->outputs)
        statedOutputs[out.name].push_back(&out);
    }
    if (bySource && file.hasAddresses())
      readSources();
    std::vector<std::vector<uint32_t>> bySection = sortSymbols();
    for (uint32_t i = 1; i < file.sections.size(); ++i)
      if (!file.sections[i].isTable() &&
          !addSection(file.sections[i], bySection[i]))
        return std::nullopt;
    placeRegions();
    return std::move(map);
  }

private:
  /// Bytes of one file.
  struct Span {
    uint64_t begin, end; ///< addresses
    uint32_t file;
  };

  /// Symbols by section, in order of their values; others enter the map.
  std::vector<std::vector<uint32_t>> sortSymbols() {
    std::vector<std::vector<uint32_t>> bySection(file.sections.size());
    for (uint32_t i = 0; i < file.symbols.size(); ++i) {
      const ElfSymbol &s = file.symbols[i];
      if (s.isMark())
        continue;
      if (s.isIn(file) && s.value == file.entry && map.entryName.empty()) {
        map.entryName = s.name;
        map.entry = file.entry;
      }
      if (s.isBase(*file.target))
        continue;
      if (s.section == LinkedFile::kAbsolute)
        map.absolutes.push_back(symbolForMap(file, s));
      else if (s.isIn(file) && s.value >= file.sections[s.section].address &&
               file.offsetOf(s) < file.sections[s.section].size)
        bySection[s.section].push_back(i);
    }
    for (std::vector<uint32_t> &symbols : bySection)
      stable_sort(symbols, [&](uint32_t x, uint32_t y) {
        return file.symbols[x].value < file.symbols[y].value;
      });
    return bySection;
  }

  uint32_t fileOf(StringRef source) {
    const auto [it, isNew] = files.try_emplace(source, map.files.size());
    if (isNew) {
      const StringRef path = map.keep(source);
      map.files.push_back({path, "", "", kNoIndex, path});
    }
    return it->second;
  }

  /// Fills in `sources` from DWARF.
  void readSources() {
    const bool isBig = file.target->isBig;
    DebugSections dwarf(file);
    const StringRef strings = dwarf.get(".debug_str"),
                    lineStrings = dwarf.get(".debug_line_str");
    const LineTable lines(
        {dwarf.get(".debug_line"), lineStrings, strings, isBig},
        /*lines=*/false);
    const EntryTables entries =
        readEntries({dwarf.get(".debug_info"), dwarf.get(".debug_abbrev"),
                     dwarf.get(".debug_addr"), isBig, strings, lineStrings,
                     dwarf.get(".debug_str_offsets")});
    auto add = [&](uint64_t begin, uint64_t end, uint64_t table) {
      const auto unit = entries.units.find(table);
      if (unit != entries.units.end() && !unit->second.empty())
        sources.push_back({begin, end, fileOf(unit->second)});
    };
    uint64_t sizeAtZero = UINT64_MAX; // of the function there, if there is one
    for (const ElfSymbol &s : file.symbols) {
      // Bit 0 may be a mark, as that of Thumb.
      if (s.type == STT_FUNC && s.size && s.value < 2)
        sizeAtZero = s.size;
      const auto variable = entries.variables.find(s.value);
      if (variable != entries.variables.end() && s.type == STT_OBJECT && s.size)
        add(s.value, SaturatingAdd(s.value, s.size), variable->second.table);
    }
    for (const LineTable::Sequence &s : lines.sequences)
      if (s.low || s.high >= sizeAtZero)
        add(s.low, s.high, s.table);
    // Of overlapping ones the first has the bytes.
    stable_sort(sources,
                [](const Span &a, const Span &b) { return a.begin < b.begin; });
    uint64_t end = 0;
    erase_if(sources, [&](Span &s) {
      s.begin = std::max(s.begin, end);
      end = std::max(end, s.end);
      return s.begin >= s.end;
    });
  }

  /// The section as the linker's map has it; null: it does not. False, and an
  /// error, if that has another one of the name.
  bool findStated(const ElfSection &section, const MapOutput *&found) {
    const auto same = statedOutputs.find(section.name);
    if (same == statedOutputs.end() || !section.isLoaded())
      return true;
    for (const MapOutput *out : same->second)
      if (out->address == section.address && out->size == section.size)
        found = out;
    if (found)
      return true;
    const MapOutput &other = *same->second.front();
    diag.error((stated->output + ": is the map of another link: " +
                section.name + " has " + hex(other.size) + " bytes at " +
                hex(other.address) + ", and in " + file.name + " " +
                hex(section.size) + " at " + hex(section.address))
                   .str());
    return false;
  }

  bool addSection(const ElfSection &section, ArrayRef<uint32_t> symbols) {
    MapOutput out;
    out.name = section.name;
    out.address = section.address;
    out.loadAddress = file.loadAddressOf(section);
    out.size = section.size;
    out.align = section.align;
    out.type = section.type;
    out.flags = section.flags;
    out.firstPart = uint32_t(map.parts.size());
    map.outputs.push_back(out);
    const MapOutput *as = nullptr;
    if (!findStated(section, as))
      return false;
    MapPart whole;
    whole.name = section.name;
    whole.address = section.address;
    whole.size = section.size;
    const ArrayRef<MapPart> parts =
        !section.size ? ArrayRef<MapPart>()
        : as          ? ArrayRef(stated->parts).slice(as->firstPart, as->parts)
                      : ArrayRef(whole);
    for (const MapPart &part : parts) {
      const bool last = &part == &parts.back();
      const ArrayRef<uint32_t> inside = symbols.take_while([&](uint32_t s) {
        return last || file.symbols[s].value < part.address + part.size;
      });
      symbols = symbols.drop_front(inside.size());
      addPart(part, inside);
    }
    map.outputs.back().parts = uint32_t(map.parts.size()) - out.firstPart;
    return true;
  }

  /// The bytes of local symbols, each up to its end.
  std::vector<Span> spansOf(ArrayRef<uint32_t> symbols,
                            ArrayRef<MapSymbol> sized) {
    std::vector<Span> spans;
    for (size_t i = 0; i < symbols.size(); ++i) {
      const MapSymbol &s = sized[i];
      if (!s.size || (!spans.empty() && s.address < spans.back().end))
        continue;
      const StringRef source = file.symbols[symbols[i]].file;
      spans.push_back(
          {s.address, SaturatingAdd(s.address, s.size),
           s.local && !source.empty() ? fileOf(source) : fileOf("(no file)")});
    }
    return spans;
  }

  /// The file of a byte, kNoIndex: of none. Lowers `end` to where that changes.
  static uint32_t fileAt(ArrayRef<Span> spans, uint64_t address,
                         uint64_t &end) {
    const auto span =
        partition_point(spans, [&](const Span &s) { return s.end <= address; });
    if (span == spans.end())
      return kNoIndex;
    const bool inside = span->begin <= address;
    end = std::min(end, inside ? span->end : span->begin);
    return inside ? span->file : kNoIndex;
  }

  /// Adds a part of the last output section, cut where another file begins.
  void addPart(MapPart part, ArrayRef<uint32_t> symbols) {
    std::vector<MapSymbol> sized;
    for (uint32_t s : symbols)
      sized.push_back(symbolForMap(file, file.symbols[s]));
    inferSizes(part, sized);
    std::vector<Span> spans;
    if (part.kind == MapPart::Input && part.file == kNoIndex) {
      part.file = fileOf("(no file)");
      spans = spansOf(symbols, sized);
    }
    part.output = uint32_t(map.outputs.size() - 1);
    const MapOutput &out = map.outputs.back();
    const bool hasSources = part.kind != MapPart::Padding &&
                            out.takesMemory() && !(out.flags & SHF_TLS);
    const size_t first = map.parts.size();
    const uint64_t end = part.address + part.size;
    for (uint64_t at = part.address, next = end; at < end; at = next) {
      next = end;
      uint32_t of = fileAt(spans, at, next);
      if (const uint32_t source =
              hasSources ? fileAt(sources, at, next) : kNoIndex;
          source != kNoIndex)
        of = source;
      else if (of == kNoIndex)
        of = part.file;
      if (map.parts.size() == first || map.parts.back().file != of) {
        MapPart &piece = map.parts.emplace_back(part);
        piece.file = of;
        piece.address = at;
        piece.size = 0;
      }
      map.parts.back().size += next - at;
    }
    size_t taken = 0;
    for (size_t p = first; p < map.parts.size(); ++p) {
      MapPart &piece = map.parts[p];
      const bool last = p + 1 == map.parts.size();
      piece.firstSymbol = uint32_t(map.symbols.size());
      for (; taken < sized.size() &&
             (last || sized[taken].address < piece.address + piece.size);
           ++taken)
        map.symbols.push_back(sized[taken]);
      piece.symbols = uint32_t(map.symbols.size()) - piece.firstSymbol;
    }
  }

  /// The regions of the output sections, and their used bytes.
  void placeRegions() {
    for (MapOutput &out : map.outputs) {
      if (!out.takesMemory())
        continue;
      auto use = [&](uint64_t address) {
        const uint32_t index = map.regionAt(address);
        if (index != kNoIndex) {
          MapRegion &region = map.regions[index];
          region.used = std::max(
              region.used, SaturatingAdd(address - region.origin, out.size));
        }
        return index;
      };
      out.region = use(out.address);
      if (out.type != SHT_NOBITS && out.loadAddress != out.address) {
        out.loadRegion = use(out.loadAddress);
        if (out.loadRegion != kNoIndex && out.loadRegion != out.region)
          map.regions[out.loadRegion].loadOnly =
              SaturatingAdd(map.regions[out.loadRegion].loadOnly, out.size);
      }
    }
  }

  const LinkedFile &file;
  const LinkMap *stated;
  Diagnostics &diag;
  LinkMap map;
  StringMap<std::vector<const MapOutput *>> statedOutputs; ///< by name
  StringMap<uint32_t> files; ///< in map.files, by source
  std::vector<Span> sources; ///< by DWARF, by address, without overlaps
};

} // namespace

std::optional<LinkMap> mapOfElf(const LinkedFile &file, const LinkMap *stated,
                                bool bySource, Diagnostics &diag) {
  return ElfMap(file, stated, diag).run(bySource);
}

} // namespace xlink
