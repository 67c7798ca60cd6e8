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
#include "input/Blocks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace xlink {

namespace {

constexpr uint32_t kNoPart = ~0u;

/// A block as the object states it.
struct Block {
  uint64_t begin, end;
  uint32_t top;    ///< label at its begin
  uint32_t keeper; ///< symbol that keeps it alive
};

/// A future section: a block, or a range between blocks.
struct Part {
  uint64_t begin, end; ///< padding before `begin` belongs to no part
  uint64_t align = 1;
  uint32_t top = 0; ///< a block's top label, 0: between blocks
  uint32_t keeper = 0;
  uint32_t section = 0; ///< index in the new object
};

struct Label {
  uint64_t align = 1, padding = 0;
};

struct CutSection {
  std::vector<Block> blocks;
  std::map<uint64_t, Label> labels; ///< by offset
  DenseSet<uint64_t> edges;         ///< offsets of labels of no block
  std::vector<Part> link;           ///< in order; empty: stays whole
};

class Cutter {
public:
  Cutter(const ParsedObject &object, const Target &target)
      : object(object), target(target) {}
  std::shared_ptr<const ParsedObject> run();

private:
  bool readStatements();
  bool suits(const ParsedSection &section) const;
  bool makeParts(uint32_t index, CutSection &cut);
  bool staysAtEdge(uint32_t symbol) const;
  uint32_t partOfSymbol(uint32_t symbol) const;
  void checkReferences();
  const Part *partAt(const CutSection &cut, uint64_t offset) const;
  std::shared_ptr<const ParsedObject> rewrite() const;

  const ParsedObject &object;
  const Target &target;
  std::map<uint32_t, CutSection> cuts;   ///< by section index
  DenseMap<uint32_t, uint32_t> belongs;  ///< symbol -> top label
  DenseMap<uint32_t, uint32_t> bottomOf; ///< bottom label -> top label
  DenseSet<uint32_t> keepers;
  std::vector<bool> inCode; ///< symbols that sections in memory refer to
};

} // namespace

/// Sections of which parts may go. Merging and groups have units of their own.
bool Cutter::suits(const ParsedSection &section) const {
  return section.kind == SectionKind::Regular && !section.isPiece &&
         section.group == 0 && section.size != 0 &&
         section.name != ".eh_frame" && // cut record by record
         !(section.flags & (ELF::SHF_MERGE | ELF::SHF_COMPRESSED));
}

