//===- FileDiff.cpp -------------------------------------------------------===//
//
// Problem: two files differ in a hundred thousand bytes because one line was
// changed: addresses, tables and calls follow. An engineer wants the line, and
// to be sure that nothing else is behind it.
//
// Method: sections, symbols and then functions of both files are paired
// (Pairing.h), and each pair is asked what differs: places and sizes of the
// pair, and its bytes without those that differ because something else moved
// (ContentDiff.h). What stands in the file only to describe the rest (symbol
// and string tables, places in the file) follows from it, so it is only told
// where nothing else differs; the order of symbols is told always. Bytes that
// no table covers are compared too, so that two files are called equal only
// when they are, or when all that differs is to be ignored.
//
// Cost: n log n in the symbols, linear in the bytes.
//
//===----------------------------------------------------------------------===//
#include "inspect/FileDiff.h"
#include "debug/LineTable.h"
#include "inspect/ContentDiff.h"
#include "inspect/MergedDiff.h"
#include "inspect/PropertyText.h"
#include "inspect/References.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/GlobPattern.h"
#include <algorithm>
#include <map>
#include <tuple>

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

bool SectionDiff::differs(bool withSymbols) const {
  return presence != Presence::Both || !properties.empty() || bytesDiffer ||
         paddingA != paddingB || otherFill ||
         any_of(contents,
                [](const ContentDiff &c) { return c.changed() || c.moved; }) ||
         (withSymbols && !symbols.empty());
}

namespace {

/// Adds a property if it differs.
void add(std::vector<ValueDiff> &list, std::string what, std::string a,
         std::string b) {
  if (a != b)
    list.push_back({std::move(what), std::move(a), std::move(b)});
}

/// Both files in chunks.
struct CutFiles {
  ChunkTable a, b;
  Pairs pairs;
};

CutFiles cutBoth(const LinkedFile &a, const LinkedFile &b, const Pairs &symbols,
                 const Pairs &sections, const KnownParts *known) {
  const PartTable *partsA = known ? &known->a : nullptr,
                  *partsB = known ? &known->b : nullptr;
  auto make = [&](ArrayRef<uint32_t> extraA, ArrayRef<uint32_t> extraB) {
    ChunkTable inA = makeChunks(a, symbols.ofA, b, extraA, partsA),
               inB = makeChunks(b, symbols.ofB, a, extraB, partsB);
    if (!known && hasSymbols(a) && !hasSymbols(b))
      inB = makeChunksLike(b, sections.ofB, a, inA);
    else if (!known && hasSymbols(b) && !hasSymbols(a))
      inA = makeChunksLike(a, sections.ofA, b, inB);
    Pairs pairs = pairChunks(a, b, inA, inB, symbols, sections, known);
    return CutFiles{std::move(inA), std::move(inB), std::move(pairs)};
  };
  CutFiles cut = make({}, {});
  const auto extraA =
      symbolsThatEnd(a, symbols.ofA, cut.a, cut.b, cut.pairs.ofA);
  const auto extraB =
      symbolsThatEnd(b, symbols.ofB, cut.b, cut.a, cut.pairs.ofB);
  return extraA.empty() && extraB.empty() ? std::move(cut)
                                          : make(extraA, extraB);
}

/// Whether partners stand in the same order.
bool sameOrder(const std::vector<uint32_t> &partners) {
  uint32_t last = 0;
  for (uint32_t partner : partners)
    if (partner != Pairs::kNone) {
      if (partner < last)
        return false;
      last = partner;
    }
  return true;
}

class Comparison {
public:
  Comparison(const LinkedFile &a, const LinkedFile &b, const DiffIgnore &ignore,
             const KnownParts *known)
      : a(a), b(b), ignore(ignore), sections(pairSections(a, b)),
        symbols(pairSymbols(a, b)),
        cut(cutBoth(a, b, symbols, sections, known)), chunksA(cut.a),
        chunksB(cut.b), chunks(cut.pairs),
        sideA(a, chunksA, known ? &known->a : nullptr),
        sideB(b, chunksB, known ? &known->b : nullptr),
        references(sideA, sideB, chunks, symbols, sections, known) {}
  ProgramDiff run();

private:
  void compareHeader();
  void compareSegments();
  void makeSections();
  void compareSection(SectionDiff &diff, uint32_t inA, uint32_t inB);
  void compareSymbols();
  void addKind(SymbolDiff &diff, const LinkedFile::Symbol &s,
               const LinkedFile::Symbol &t) const;
  void addSymbol(uint32_t inA, uint32_t inB);
  bool sizeIsContents(uint32_t inA, uint32_t inB) const;
  SectionDiff *sectionOf(uint32_t inA, uint32_t inB);
  void addPadding(uint32_t inA, uint32_t inB, uint64_t bytesA, uint64_t bytesB);
  bool isWhole(uint32_t inA, uint32_t inB);
  ContentDiff compareChunks(ContentComparer &comparer, Chunk x, Chunk y);
  void compareContents();
  void trimFill(Chunk &x, Chunk &y);
  void trimFiller(Chunk &open, const Chunk &sized, bool openIsA);
  void takeFill(const Chunk &x, const Chunk &y, ContentDiff &content);
  void compareUnpaired(const ContentComparer &comparer, bool isA);
  void addContent(uint32_t inA, uint32_t inB, ContentDiff content);
  void compareTables();
  void compareRest();
  void findLines();
  bool isIgnored(const SectionDiff &diff) const;

