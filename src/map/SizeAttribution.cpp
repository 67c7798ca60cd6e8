//===- SizeAttribution.cpp ------------------------------------------------===//
//
// Problem: whose is the memory? Region, output section, archive, object,
// function: on every level the sum has to be exact, or nobody trusts it.
//
// Method: every byte is added once, at a leaf, and to all that is above it. A
// part of an output section is cut at the symbols that have a size, stated or
// inferred: of two that overlap the first one has the bytes, of two that begin
// together the larger one. What no symbol covers is the section's own. Room
// between sections, which counts as used in a region, is padding too. Nodes are
// found by their parent and a number: the index of a file or an output section,
// or where only a name tells (causes of padding) that of the name.
//
// Cost: one look-up for each part, one node for each symbol that has bytes, and
// one sort of the children of each node.
//
//===----------------------------------------------------------------------===//
#include "map/SizeAttribution.h"
#include "base/Demangle.h"
#include "base/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

namespace {

using Node = uint32_t;
constexpr Node kRoot = 0;

class Attribution {
public:
  explicit Attribution(const LinkMap &map) : map(map) {}
  SizeTree run();

private:
  /// What is told apart under one parent.
  static constexpr uint64_t ByRegion = uint64_t(1) << 32;
  static constexpr uint64_t ByOutput = uint64_t(2) << 32;
  static constexpr uint64_t ByText = uint64_t(3) << 32; ///< archives, causes
  static constexpr uint64_t ByFile = uint64_t(4) << 32;
  static constexpr uint64_t ByKind = uint64_t(5) << 32;
  Node child(Node parent, uint64_t key, SizeNode::Kind kind, StringRef name);
  Node leaf(Node parent, SizeNode::Kind kind, StringRef name) {
    tree.nodes.push_back({kind, name.str(), "", 0, {}});
    tree.nodes[parent].children.push_back(Node(tree.nodes.size() - 1));
    parents.push_back(parent);
    return Node(tree.nodes.size() - 1);
  }
  void give(Node node, uint64_t bytes) {
    for (;; node = parents[node]) {
      tree.nodes[node].bytes += bytes;
      if (node == kRoot)
        return;
    }
  }
  uint64_t textKey(StringRef text) {
    return ByText | texts.try_emplace(text, texts.size()).first->second;
  }
  Node regionNode(uint32_t region);
  Node objectNode(Node output, uint32_t file);
  void addOutput(Node region, uint32_t index);
  void addPart(Node output, const MapPart &part);
  void addSymbols(Node object, const MapPart &part);
  void addGaps();

  const LinkMap &map;
  SizeTree tree;
  std::vector<Node> parents; ///< of each node; the root's is itself
  DenseMap<std::pair<Node, uint64_t>, Node> known;
  StringMap<uint64_t> texts;
};

} // namespace

Node Attribution::child(Node parent, uint64_t key, SizeNode::Kind kind,
                        StringRef name) {
  auto [it, isNew] = known.try_emplace({parent, key}, 0);
  if (isNew)
    it->second = leaf(parent, kind, name);
  return it->second;
}

Node Attribution::regionNode(uint32_t region) {
  return region == LinkMap::kNoIndex
             ? child(kRoot, ByRegion | UINT32_MAX, SizeNode::Region,
                     "in no region")
             : child(kRoot, ByRegion | region, SizeNode::Region,
                     map.regions[region].name);
}

Node Attribution::objectNode(Node output, uint32_t file) {
  const MapInput &f = map.files[file];
  Node parent = output;
  if (!f.member.empty())
    parent = child(output, textKey(f.path), SizeNode::Archive, f.path);
  const Node node = child(parent, ByFile | file, SizeNode::Object,
                          f.member.empty() ? f.path : f.member);
  tree.nodes[node].source = f.source;
  return node;
}

void Attribution::addSymbols(Node object, const MapPart &part) {
  auto symbols =
      ArrayRef<MapSymbol>(map.symbols).slice(part.firstSymbol, part.symbols);
  uint64_t done = 0, own = 0; // bytes of the part; of them nobody's
  for (size_t i = 0; i < symbols.size() && done < part.size; ++i) {
    const MapSymbol *s = &symbols[i];
    const uint64_t begin = s->address - part.address;
    if (s->address < part.address || begin >= part.size)
      continue;
    // Of those that begin here the largest.
    size_t next = i + 1;
    for (; next < symbols.size() && symbols[next].address == s->address; ++next)
      if (symbols[next].size > s->size)
        s = &symbols[next];
    i = next - 1;
    if (begin < done || !s->size)
      continue;
    const uint64_t size = std::min(s->size, part.size - begin);
    own += begin - done;
    give(leaf(object,
              s->kind == MapSymbol::Function ? SizeNode::Function
                                             : SizeNode::Variable,
              s->name),
         size);
    done = begin + size;
  }
  if (own += part.size - done)
    give(child(object, textKey(part.name), SizeNode::Section, part.name), own);
}

