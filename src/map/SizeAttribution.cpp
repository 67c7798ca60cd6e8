//===- SizeAttribution.cpp ------------------------------------------------===//
//
// Problem: each byte of memory belongs to a region, an output section, an
// archive, an object, a function. On every level the sum has to be exact, or it
// is not trusted.
//
// Method: every byte is added once, at a leaf; nodes are sums of their
// children. A part of an output section is cut at the symbols that have a size,
// stated or inferred: of two that overlap the first one has the bytes, of two
// that begin together the larger one. Bytes that no symbol covers are the
// section's own. Room between sections, which counts as used in a region, is
// padding too.
//
// Cost: one look-up for each part, one node for each symbol that has bytes, and
// one sort of the children of each node.
//
//===----------------------------------------------------------------------===//
#include "map/SizeAttribution.h"
#include "base/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <tuple>

using namespace llvm;

namespace xlink {

namespace {

using NodeIndex = uint32_t;
constexpr NodeIndex kRoot = 0;

class Attribution {
public:
  explicit Attribution(const LinkMap &map) : map(map) {}
  SizeTree run() {
    tree.nodes.push_back({SizeNode::All, "all"});
    for (uint32_t i = 0; i < map.outputs.size(); ++i) {
      const MapOutput &o = map.outputs[i];
      if (!o.takesMemory())
        continue;
      addOutput(o.region, i);
      if (isLoadedElsewhere(o))
        addOutput(o.loadRegion, i);
    }
    for (uint32_t r = 0; r < map.regions.size(); ++r)
      addGaps(r);
    // Children stand behind their parents.
    for (NodeIndex node = NodeIndex(tree.nodes.size()); --node != kRoot;)
      add(tree.nodes[node].parent, tree.nodes[node].bytes);
    for (SizeNode &node : tree.nodes)
      llvm::stable_sort(node.children, [&](NodeIndex a, NodeIndex b) {
        const SizeNode &x = tree.nodes[a], &y = tree.nodes[b];
        return x.bytes != y.bytes ? x.bytes > y.bytes : x.name < y.name;
      });
    return std::move(tree);
  }

private:
  /// A new node, or the one with this name and number: that of a region, an
  /// output section or a file, which may share a name with others.
  NodeIndex child(NodeIndex parent, SizeNode::Kind kind, StringRef name,
                  uint32_t number = 0) {
    auto [it, isNew] = known.try_emplace({parent, kind, name.str(), number}, 0);
    if (isNew)
      it->second = leaf(parent, kind, name);
    return it->second;
  }
  NodeIndex leaf(NodeIndex parent, SizeNode::Kind kind, StringRef name,
                 uint64_t bytes = 0) {
    const NodeIndex made = NodeIndex(tree.nodes.size());
    tree.nodes.push_back({kind, name.str(), parent, "", bytes});
    tree.nodes[parent].children.push_back(made);
    return made;
  }
  void add(NodeIndex node, uint64_t bytes) { tree.nodes[node].bytes += bytes; }
  void addPadding(NodeIndex parent, StringRef cause, uint64_t bytes) {
    const NodeIndex all = child(parent, SizeNode::Padding, "padding");
    add(child(all, SizeNode::Cause, cause), bytes);
  }
  NodeIndex regionNode(uint32_t region) {
    return child(kRoot, SizeNode::Region,
                 region == kNoIndex ? "in no region" : map.regions[region].name,
                 region);
  }
  void addOutput(uint32_t region, uint32_t index) {
    const MapOutput &o = map.outputs[index];
    const NodeIndex node =
        child(regionNode(region), SizeNode::Output, o.name, index);
    for (const MapPart &part : ArrayRef(map.parts).slice(o.firstPart, o.parts))
      addPart(node, part);
  }
  void addPart(NodeIndex output, const MapPart &part) {
    if (!part.size)
      return;
    const bool isPadding = part.kind == MapPart::Padding;
    if (const MapReservation *reservation = map.reservationOf(part);
        isPadding && reservation)
      add(child(child(output, SizeNode::Reserved, "set aside"), SizeNode::Cause,
                reservation->name),
          part.size);
    else if (isPadding)
      addPadding(output, part.cause, part.size);
    else if (part.kind == MapPart::Data)
      add(child(output, SizeNode::Data, "script's data"), part.size);
    else if (part.file != kNoIndex)
      addSymbols(output, part);
    else
      add(child(child(output, SizeNode::Linker, "<internal>"),
                SizeNode::Section, part.name),
          part.size);
  }
  /// The part of a file.
  void addSymbols(NodeIndex output, const MapPart &part) {
    const MapInput &f = map.files[part.file];
    const bool isMember = !f.member.empty();
    const NodeIndex object =
        child(isMember ? child(output, SizeNode::Archive, f.path) : output,
              SizeNode::Object, isMember ? f.member : f.path, part.file);
    tree.nodes[object].source = f.source;
    auto symbols =
        ArrayRef<MapSymbol>(map.symbols).slice(part.firstSymbol, part.symbols);
    uint64_t done = 0, own = 0; // bytes of the part; of them no symbol's
    for (size_t i = 0; i < symbols.size() && done < part.size; ++i) {
      const MapSymbol *s = &symbols[i];
      const uint64_t begin = s->address - part.address;
      if (s->address < part.address || begin >= part.size)
        continue;
      // Of those that begin here the largest.
      size_t next = i + 1;
      for (; next < symbols.size() && symbols[next].address == s->address;
           ++next)
        if (symbols[next].size > s->size)
          s = &symbols[next];
      i = next - 1;
      if (begin < done || !s->size)
        continue;
      const uint64_t size = std::min(s->size, part.size - begin);
      own += begin - done;
      leaf(object,
           s->kind == MapSymbol::Function ? SizeNode::Function
                                          : SizeNode::Variable,
           s->name, size);
      done = begin + size;
    }
    if (own += part.size - done)
      add(child(object, SizeNode::Section, part.name), own);
  }
  /// Bytes of a region that count as used between and in front of its sections.
  void addGaps(uint32_t index) {
    for (const LinkMap::Gap &gap : map.gapsOf(index))
      addPadding(regionNode(index),
                 gap.before ? ("in front of " + gap.before->name).str()
                            : "behind the last section",
                 gap.end - gap.begin);
  }

  /// Whether a section is loaded in another region than it runs in.
  bool isLoadedElsewhere(const MapOutput &o) const {
    return o.loadRegion != kNoIndex && o.loadRegion != o.region &&
           o.type != ELF::SHT_NOBITS;
  }

  const LinkMap &map;
  SizeTree tree;
  std::map<std::tuple<NodeIndex, SizeNode::Kind, std::string, uint32_t>,
           NodeIndex>
      known;
};

} // namespace

SizeTree attributeSizes(const LinkMap &map) { return Attribution(map).run(); }

//===----------------------------------------------------------------------===//
// As text and as JSON
//===----------------------------------------------------------------------===//

static void write(raw_ostream &text, json::OStream &json, const SizeTree &tree,
                  NodeIndex node, unsigned level, unsigned depth,
                  bool demangle) {
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
        for (NodeIndex child : n.children)
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