  const LinkedFile &a, &b;
  const DiffIgnore &ignore;
  const Pairs sections, symbols;
  const CutFiles cut;
  const ChunkTable &chunksA, &chunksB;
  const Pairs &chunks;
  const Side sideA, sideB;
  const References references;
  ProgramDiff result;
  bool segmentsInOrder = true;
  /// Places in result.sections, by section.
  std::vector<uint32_t> diffOfA, diffOfB;
};

//===----------------------------------------------------------------------===//
// Header and segments
//===----------------------------------------------------------------------===//

void Comparison::compareHeader() {
  auto entry = [](const Side &side) {
    const std::string place = side.placeText(side.file.entry);
    const std::string address = hex(side.file.entry);
    return place == address ? address : address + " (" + place + ")";
  };
  auto flags = [](const Side &side) {
    return hex(side.file.flags) +
           (side.state.cpu.empty() ? "" : " (" + side.state.cpu + ")");
  };
  add(result.header, "type", fileTypeText(a.type), fileTypeText(b.type));
  add(result.header, "machine", hex(a.machine), hex(b.machine));
  if (a.flags != b.flags)
    add(result.header, "flags", flags(sideA), flags(sideB));
  add(result.header, "OS ABI", hex(a.osabi), hex(b.osabi));
  add(result.header, "ABI version", hex(a.abiVersion), hex(b.abiVersion));
  if (a.entry != b.entry)
    add(result.header, "entry", entry(sideA), entry(sideB));
  add(result.header, "section headers", a.hasSectionHeaders ? "yes" : "none",
      b.hasSectionHeaders ? "yes" : "none");
}

void Comparison::compareSegments() {
  const Pairs pairs = pairSegments(a, b);
  std::map<uint32_t, unsigned> count;
  auto name = [&](uint32_t type) {
    return segmentTypeText(type) + " " + std::to_string(count[type]++);
  };
  auto range = [](const LinkedFile::Segment &s) {
    return hex(s.address) + ", " + std::to_string(s.memorySize) + " bytes, " +
           segmentFlagsText(s.flags);
  };
  for (uint32_t i = 0; i < a.segments.size(); ++i) {
    const LinkedFile::Segment &s = a.segments[i];
    const std::string what = name(s.type);
    if (pairs.ofA[i] == Pairs::kNone) {
      add(result.segments, what, range(s), "");
      continue;
    }
    const LinkedFile::Segment &t = b.segments[pairs.ofA[i]];
    add(result.segments, what + " address", hex(s.address), hex(t.address));
    if (s.loadAddress != t.loadAddress &&
        (s.loadAddress != s.address || t.loadAddress != t.address))
      add(result.segments, what + " load address", hex(s.loadAddress),
          hex(t.loadAddress));
    add(result.segments, what + " bytes in the file",
        std::to_string(s.fileSize), std::to_string(t.fileSize));
    add(result.segments, what + " bytes in memory",
        std::to_string(s.memorySize), std::to_string(t.memorySize));
    add(result.segments, what + " permissions", segmentFlagsText(s.flags),
        segmentFlagsText(t.flags));
    add(result.segments, what + " alignment", std::to_string(s.align),
        std::to_string(t.align));
  }
  for (uint32_t j = 0; j < b.segments.size(); ++j)
    if (pairs.ofB[j] == Pairs::kNone)
      add(result.segments, name(b.segments[j].type), "", range(b.segments[j]));
  segmentsInOrder = sameOrder(pairs.ofA);
}

//===----------------------------------------------------------------------===//
// Sections
//===----------------------------------------------------------------------===//

bool Comparison::isIgnored(const SectionDiff &diff) const {
  if ((diff.kind == SectionDiff::BuildId && ignore.buildId) ||
      (diff.kind == SectionDiff::Comment && ignore.comment) ||
      (diff.kind == SectionDiff::Debug && ignore.debug))
    return true;
  return any_of(ignore.sections, [&](const std::string &glob) {
    return cantFail(GlobPattern::create(glob)).match(diff.name);
  });
}

void Comparison::compareSection(SectionDiff &diff, uint32_t inA, uint32_t inB) {
  const LinkedFile::Section &s = a.sections[inA], &t = b.sections[inB];
  add(diff.properties, "type", sectionTypeText(s.type),
      sectionTypeText(t.type));
  add(diff.properties, "flags", sectionFlagsText(*a.target, s.flags),
      sectionFlagsText(*b.target, t.flags));
  add(diff.properties, "alignment", std::to_string(s.align),
      std::to_string(t.align));
  if (diff.kind == SectionDiff::Table)
    return;
  add(diff.properties, "address", hex(s.address), hex(t.address));
  add(diff.properties, "size", std::to_string(s.size), std::to_string(t.size));
  add(diff.properties, "entry size", std::to_string(s.entrySize),
      std::to_string(t.entrySize));
  auto linked = [](const LinkedFile &file, const LinkedFile::Section &section) {
    return section.link < file.sections.size()
               ? file.sections[section.link].name.str()
               : std::to_string(section.link);
  };
  add(diff.properties, "linked section", linked(a, s), linked(b, t));
  if (s.isLoaded() && t.isLoaded() && diff.kind == SectionDiff::Ordinary)
    return; // chunk by chunk
  diff.bytesDiffer = s.data != t.data;
  if (!diff.bytesDiffer)
    return;
  if (diff.kind == SectionDiff::BuildId) {
    diff.contentsA = buildIdText(s.data);
    diff.contentsB = buildIdText(t.data);
  } else if (diff.kind == SectionDiff::Comment) {
    diff.contentsA = commentText(s.data);
    diff.contentsB = commentText(t.data);
  }
}

/// Every section of both files: those of the first in order, then those that
/// only the second has.
void Comparison::makeSections() {
  diffOfA.assign(a.sections.size(), Pairs::kNone);
  diffOfB.assign(b.sections.size(), Pairs::kNone);
  auto make = [&](const LinkedFile::Section &section, Presence presence) {
    SectionDiff diff;
    diff.name = section.name.str();
    diff.kind = sectionKind(section);
    diff.presence = presence;
    const bool ofSymbols = section.type == SHT_SYMTAB ||
                           section.type == SHT_STRTAB ||
                           section.type == SHT_SYMTAB_SHNDX;
    diff.ignored = isIgnored(diff) || (ignore.symbols && ofSymbols);
    return diff;
  };
  for (uint32_t i = 1; i < a.sections.size(); ++i) {
    const LinkedFile::Section &section = a.sections[i];
    const uint32_t partner = sections.ofA[i];
    SectionDiff diff = make(section, partner == Pairs::kNone ? Presence::OnlyA
                                                             : Presence::Both);
    diff.addressA = section.address;
    diff.sizeA = section.size;
    if (partner != Pairs::kNone) {
      diff.addressB = b.sections[partner].address;
      diff.sizeB = b.sections[partner].size;
      diffOfB[partner] = result.sections.size();
      compareSection(diff, i, partner);
    }
    diffOfA[i] = result.sections.size();
    result.sections.push_back(std::move(diff));
  }
  for (uint32_t i = 1; i < b.sections.size(); ++i) {
    if (sections.ofB[i] != Pairs::kNone)
      continue;
    SectionDiff diff = make(b.sections[i], Presence::OnlyB);
    diff.addressB = b.sections[i].address;
    diff.sizeB = b.sections[i].size;
    diffOfB[i] = result.sections.size();
    result.sections.push_back(std::move(diff));
  }
}

/// Where to tell of something that is in these sections; null: in none.
SectionDiff *Comparison::sectionOf(uint32_t inA, uint32_t inB) {
  if (inB < diffOfB.size() && inB)
    return &result.sections[diffOfB[inB]];
  if (inA < diffOfA.size() && inA)
    return &result.sections[diffOfA[inA]];
  return nullptr;
}

/// Counts bytes of a pair of sections that fill room in A, and in B.
void Comparison::addPadding(uint32_t inA, uint32_t inB, uint64_t bytesA,
                            uint64_t bytesB) {
  if (SectionDiff *diff = sectionOf(inA, inB)) {
    diff->paddingA += bytesA;
    diff->paddingB += bytesB;
  }
}

/// Whether the bytes of the sections are compared all together.
bool Comparison::isWhole(uint32_t inA, uint32_t inB) {
  const SectionDiff *diff = sectionOf(inA, inB);
  return diff && diff->kind != SectionDiff::Ordinary;
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// Whether the sizes of a pair are those of contents, which tell of them.
bool Comparison::sizeIsContents(uint32_t inA, uint32_t inB) const {
  const uint32_t x = chunksA.ofSymbol[inA], y = chunksB.ofSymbol[inB];
  return x != Pairs::kNone && y != Pairs::kNone && chunks.ofA[x] == y &&
         chunksA.chunks[x].size == a.symbols[inA].size &&
         chunksB.chunks[y].size == b.symbols[inB].size;
}

/// Of a symbol that is in both files, what it is.
void Comparison::addKind(SymbolDiff &diff, const LinkedFile::Symbol &s,
                         const LinkedFile::Symbol &t) const {
  add(diff.properties, "type", symbolTypeText(s.type), symbolTypeText(t.type));
  add(diff.properties, "binding", symbolBindingText(s.binding),
      symbolBindingText(t.binding));
  add(diff.properties, "visibility", symbolVisibilityText(s.visibility),
      symbolVisibilityText(t.visibility));
  add(diff.properties, "section", symbolSectionText(a, s),
      symbolSectionText(b, t));
  if (s.section == LinkedFile::kCommon && t.section == LinkedFile::kCommon)
    add(diff.properties, "alignment", std::to_string(s.value),
        std::to_string(t.value));
}

void Comparison::addSymbol(uint32_t inA, uint32_t inB) {
  static const LinkedFile::Symbol nobody;
  const LinkedFile::Symbol &s = inA == Pairs::kNone ? nobody : a.symbols[inA];
  const LinkedFile::Symbol &t = inB == Pairs::kNone ? nobody : b.symbols[inB];
  SymbolDiff diff;
  diff.name = (inA == Pairs::kNone ? t : s).name.str();
  diff.presence = inA == Pairs::kNone   ? Presence::OnlyB
                  : inB == Pairs::kNone ? Presence::OnlyA
                                        : Presence::Both;
  diff.function = isFunction(a, s) || isFunction(b, t);
  auto eitherIsIn = [&](uint32_t section) {
    return (&s != &nobody && s.section == section) ||
           (&t != &nobody && t.section == section);
  };
  diff.undefined = eitherIsIn(LinkedFile::kUndefined);
  diff.common = eitherIsIn(LinkedFile::kCommon);
  diff.absolute =
      s.section == LinkedFile::kAbsolute && t.section == LinkedFile::kAbsolute;
  diff.valueA = s.value;
  diff.valueB = t.value;
  diff.sizeA = s.size;
  diff.sizeB = t.size;
  if (diff.presence == Presence::Both) {
    // A map does not say how a table would have had it.
    if (a.symbolsFromMap == b.symbolsFromMap)
      addKind(diff, s, t);
    if (!sizeIsContents(inA, inB))
      add(diff.properties, "size", std::to_string(s.size),
          std::to_string(t.size));
    if (!diff.hasOtherValue() && diff.properties.empty())
      return;
  }
  SectionDiff *section =
      sectionOf(s.isIn(a) ? s.section : 0, t.isIn(b) ? t.section : 0);
  (section ? section->symbols : result.symbols).push_back(std::move(diff));
}

void Comparison::compareSymbols() {
  result.symbolsIgnored = ignore.symbols;
  // A map names more than a table, so only what both have can be told.
  const bool alike = a.symbolsFromMap == b.symbolsFromMap;
  for (uint32_t i = 0; i < a.symbols.size(); ++i)
    if (!isMark(a.symbols[i]) && (alike || symbols.ofA[i] != Pairs::kNone))
      addSymbol(i, symbols.ofA[i]);
  for (uint32_t i = 0; i < b.symbols.size(); ++i)
    if (alike && !isMark(b.symbols[i]) && symbols.ofB[i] == Pairs::kNone)
      addSymbol(Pairs::kNone, i);
  auto byAddress = [](std::vector<SymbolDiff> &list) {
    stable_sort(list, [](const SymbolDiff &x, const SymbolDiff &y) {
      auto value = [](const SymbolDiff &s) {
        return s.presence == Presence::OnlyB ? s.valueB : s.valueA;
      };
      return value(x) < value(y);
    });
  };
  byAddress(result.symbols);
  for (SectionDiff &section : result.sections)
    byAddress(section.symbols);
}

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

void Comparison::addContent(uint32_t inA, uint32_t inB, ContentDiff content) {
  // The first file names it, unless it has no names.
  const bool onlyB =
      inA == Pairs::kNone ||
      (inB != Pairs::kNone && chunksA.chunks[inA].symbol == Pairs::kNone &&
       chunksB.chunks[inB].symbol != Pairs::kNone);
  const Side &side = onlyB ? sideB : sideA;
  const uint32_t index = onlyB ? inB : inA;
  const Chunk &chunk = side.chunks.chunks[index];
  if (chunk.symbol == Pairs::kNone) {
    content.near = side.whereText(index);
    content.padding =
        chunk.part != Pairs::kNone && side.parts->isPadding(chunk.part);
  } else {
    const LinkedFile::Symbol &symbol = side.file.symbols[chunk.symbol];
    content.name = symbol.name.str();
    content.function = isFunction(side.file, symbol);
  }
  SectionDiff *section =
      sectionOf(inA == Pairs::kNone ? 0 : chunksA.chunks[inA].section,
                inB == Pairs::kNone ? 0 : chunksB.chunks[inB].section);
  section->contents.push_back(std::move(content));
}

void Comparison::compareUnpaired(const ContentComparer &comparer, bool isA) {
  const Side &side = isA ? sideA : sideB;
  const std::vector<uint32_t> &partner = isA ? chunks.ofA : chunks.ofB;
  for (uint32_t i = 0; i < side.chunks.chunks.size(); ++i) {
    const Chunk &chunk = side.chunks.chunks[i];
    // What came or went with its symbol or section is told with that.
    const std::vector<uint32_t> &symbol = isA ? symbols.ofA : symbols.ofB;
    const std::vector<uint32_t> &section = isA ? sections.ofA : sections.ofB;
    if (partner[i] != Pairs::kNone ||
        (chunk.symbol != Pairs::kNone &&
         symbol[chunk.symbol] == Pairs::kNone) ||
        section[chunk.section] == Pairs::kNone ||
        isWhole(isA ? chunk.section : 0, isA ? 0 : chunk.section))
      continue;
    // Of a mark without a size the bytes behind it are nobody's.
    const bool sized = chunk.symbol != Pairs::kNone &&
                       side.file.symbols[chunk.symbol].size != 0;
    if (!sized &&
        side.isFill(
            {chunk.section, chunk.begin, chunk.size, Pairs::kNone,
             chunk.symbol == Pairs::kNone ? chunk.part : Pairs::kNone})) {
      if (isA)
        addPadding(chunk.section, 0, chunk.size, 0);
      else
        addPadding(0, chunk.section, 0, chunk.size);
      continue;
    }
    addContent(isA ? i : Pairs::kNone, isA ? Pairs::kNone : i,
               comparer.compareAlone(chunk, isA));
  }
}

/// The same where the other file says how large it is, and it ends there with
/// something else. Zeros may be instructions; the machine's filler is none.
void Comparison::trimFiller(Chunk &open, const Chunk &sized, bool openIsA) {
  const Side &side = openIsA ? sideA : sideB, &other = openIsA ? sideB : sideA;
  const LinkedFile::Section &section = side.file.sections[open.section];
  const uint64_t unit = side.state.codeFill.size();
  auto isFill = [&](const Side &of, const Chunk &chunk) {
    return chunk.size > unit &&
           of.isFill({chunk.section, chunk.end() - unit, unit});
  };
  if (open.symbol == Pairs::kNone || !unit || section.data.empty() ||
      isFill(other, sized))
    return;
  const uint64_t before = open.size;
  while (isFill(side, open) && section.data[open.end() - 1] != 0)
    open.size -= unit;
  if (openIsA)
    addPadding(open.section, sized.section, before - open.size, 0);
  else
    addPadding(sized.section, open.section, 0, before - open.size);
}

/// Of symbols that do not say how large they are, what follows may be fill.
void Comparison::trimFill(Chunk &x, Chunk &y) {
  auto hasSize = [](const Side &side, const Chunk &chunk) {
    return chunk.symbol != Pairs::kNone &&
           side.file.symbols[chunk.symbol].size != 0;
  };
  if (hasSize(sideA, x) != hasSize(sideB, y))
    return hasSize(sideB, y) ? trimFiller(x, y, true) : trimFiller(y, x, false);
  if (x.size == y.size || hasSize(sideA, x) || x.symbol == Pairs::kNone)
    return;
  const bool longerA = x.size > y.size;
  Chunk &chunk = longerA ? x : y;
  const uint64_t size = std::min(x.size, y.size);
  const Chunk tail{chunk.section, chunk.begin + size, chunk.size - size};
  if (!(longerA ? sideA : sideB).isFill(tail))
    return;
  addPadding(x.section, y.section, longerA ? tail.size : 0,
             longerA ? 0 : tail.size);
  chunk.size = size;
}

/// Fill behind the last instruction, which one linker fills with zeros and
/// another one with the machine's filler.
void Comparison::takeFill(const Chunk &x, const Chunk &y,
                          ContentDiff &content) {
  auto tail = [](const Chunk &of, uint64_t offset) {
    return Chunk{of.section, of.begin + offset, of.size - offset};
  };
  while (!content.resized() && !content.places.empty()) {
    const PlaceDiff &last = content.places.back();
    if (last.row || last.a.empty() || !sideA.isFill(tail(x, last.offset)) ||
        !sideB.isFill(tail(y, last.offset)))
      return;
    sectionOf(x.section, y.section)->otherFill += last.a.size();
    content.real -= last.a.size();
    content.places.pop_back();
  }
}

/// What differs between a pair of chunks.
ContentDiff Comparison::compareChunks(ContentComparer &comparer, Chunk x,
                                      Chunk y) {
  if (x.size != y.size && sideA.isFill(x) && sideB.isFill(y)) {
    addPadding(x.section, y.section, x.size, y.size);
    return {};
  }
  trimFill(x, y);
  ContentDiff content = areMerged(a, x, b, y) ? compareMerged(a, x, b, y)
                                              : comparer.compare(x, y);
  takeFill(x, y, content);
  return content;
}

void Comparison::compareContents() {
  ContentComparer comparer(sideA, sideB, references);
  std::vector<std::pair<uint32_t, ContentDiff>> found;
  // Where constants have moved, those know that refer to them.
  for (const bool constants : {false, true})
    for (uint32_t i = 0; i < chunksA.chunks.size(); ++i) {
      const uint32_t j = chunks.ofA[i];
      if (j == Pairs::kNone)
        continue;
      const Chunk &x = chunksA.chunks[i], &y = chunksB.chunks[j];
      if (isWhole(x.section, y.section) ||
          MovedConstants::areIn(sideA, x) != constants)
        continue;
      ContentDiff content = compareChunks(comparer, x, y);
      if (content.changed() || content.moved)
        found.emplace_back(i, std::move(content));
    }
  sort(found, [](const auto &x, const auto &y) { return x.first < y.first; });
  for (auto &[chunk, content] : found)
    addContent(chunk, chunks.ofA[chunk], std::move(content));
  compareUnpaired(comparer, true);
  compareUnpaired(comparer, false);
}

/// The source lines of what changed, where the second file knows them.
void Comparison::findLines() {
  LineSections dwarf;
  for (const LinkedFile::Section &section : b.sections)
    if (!(section.flags & SHF_COMPRESSED)) {
      const StringRef text = toStringRef(section.data);
      if (section.name == ".debug_line")
        dwarf.lines = text;
      else if (section.name == ".debug_line_str")
        dwarf.lineStrings = text;
      else if (section.name == ".debug_str")
        dwarf.strings = text;
    }
  if (dwarf.lines.empty() || !b.hasAddresses())
    return;
  std::optional<LineTable> table;
  for (SectionDiff &section : result.sections)
    for (ContentDiff &content : section.contents) {
      if (!content.changed() || !content.function || !content.sizeB)
        continue;
      if (!table)
        table.emplace(dwarf);
      const uint64_t offset =
          content.resized()        ? std::min(content.front, content.sizeB - 1)
          : content.places.empty() ? 0
                                   : content.places.front().offset;
      content.line = table->find(section.addressB, content.addressB + offset);
    }
}

//===----------------------------------------------------------------------===//
// What describes the rest
//===----------------------------------------------------------------------===//

/// What of a file belongs to no table, section or segment, without zeros.
std::vector<uint8_t> restOf(const LinkedFile &file) {
  std::vector<std::pair<uint64_t, uint64_t>> covered;
  const uint64_t size = file.bytes.size();
  auto cover = [&](uint64_t offset, uint64_t length) {
    offset = std::min(offset, size);
    covered.push_back({offset, offset + std::min(length, size - offset)});
  };
  const bool wide = file.target->is64;
  cover(0, wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr));
  cover(file.programHeaders,
        file.segments.size() *
            (wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)));
  if (file.hasSectionHeaders)
    cover(file.sectionHeaders,
          file.sections.size() *
              (wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr)));
  for (const LinkedFile::Section &section : file.sections)
    cover(section.offset, section.data.size());
  sort(covered);
  std::vector<uint8_t> rest;
  uint64_t at = 0;
  covered.push_back({size, size});
  for (const auto &[begin, end] : covered) {
    for (; at < begin; ++at)
      if (file.bytes[at])
        rest.push_back(file.bytes[at]);
    at = std::max(at, end);
  }
  return rest;
}