bool Cutter::readStatements() {
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
    } else if (op == ExprOp::AlignLabel && o[0].kind == ExprOperand::Constant) {
      const ParsedSymbol *at = label(entry.result);
      uint64_t align = o[0].value;
      if (!at || !isPowerOf2_64(align))
        continue;
      Label &l = cuts[at->section].labels[at->value];
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

/// Whether a label at the edge of a block belongs to no block.
bool Cutter::staysAtEdge(uint32_t symbol) const {
  return object.symbols[symbol].binding == ELF::STB_LOCAL && !inCode[symbol] &&
         !belongs.count(symbol) && !bottomOf.count(symbol) &&
         !keepers.count(symbol);
}

/// Cuts one section; false when it has to stay whole.
bool Cutter::makeParts(uint32_t index, CutSection &cut) {
  const ParsedSection &section = object.sections[index];
  stable_sort(cut.blocks, [](const Block &a, const Block &b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  uint64_t at = 0;
  for (const Block &block : cut.blocks) {
    if (block.begin < at) {
      // Inside the block before, which keeps it; or a second keeper of the same
      // bytes, of which either suffices: then nothing may go.
      Part &last = cut.link.back();
      if (block.end == last.end && last.top && block.keeper != last.keeper &&
          object.symbols[block.top].value == object.symbols[last.top].value)
        last.keeper = 0;
      else if (block.end > last.end)
        return false;
      continue;
    }
    if (block.begin > at || cut.edges.count(at))
      cut.link.push_back({at, block.begin});
    cut.link.push_back({block.begin, block.end, 1, block.top, block.keeper});
    at = block.end;
  }
  if (at < section.size || cut.edges.count(at))
    cut.link.push_back({at, section.size});
  if (cut.link.size() == 1 && cut.link.front().keeper == 0)
    return false;

  for (Part &part : cut.link) {
    // The strictest label tells where the part may stand.
    auto label = cut.labels.lower_bound(part.begin);
    const Label *strictest = nullptr;
    uint64_t offset = 0;
    for (; label != cut.labels.end() && label->first < part.end; ++label)
      if (!strictest || label->second.align > strictest->align) {
        strictest = &label->second;
        offset = label->first;
      }
    if (part.begin == part.end)
      continue;
    if (part.begin == 0) {
      part.align = section.align;
    } else if (!strictest) {
      // Parts that a compiler aligned without a statement stay aligned.
      part.align = std::min<uint64_t>(section.align, part.begin & -part.begin);
      if (cut.labels.empty() && part.align != section.align)
        return false;
    } else {
      if (offset - part.begin == strictest->padding)
        part.begin = offset;
      if ((offset - part.begin) % strictest->align != 0)
        return false;
      part.align = strictest->align;
    }
  }
  return true;
}

const Part *Cutter::partAt(const CutSection &cut, uint64_t offset) const {
  auto next = partition_point(
      cut.link, [&](const Part &part) { return part.end <= offset; });
  return next == cut.link.end() ? &cut.link.back() : &*next;
}

/// Index of the part of a cut section that a symbol stands in.
uint32_t Cutter::partOfSymbol(uint32_t symbol) const {
  const ParsedSymbol &s = object.symbols[symbol];
  const CutSection &cut = cuts.find(s.section)->second;
  auto blockOf = [&](uint32_t top) {
    for (uint32_t i = 0; i < cut.link.size(); ++i)
      if (cut.link[i].top && (cut.link[i].top == top ||
                              (object.symbols[cut.link[i].top].value ==
                                   object.symbols[top].value &&
                               object.symbols[top].section == s.section)))
        return s.value <= cut.link[i].end ? i : kNoPart;
    return kNoPart;
  };
  if (auto it = belongs.find(symbol); it != belongs.end())
    if (uint32_t part = blockOf(it->second);
        part != kNoPart && s.value >= object.symbols[cut.link[part].top].value)
      return part;
  if (auto it = bottomOf.find(symbol); it != bottomOf.end())
    if (uint32_t part = blockOf(it->second);
        part != kNoPart && s.value == cut.link[part].end)
      return part;
  uint32_t i = 0;
  if (staysAtEdge(symbol)) {
    for (; i < cut.link.size(); ++i)
      if (!cut.link[i].top && cut.link[i].begin <= s.value &&
          s.value <= cut.link[i].end)
        return i;
    i = 0;
  }
  // Labels in the padding before a part belong to it.
  while (i + 1 < cut.link.size() && cut.link[i].end <= s.value)
    ++i;
  return i;
}

/// Sections whose parts refer to each other by distances that assume the old
/// order: their symbols plus addends leave the symbol's part.
void Cutter::checkReferences() {
  auto check = [&](const Relocation &r) {
    const ParsedSymbol &s = object.symbols[r.symbol];
    if (s.place != SymbolPlace::Section)
      return;
    auto it = cuts.find(s.section);
    if (it == cuts.end() || it->second.link.empty())
      return;
    const Part &part = it->second.link[partOfSymbol(r.symbol)];
    uint64_t to = s.value + uint64_t(r.addend);
    bool inside =
        part.top ? to >= object.symbols[part.top].value : to >= part.begin;
    if (s.type == ELF::STT_SECTION || !inside || to > part.end)
      it->second.link.clear();
  };
  for (const ParsedSection &section : object.sections)
    for (uint32_t r = section.relocBegin; r < section.relocEnd; ++r)
      check(object.relocations[r]);
}

std::shared_ptr<const ParsedObject> Cutter::rewrite() const {
  auto result = std::make_shared<ParsedObject>(object);
  std::vector<uint32_t> newIndex(object.sections.size());
  result->sections.clear();
  result->more.clear();
  result->relocations = {};
  std::map<uint32_t, CutSection> placed = cuts;
  for (uint32_t i = 0; i < object.sections.size(); ++i) {
    const ParsedSection &old = object.sections[i];
    newIndex[i] = uint32_t(result->sections.size());
    auto take = [&](uint32_t begin, uint32_t end, uint64_t shift) {
      ParsedSection &section = result->sections.back();
      section.relocBegin = uint32_t(result->relocations.size());
      for (uint32_t r = begin; r < end; ++r) {
        Relocation moved = object.relocations[r];
        moved.offset -= shift;
        result->relocations.push_back(moved);
      }
      section.relocEnd = uint32_t(result->relocations.size());
    };
    const MoreOfSection &more = object.moreOf(i);
    auto it = placed.find(i);
    if (it == placed.end() || it->second.link.empty()) {
      if (old.hasMore) {
        result->more.push_back(more);
        result->more.back().section = newIndex[i];
      }
      result->sections.push_back(old);
      take(old.relocBegin, old.relocEnd, 0);
      continue;
    }
    uint32_t reloc = old.relocBegin;
    for (Part &part : it->second.link) {
      part.section = uint32_t(result->sections.size());
      ParsedSection &section = result->sections.emplace_back(old);
      section.size = part.end - part.begin;
      if (old.bytes)
        section.bytes = old.bytes + part.begin;
      section.align = part.align;
      section.isPiece = true;
      section.hasMore = true;
      result->more.push_back(
          {part.section, more.link, more.parent, part.keeper, part.begin});
      uint32_t first = reloc;
      while (reloc < old.relocEnd &&
             object.relocations[reloc].offset < part.end)
        ++reloc;
      take(first, reloc, part.begin);
    }
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
    auto it = placed.find(s.section);
    if (it == placed.end() || it->second.link.empty()) {
      renumber(s.section);
      continue;
    }
    const Part &part = it->second.link[partOfSymbol(i)];
    s.section = part.section;
    s.value = s.value > part.begin ? s.value - part.begin : 0;
  }
  return result;
}

std::shared_ptr<const ParsedObject> Cutter::run() {
  if (!readStatements())
    return nullptr;
  bool any = false;
  for (auto &[index, cut] : cuts)
    if (!makeParts(index, cut))
      cut.link.clear();
  erase_if(cuts, [](const auto &cut) { return cut.second.link.empty(); });
  checkReferences();
  for (auto &[index, cut] : cuts) {
    // A relocation of bytes that are in no part: in padding, or across an edge.
    const ParsedSection &section = object.sections[index];
    for (uint32_t r = section.relocBegin;
         r < section.relocEnd && !cut.link.empty(); ++r) {
      const Relocation &reloc = object.relocations[r];
      const RelocationRow *row = findRelocation(target, reloc.type);
      const Part *part = partAt(cut, reloc.offset);
      if (reloc.offset < part->begin || reloc.offset >= part->end ||
          (row && row->bytes > part->end - reloc.offset))
        cut.link.clear();
    }
    any |= !cut.link.empty();
  }
  erase_if(cuts, [](const auto &cut) { return cut.second.link.empty(); });
  return any ? rewrite() : nullptr;
}

std::shared_ptr<const ParsedObject>
cutBlocks(std::shared_ptr<const ParsedObject> object, const Target &target) {
  if (!object || object->expressions.empty())
    return object;
  std::shared_ptr<const ParsedObject> cut = Cutter(*object, target).run();
  return cut ? cut : object;
}

} // namespace xlink