void Attribution::addPart(Node output, const MapPart &part) {
  if (!part.size)
    return;
  switch (part.kind) {
  case MapPart::Padding: {
    if (const MapReservation *r = map.reservationOf(part)) {
      const Node all = child(output, ByKind | SizeNode::Reserved,
                             SizeNode::Reserved, "set aside");
      return give(child(all, textKey(r->name), SizeNode::Cause, r->name),
                  part.size);
    }
    const Node all =
        child(output, ByKind | SizeNode::Padding, SizeNode::Padding, "padding");
    return give(child(all, textKey(part.cause), SizeNode::Cause, part.cause),
                part.size);
  }
  case MapPart::Data:
    return give(
        child(output, ByKind | SizeNode::Data, SizeNode::Data, "script's data"),
        part.size);
  default:
    break;
  }
  if (part.file != LinkMap::kNoIndex)
    return addSymbols(objectNode(output, part.file), part);
  const Node all =
      child(output, ByKind | SizeNode::Linker, SizeNode::Linker, "<internal>");
  give(child(all, textKey(part.name), SizeNode::Section, part.name), part.size);
}

void Attribution::addOutput(Node region, uint32_t index) {
  const MapOutput &o = map.outputs[index];
  const Node node = child(region, ByOutput | index, SizeNode::Output, o.name);
  for (const MapPart &part : ArrayRef(map.parts).slice(o.firstPart, o.parts))
    addPart(node, part);
}

/// What a region counts as used between and in front of its sections.
void Attribution::addGaps() {
  std::vector<std::vector<std::pair<uint64_t, uint32_t>>> begins(
      map.regions.size());
  for (uint32_t i = 0; i < map.outputs.size(); ++i) {
    const MapOutput &o = map.outputs[i];
    if (!(o.flags & ELF::SHF_ALLOC) || !o.size)
      continue;
    if (o.region != LinkMap::kNoIndex)
      begins[o.region].push_back({o.address, i});
    if (o.loadRegion != LinkMap::kNoIndex && o.loadRegion != o.region &&
        o.type != ELF::SHT_NOBITS)
      begins[o.loadRegion].push_back({o.loadAddress, i});
  }
  for (uint32_t r = 0; r < map.regions.size(); ++r) {
    const MapRegion &region = map.regions[r];
    llvm::sort(begins[r]);
    uint64_t end = region.origin;
    auto gap = [&](uint64_t to, const std::string &cause) {
      if (to <= end || to < region.origin)
        return;
      const Node all = child(regionNode(r), ByKind | SizeNode::Padding,
                             SizeNode::Padding, "padding");
      give(child(all, textKey(cause), SizeNode::Cause, cause), to - end);
      end = to;
    };
    for (auto [begin, index] : begins[r]) {
      const MapOutput &o = map.outputs[index];
      gap(begin, ("in front of " + o.name).str());
      if (begin <= UINT64_MAX - o.size)
        end = std::max(end, begin + o.size);
    }
    if (region.used <= UINT64_MAX - region.origin)
      gap(region.origin + region.used, "behind the last section");
  }
}

SizeTree Attribution::run() {
  tree.nodes.push_back({SizeNode::All, "all", "", 0, {}});
  parents.push_back(kRoot);
  for (uint32_t i = 0; i < map.outputs.size(); ++i) {
    const MapOutput &o = map.outputs[i];
    if (!o.takesMemory())
      continue;
    addOutput(regionNode(o.region), i);
    if (o.loadRegion != LinkMap::kNoIndex && o.loadRegion != o.region &&
        o.type != ELF::SHT_NOBITS)
      addOutput(regionNode(o.loadRegion), i);
  }
  addGaps();
  for (SizeNode &node : tree.nodes)
    llvm::stable_sort(node.children, [&](Node a, Node b) {
      const SizeNode &x = tree.nodes[a], &y = tree.nodes[b];
      return x.bytes != y.bytes ? x.bytes > y.bytes : x.name < y.name;
    });
  return std::move(tree);
}

SizeTree attributeSizes(const LinkMap &map) { return Attribution(map).run(); }

//===----------------------------------------------------------------------===//
// As text and as JSON
//===----------------------------------------------------------------------===//

static void write(raw_ostream &text, json::OStream &json, const SizeTree &tree,
                  Node node, unsigned level, unsigned depth, bool demangle) {
  static constexpr const char *kinds[] = {
      "all",      "region",   "output",  "archive", "object",
      "function", "variable", "section", "padding", "reserved",
      "cause",    "linker",   "data"};
  const SizeNode &n = tree.nodes[node];
  const uint64_t all = tree.nodes[kRoot].bytes;
  const bool symbol =
      n.kind == SizeNode::Function || n.kind == SizeNode::Variable;
  text << right_justify(std::to_string(n.bytes), 12)
       << format("%9.2f%%  ",
                 all ? double(n.bytes) * 100.0 / double(all) : 0.0);
  text.indent(level * 2) << printable(symbol && demangle ? demangled(n.name)
                                                         : n.name);
  if (!n.source.empty())
    text << "  [" << n.source << "]";
  text << '\n';
  json.object([&] {
    json.attribute("bytes", n.bytes);
    if (!n.children.empty() && (!depth || level < depth))
      json.attributeArray("children", [&] {
        for (Node child : n.children)
          write(text, json, tree, child, level + 1, depth, demangle);
      });
    json.attribute("kind", kinds[n.kind]);
    json.attribute("name", json::fixUTF8(n.name));
    json.attribute("share", all ? double(n.bytes) / double(all) : 0.0);
    if (!n.source.empty())
      json.attribute("source", json::fixUTF8(n.source));
  });
}

void writeSizeAttribution(raw_ostream &text, json::OStream &json,
                          const SizeTree &tree, unsigned depth, bool demangle) {
  text << "       Bytes     Share  Whose\n";
  write(text, json, tree, kRoot, 0, depth, demangle);
}

} // namespace xlink