void Comparison::compareTables() {
  result.tablesIgnored = ignore.tables;
  if (!ignore.symbols && !a.symbolsFromMap && !b.symbolsFromMap) {
    if (!sameOrder(symbols.ofA))
      result.tables.push_back({"symbols", "another order", ""});
    add(result.tables, "labels of the compiler",
        std::to_string(count_if(a.symbols, isTemporary)),
        std::to_string(count_if(b.symbols, isTemporary)));
  }
  if (!segmentsInOrder)
    result.tables.push_back({"program headers", "another order", ""});
  if (!sameOrder(sections.ofA))
    result.tables.push_back({"section headers", "another order", ""});
  if (restOf(a) != restOf(b))
    result.tables.push_back(
        {"bytes that no table, section or segment holds", "other bytes", ""});
}

/// What is told where nothing else differs, although the bytes do.
void Comparison::compareRest() {
  if (a.bytes == b.bytes || !result.tables.empty() || !result.header.empty() ||
      !result.segments.empty() || !result.symbols.empty() ||
      any_of(result.sections, [](const SectionDiff &s) { return s.differs(); }))
    return;
  bool ignored = false;
  for (uint32_t i = 1; i < a.sections.size(); ++i) {
    const uint32_t j = sections.ofA[i];
    if (sectionKind(a.sections[i]) != SectionDiff::Table || j == Pairs::kNone ||
        a.sections[i].data == b.sections[j].data)
      continue;
    const uint32_t type = a.sections[i].type;
    if (ignore.symbols && (type == SHT_SYMTAB || type == SHT_STRTAB))
      ignored = true;
    else
      result.tables.push_back({a.sections[i].name.str(), "other bytes", ""});
  }
  if (!result.tables.empty() || ignored)
    return;
  const size_t first = std::mismatch(a.bytes.begin(), a.bytes.end(),
                                     b.bytes.begin(), b.bytes.end())
                           .first -
                       a.bytes.begin();
  result.tables.push_back(
      {"places in the file", "first other byte at " + hex(first), ""});
}

