//===- Sizes.cpp ----------------------------------------------------------===//
#include "inspect/Sizes.h"
#include "base/Demangle.h"
#include "base/Diagnostics.h"
#include "inspect/Column.h"
#include "map/SizeAttribution.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xlink {

namespace {

/// Sums the nodes of the attribution's tree by what they are.
class Collector {
public:
  explicit Collector(const SizeTree &tree) : tree(tree) {}
  void visit(uint32_t index);
  void fill(std::vector<Sizes::Row> &rows, unsigned table) const {
    for (const auto &[name, bytes] : sums[table])
      rows.push_back({name.first, name.second, bytes});
    stable_sort(rows, [](const Sizes::Row &a, const Sizes::Row &b) {
      return a.bytes > b.bytes;
    });
  }

private:
  enum { Sections, Archives, Files, Symbols };
  void add(unsigned table, const std::string &name, const std::string &in,
           uint64_t bytes) {
    sums[table][{name, in}] += bytes;
  }

  const SizeTree &tree;
  std::string region, archive, file;
  std::map<std::pair<std::string, std::string>, uint64_t> sums[4];
};

void Collector::visit(uint32_t index) {
  const SizeNode &node = tree.nodes[index];
  bool inner = true;
  switch (node.kind) {
  case SizeNode::Region:
    region = node.name == "in no region" ? "" : node.name;
    break;
  case SizeNode::Output:
    add(Sections, node.name, region, node.bytes);
    archive.clear();
    break;
  case SizeNode::Archive:
    add(Archives, node.name, "", node.bytes);
    archive = node.name;
    break;
  case SizeNode::Object:
    file = archive.empty() ? node.name : archive + "(" + node.name + ")";
    add(Files, file, "", node.bytes);
    break;
  case SizeNode::Function:
  case SizeNode::Variable:
    add(Symbols, node.name, file, node.bytes);
    break;
  case SizeNode::Padding:
  case SizeNode::Reserved:
  case SizeNode::Linker:
  case SizeNode::Data:
    add(Files,
        node.kind == SizeNode::Padding    ? "(padding)"
        : node.kind == SizeNode::Reserved ? "(room set aside)"
        : node.kind == SizeNode::Linker   ? "(made by the linker)"
                                          : "(data of the script)",
        "", node.bytes);
    inner = false;
    break;
  default:
    break;
  }
  for (uint32_t child : node.children)
    if (inner)
      visit(child);
  if (node.kind == SizeNode::Archive)
    archive.clear();
}

} // namespace

Sizes sizesOf(const LinkMap &map) {
  const SizeTree tree = attributeSizes(map);
  Collector collector(tree);
  collector.visit(0);
  Sizes sizes;
  sizes.machine = map.machine.str();
  sizes.bytes = tree.nodes[0].bytes;
  sizes.tables = {{"sections", "Section", {}},
                  {"archives", "Archive", {}},
                  {"files", "File", {}},
                  {"symbols", "Function or variable", {}}};
  for (unsigned i = 0; i < sizes.tables.size(); ++i)
    collector.fill(sizes.tables[i].rows, i);
  return sizes;
}

std::string sizesText(const Sizes &sizes, StringRef file, size_t rows,
                      bool demangle) {
  std::string text;
  raw_string_ostream out(text);
  auto line = [&](uint64_t bytes, const Twine &name) {
    out << column(std::to_string(bytes))
        << format("%9.2f%%  ", sizes.bytes
                                   ? double(bytes) * 100.0 / double(sizes.bytes)
                                   : 0.0)
        << name << '\n';
  };
  out << printable(file) << " (" << printable(sizes.machine)
      << "): " << countOf(sizes.bytes, "byte", "bytes") << " of memory\n";
  for (const Sizes::Table &table : sizes.tables) {
    if (table.rows.empty())
      continue;
    out << "\n       Bytes     Share  " << table.title << '\n';
    uint64_t rest = 0;
    for (size_t i = 0; i < table.rows.size(); ++i) {
      const Sizes::Row &row = table.rows[i];
      const bool symbol = &table == &sizes.tables.back();
      if (i < rows)
        line(row.bytes,
             printable(symbol && demangle ? demangled(row.name) : row.name) +
                 (row.in.empty() ? "" : " in " + printable(row.in)));
      else
        rest += row.bytes;
    }
    if (rows < table.rows.size())
      line(rest, "in " + Twine(table.rows.size() - rows) + " others");
  }
  return text;
}

std::string sizesJson(const Sizes &sizes, StringRef file) {
  std::string text;
  raw_string_ostream out(text);
  json::OStream json(out, 2);
  json.object([&] {
    json.attribute("format", "xlink sizes");
    json.attribute("version", 1);
    json.attribute("file", json::fixUTF8(file));
    json.attribute("machine", json::fixUTF8(sizes.machine));
    json.attribute("bytes", sizes.bytes);
    for (const Sizes::Table &table : sizes.tables)
      json.attributeArray(table.member, [&] {
        for (const Sizes::Row &row : table.rows)
          json.object([&] {
            json.attribute("name", json::fixUTF8(row.name));
            if (!row.in.empty())
              json.attribute("in", json::fixUTF8(row.in));
            json.attribute("bytes", row.bytes);
          });
      });
  });
  out << '\n';
  return text;
}

} // namespace xlink
