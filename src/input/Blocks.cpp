//===- Blocks.cpp - sections cut where parts of them may go ---------------===//
//
// Problem: some compilers put all functions into one section and state in the
// object's expressions which ranges of it the linker may drop: a block lies
// between two labels and lives as long as a symbol, its own or, for
// descriptions of code, the function's. The linker must then keep the
// alignments inside a section, as the bytes before a label may shrink.
//
// Method: for garbage collection the parsed object is rewritten with a section
// for each block and each range between blocks, all under the old name and in
// the old order, so that every later pass sees ordinary sections. Padding
// before a block's first aligned label is dropped and the alignment given to
// the part: if everything stays, the bytes are the old ones. Symbols keep their
// indices, relocations move with their bytes.
//
// A label at the edge of a block belongs to the block that an expression names
// (BelongsTo), to the block that it keeps alive or whose end it marks, and to
// the next part if code or other objects may refer to it. Any other label
// there, such as the end of a table, gets an empty part of its own. A section
// stays whole if a symbol plus addend leaves its part, or if the labels do not
// determine a part's alignment.
//
// Cost: one pass over the object's symbols, relocations and expressions, and
// only for objects that have blocks.
//
//===----------------------------------------------------------------------===//
#include "input/ElfReader.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace xlink {

namespace {

/// A block as the object states it; or a future section: a block, or a range
/// between blocks.
struct BlockPart {
  uint64_t begin, end; ///< padding before `begin` belongs to no part
  uint32_t top = 0;    ///< a block's label at its begin, 0: between blocks
  uint32_t keeper = 0; ///< the symbol that keeps a block alive
  uint64_t align = 1;
  uint32_t section = 0; ///< index in the new object
};

struct BlockLabel {
  uint64_t align = 1, padding = 0;
};

struct SectionCuts {
  std::vector<BlockPart> blocks;
  std::map<uint64_t, BlockLabel> labels; ///< by offset
  DenseSet<uint64_t> edges;              ///< offsets of labels of no block
  SmallVector<BlockPart, 0> parts;       ///< in order
  bool staysWhole = false;
};

class BlockCutter {
public:
  BlockCutter(const ParsedObject &object, const Target &target)
      : object(object), target(target) {}
  std::shared_ptr<const ParsedObject> run() {
    if (!readStatements())
      return nullptr;
    auto dropWhole = [&] {
      erase_if(cuts, [](const auto &cut) { return cut.second.staysWhole; });
    };
    for (auto &[index, cut] : cuts)
      cut.staysWhole = !makeParts(index, cut);
    dropWhole();
    for (const ParsedSection &section : object.sections)
      for (uint32_t r = section.relocBegin; r < section.relocEnd; ++r)
        checkReference(object.relocations[r]);
    for (auto &[index, cut] : cuts) {
      const ParsedSection &section = object.sections[index];
      for (uint32_t r = section.relocBegin; r < section.relocEnd; ++r)
        cut.staysWhole |= !isInOnePart(cut, object.relocations[r]);
    }
    dropWhole();
    return cuts.empty() ? nullptr : rewrite();
  }

private:
  bool readStatements() {
    auto label = [&](uint32_t symbol) -> const ParsedSymbol * {
      const ParsedSymbol &s = object.symbols[symbol];
      return s.place == SymbolPlace::Section &&
                     suits(object.sections[s.section]) &&
                     s.value <= object.sections[s.section].size
                 ? &s
                 : nullptr;
    };
    for (const ExprEntry &entry : object.expressions) {
      const ExprOp op = entry.meaning;
      const ExprOperand *o = entry.operands;
      if (op == ExprOp::Block && o[0].kind == ExprOperand::Symbol &&
          o[1].kind == ExprOperand::Symbol) {
        const ParsedSymbol *top = label(o[0].value), *end = label(o[1].value);
        if (!top || !end || top->section != end->section ||
            top->value >= end->value)
          continue;
        cuts[top->section].blocks.push_back(
            {top->value, end->value, o[0].value, entry.result});
        bottomOf[o[1].value] = o[0].value;
        belongs.try_emplace(o[0].value, o[0].value);
        keepers.insert(entry.result);
      } else if (op == ExprOp::AlignLabel &&
                 o[0].kind == ExprOperand::Constant) {
        const ParsedSymbol *at = label(entry.result);
        uint64_t align = o[0].value;
        if (!at || !isPowerOf2_64(align))
          continue;
        BlockLabel &l = cuts[at->section].labels[at->value];
        l.align = std::max(l.align, align);
        if (o[1].kind == ExprOperand::Constant && o[1].value < align)
          l.padding = std::max<uint64_t>(l.padding, o[1].value);
      } else if (op == ExprOp::BelongsTo && o[0].kind == ExprOperand::Symbol) {
        belongs[entry.result] = o[0].value;
      }
    }
    erase_if(cuts, [](const auto &cut) { return cut.second.blocks.empty(); });
    if (cuts.empty())
      return false;
    inCode.resize(object.symbols.size());
    for (const ParsedSection &section : object.sections)
      if (section.flags & ELF::SHF_ALLOC)
        for (uint32_t r = section.relocBegin; r < section.relocEnd; ++r)
          inCode[object.relocations[r].symbol] = true;
    for (uint32_t i = 0; i < object.symbols.size(); ++i) {
      const ParsedSymbol &s = object.symbols[i];
      if (s.place != SymbolPlace::Section || !staysAtEdge(i))
        continue;
      if (auto it = cuts.find(s.section); it != cuts.end())
        it->second.edges.insert(s.value);
    }
    return true;
  }
  /// Sections of which parts may go. Merging and groups have units of their
  /// own.
  bool suits(const ParsedSection &section) const {
    return section.kind == SectionKind::Regular && !section.isPiece &&
           section.group == 0 && section.size != 0 &&
           section.name != ".eh_frame" && // cut record by record
           !(section.flags & (ELF::SHF_MERGE | ELF::SHF_COMPRESSED));
  }
  /// Cuts one section; false when it has to stay whole.
  bool makeParts(uint32_t index, SectionCuts &cut) const {
    const ParsedSection &section = object.sections[index];
    stable_sort(cut.blocks, [](const BlockPart &a, const BlockPart &b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    uint64_t at = 0;
    for (const BlockPart &block : cut.blocks) {
      if (block.begin < at) {
        // Inside the block before, which keeps it; or a second keeper of the
        // same bytes, of which either suffices: then nothing may go.
        BlockPart &last = cut.parts.back();
        if (block.end == last.end && last.top && block.keeper != last.keeper &&
            object.symbols[block.top].value == object.symbols[last.top].value)
          last.keeper = 0;
        else if (block.end > last.end)
          return false;
        continue;
      }
      if (block.begin > at || cut.edges.count(at))
        cut.parts.push_back({at, block.begin});
      cut.parts.push_back(block);
      at = block.end;
    }
    if (at < section.size || cut.edges.count(at))
      cut.parts.push_back({at, section.size});
    if (cut.parts.size() == 1 && cut.parts.front().keeper == 0)
      return false;

    for (BlockPart &part : cut.parts) {
      if (part.begin == part.end)
        continue;
      if (part.begin == 0) {
        part.align = section.align;
        continue;
      }
      // The strictest label decides the places where the part may stand.
      auto strictest = cut.labels.end();
      for (auto label = cut.labels.lower_bound(part.begin);
           label != cut.labels.end() && label->first < part.end; ++label)
        if (strictest == cut.labels.end() ||
            label->second.align > strictest->second.align)
          strictest = label;
      if (strictest == cut.labels.end()) {
        // Parts that a compiler aligned without a statement stay aligned.
        part.align =
            std::min<uint64_t>(section.align, part.begin & -part.begin);
        if (cut.labels.empty() && part.align != section.align)
          return false;
      } else {
        const auto &[offset, label] = *strictest;
        if (offset - part.begin == label.padding)
          part.begin = offset;
        if ((offset - part.begin) % label.align != 0)
          return false;
        part.align = label.align;
      }
    }
    return true;
  }
  /// Whether a label at the edge of a block belongs to no block.
  bool staysAtEdge(uint32_t symbol) const {
    return object.symbols[symbol].binding == ELF::STB_LOCAL &&
           !inCode[symbol] && !belongs.count(symbol) &&
           !bottomOf.count(symbol) && !keepers.count(symbol);
  }
  /// The part of a cut section that a symbol stands in.
  const BlockPart &partOfSymbol(uint32_t symbol) const {
    const ParsedSymbol &s = object.symbols[symbol];
    const SmallVector<BlockPart, 0> &parts = cuts.find(s.section)->second.parts;
    auto valueOf = [&](uint32_t label) { return object.symbols[label].value; };
    // The block whose top label is at the place of a label; null if the symbol
    // stands behind it.
    auto blockOf = [&](uint32_t top) -> const BlockPart * {
      const BlockPart *part = find_if(parts, [&](const BlockPart &p) {
        return p.top &&
               (p.top == top || (valueOf(p.top) == valueOf(top) &&
                                 object.symbols[top].section == s.section));
      });
      return part != parts.end() && s.value <= part->end ? part : nullptr;
    };
    if (auto it = belongs.find(symbol); it != belongs.end())
      if (const BlockPart *part = blockOf(it->second);
          part && s.value >= valueOf(part->top))
        return *part;
    if (auto it = bottomOf.find(symbol); it != bottomOf.end())
      if (const BlockPart *part = blockOf(it->second);
          part && s.value == part->end)
        return *part;
    if (staysAtEdge(symbol))
      for (const BlockPart &part : parts)
        if (!part.top && part.begin <= s.value && s.value <= part.end)
          return part;
    // Labels in the padding before a part belong to it.
    const BlockPart *next = partition_point(
        parts, [&](const BlockPart &part) { return part.end <= s.value; });
    return next == parts.end() ? parts.back() : *next;
  }
  /// A symbol plus addend that leaves the symbol's part is a distance in the
  /// old order: the section stays whole.
  void checkReference(const Relocation &r) {
    const ParsedSymbol &s = object.symbols[r.symbol];
    if (s.place != SymbolPlace::Section)
      return;
    auto it = cuts.find(s.section);
    if (it == cuts.end())
      return;
    const BlockPart &part = partOfSymbol(r.symbol);
    const uint64_t to = s.value + uint64_t(r.addend);
    const uint64_t begin =
        part.top ? object.symbols[part.top].value : part.begin;
    it->second.staysWhole |=
        s.type == ELF::STT_SECTION || to < begin || to > part.end;
  }
  /// Whether a relocation changes bytes of one part: none in padding, and none
  /// across an edge.
  bool isInOnePart(const SectionCuts &cut, const Relocation &r) const {
    const RelocationRow *row = findRelocation(target, r.type);
    const BlockPart *part = partition_point(
        cut.parts, [&](const BlockPart &part) { return part.end <= r.offset; });
    return part != cut.parts.end() && r.offset >= part->begin &&
           (!row || row->bytes <= part->end - r.offset);
  }
  /// The object with each part as a section.
  std::shared_ptr<const ParsedObject> rewrite() {
    auto result = std::make_shared<ParsedObject>(object);
    std::vector<uint32_t> newIndex(object.sections.size());
    result->sections.clear();
    result->more.clear();
    result->relocations = {};
    for (uint32_t i = 0; i < object.sections.size(); ++i) {
      const ParsedSection &old = object.sections[i];
      const MoreOfSection &more = object.moreOf(i);
      newIndex[i] = uint32_t(result->sections.size());
      uint32_t reloc = old.relocBegin;
      auto add = [&](const BlockPart &part, bool isCut) {
        const uint32_t index = uint32_t(result->sections.size());
        ParsedSection &section = result->sections.emplace_back(old);
        if (isCut) {
          section.size = part.end - part.begin;
          if (old.bytes)
            section.bytes = old.bytes + part.begin;
          section.align = part.align;
          section.isPiece = section.hasMore = true;
        }
        if (section.hasMore)
          result->more.push_back(
              {index, more.link, more.parent, part.keeper, part.begin});
        section.relocBegin = uint32_t(result->relocations.size());
        for (; reloc < old.relocEnd; ++reloc) {
          Relocation moved = object.relocations[reloc];
          if (isCut && moved.offset >= part.end)
            break;
          moved.offset -= part.begin;
          result->relocations.push_back(moved);
        }
        section.relocEnd = uint32_t(result->relocations.size());
        return index;
      };
      if (auto it = cuts.find(i); it == cuts.end())
        add({0, old.size}, /*isCut=*/false);
      else
        for (BlockPart &part : it->second.parts)
          part.section = add(part, /*isCut=*/true);
    }
    auto renumber = [&](uint32_t &index) {
      if (index < newIndex.size())
        index = newIndex[index];
    };
    for (MoreOfSection &more : result->more) {
      renumber(more.link);
      renumber(more.parent);
    }
    for (ParsedGroup &group : result->groups) {
      renumber(group.section);
      for (uint32_t &member : group.members)
        renumber(member);
    }
    for (uint32_t i = 0; i < object.symbols.size(); ++i) {
      ParsedSymbol &s = result->symbols[i];
      if (s.place != SymbolPlace::Section)
        continue;
      if (!cuts.count(s.section)) {
        renumber(s.section);
        continue;
      }
      const BlockPart &part = partOfSymbol(i);
      s.section = part.section;
      s.value = s.value > part.begin ? s.value - part.begin : 0;
    }
    return result;
  }

  const ParsedObject &object;
  const Target &target;
  std::map<uint32_t, SectionCuts> cuts;  ///< by section index
  DenseMap<uint32_t, uint32_t> belongs;  ///< symbol -> top label
  DenseMap<uint32_t, uint32_t> bottomOf; ///< bottom label -> top label
  DenseSet<uint32_t> keepers;
  std::vector<bool> inCode; ///< symbols that sections in memory refer to
};

} // namespace

std::shared_ptr<const ParsedObject>
cutBlocks(std::shared_ptr<const ParsedObject> object, const Target &target) {
  if (!object || object->expressions.empty())
    return object;
  std::shared_ptr<const ParsedObject> cut = BlockCutter(*object, target).run();
  return cut ? cut : object;
}

} // namespace xlink