ProgramDiff Comparison::run() {
  compareHeader();
  compareSegments();
  makeSections();
  compareSymbols();
  compareContents();
  findLines();
  compareTables();
  compareRest();
  return std::move(result);
}

} // namespace

ProgramDiff comparePrograms(const LinkedFile &a, const LinkedFile &b,
                            const DiffIgnore &ignore, const KnownParts *known) {
  if (a.bytes == b.bytes)
    return {};
  if (a.target == b.target)
    return Comparison(a, b, ignore, known).run();
  ProgramDiff diff;
  diff.comparable = false;
  diff.header.push_back({"machine", a.target->name, b.target->name});
  return diff;
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

ArrayRef<DiffCount> diffCounts() {
  using C = DiffCounts;
  static constexpr DiffCount kCounts[] = {
      {&C::container, "container", "part of the container",
       "parts of the container"},
      {&C::header, "header", "field of the ELF header",
       "fields of the ELF header"},
      {&C::segments, "segments", "property of segments",
       "properties of segments"},
      {&C::sections, "sections", "section", "sections"},
      {&C::functionsChanged, "functionsChanged", "function changed",
       "functions changed"},
      {&C::objectsChanged, "objectsChanged", "object changed",
       "objects changed"},
      {&C::unnamedChanged, "unnamedChanged", "range without a name changed",
       "ranges without a name changed"},
      {&C::reordered, "reordered", "range merged in another order",
       "ranges merged in another order"},
      {&C::grew, "grew", "grew", "grew"},
      {&C::shrank, "shrank", "shrank", "shrank"},
      {&C::added, "symbolsNew", "symbol new", "symbols new"},
      {&C::removed, "symbolsGone", "symbol gone", "symbols gone"},
      {&C::moved, "symbolsMoved", "symbol moved", "symbols moved"},
      {&C::revalued, "symbolsRevalued", "absolute symbol of another value",
       "absolute symbols of another value"},
      {&C::altered, "symbolsAltered", "symbol of another kind",
       "symbols of another kind"},
      {&C::tables, "tables", "property of tables", "properties of tables"},
      {&C::real, "bytesReal", nullptr, nullptr},
      {&C::movedBytes, "bytesMoved", nullptr, nullptr},
      {&C::probably, "bytesProbablyMoved", nullptr, nullptr}};
  return kCounts;
}

bool DiffCounts::any() const {
  return any_of(diffCounts(),
                [&](const DiffCount &count) { return this->*count.value; });
}

static void countSymbols(const std::vector<SymbolDiff> &symbols,
                         DiffCounts &counts) {
  for (const SymbolDiff &symbol : symbols) {
    counts.added += symbol.presence == Presence::OnlyB;
    counts.removed += symbol.presence == Presence::OnlyA;
    counts.moved += symbol.moved();
    counts.revalued += symbol.hasOtherValue() && !symbol.moved();
    counts.altered += !symbol.properties.empty();
  }
}

static void countContents(const SectionDiff &section, DiffCounts &counts) {
  for (const ContentDiff &content : section.contents) {
    counts.real += content.real;
    counts.movedBytes += content.moved;
    counts.probably += content.probably;
    if (content.resized() && !content.merged)
      ++(content.sizeB > content.sizeA ? counts.grew : counts.shrank);
    else if (content.changed())
      ++(content.reordered()    ? counts.reordered
         : content.name.empty() ? counts.unnamedChanged
         : content.function     ? counts.functionsChanged
                                : counts.objectsChanged);
  }
}

DiffCounts countsOf(const FileDiff &diff) {
  DiffCounts counts;
  counts.container = diff.container.size();
  for (const ProgramDiff &program : diff.programs) {
    counts.header += program.header.size();
    counts.segments += program.segments.size();
    if (!program.tablesIgnored)
      counts.tables += program.tables.size();
    if (!program.symbolsIgnored)
      countSymbols(program.symbols, counts);
    for (const SectionDiff &section : program.sections) {
      if (section.ignored)
        continue;
      counts.sections += section.presence != Presence::Both ||
                         !section.properties.empty() || section.bytesDiffer ||
                         section.paddingA != section.paddingB ||
                         section.otherFill;
      countContents(section, counts);
      if (!program.symbolsIgnored)
        countSymbols(section.symbols, counts);
    }
  }
  return counts;
}

} // namespace xlink
