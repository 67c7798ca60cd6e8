//===- StatementObject.cpp ------------------------------------------------===//
#include "support/StatementObject.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Endian.h"
#include <gtest/gtest.h>
#include <map>
#include <tuple>

using namespace llvm;

namespace xlink::test {
namespace {

const std::map<StringRef, uint32_t> kOperators = {
    {"sum", 1},           {"max", 2},        {"product", 3},
    {"difference", 4},    {"assertion", 5},  {"calls", 12},
    {"passed", 13},       {"reads", 15},     {"writes", 16},
    {"stack", 17},        {"threads", 19},   {"timers", 20},
    {"chanends", 21},     {"actnoside", 23}, {"locnoside", 24},
    {"parallel", 25},     {"name", 27},      {"actnochandec", 30},
    {"locnochandec", 31}, {"type", 37},      {"defined", 28},
    {"aligned", 52},      {"quotient", 55},  {"choice", 58},
    {"element", 59},      {"setmax", 60},    {"setsum", 64},
    {"block", 33},        {"padding", 34},   {"keptby", 41},
    {"belongs", 43},
};

enum Place : uint16_t { Undefined = 0, Text = 1, Data = 2, Absolute = 0xfff1 };

struct Sym {
  uint32_t name, value;
  Place place;
  bool local;
};

class Builder {
public:
  void line(StringRef text);
  Bytes build(uint32_t typeSection);

private:
  uint32_t text(StringRef s) {
    auto [it, isNew] = offsets.try_emplace(s, uint32_t(strings.size()));
    if (isNew)
      strings += s.str() + '\0';
    return it->second;
  }
  void define(StringRef name, Place place, uint32_t value, bool local) {
    bySymbol[name] = uint32_t(symbols.size());
    symbols.push_back({text(name), value, place, local});
  }
  struct Operand {
    uint32_t kind = 0, value = 0; ///< numberSymbols() sets a symbol's
    StringRef symbol;
  };
  struct Entry {
    uint32_t op;
    Operand result;
    Operand operands[3];
  };
  uint32_t find(StringRef name) {
    auto it = bySymbol.find(name);
    if (it != bySymbol.end())
      return it->second;
    define(name, Undefined, 0, false);
    return uint32_t(symbols.size() - 1);
  }

  void numberSymbols();
  void writeSections(uint32_t typeSection);
  void writeReferences();
  void writeSymbols();
  void put(uint64_t value, unsigned size) {
    uint8_t bytes[16] = {};
    support::endian::write64le(bytes, value);
    out.insert(out.end(), bytes, bytes + size);
  }
  void begin(const char *name, uint32_t type, uint32_t flags = 0) {
    while (out.size() % 4)
      out.push_back(0);
    sections.push_back({name, type, flags, uint32_t(out.size()), 0, 0, 0, 0});
  }
  void finish() {
    sections.back().size = uint32_t(out.size()) - sections.back().offset;
  }

  std::string strings = std::string(1, '\0');
  StringMap<uint32_t> offsets;
  std::vector<Sym> symbols;
  StringMap<uint32_t> bySymbol;
  struct Reference {
    StringRef from, to;
    uint32_t type;
  };

  std::vector<Entry> entries;
  std::vector<Reference> references;
  std::vector<uint32_t> types;
  uint32_t textSize = 0, dataSize = 0;

  // What build() makes of them.
  struct Section {
    const char *name;
    uint32_t type, flags, offset, size, link, info, entsize;
  };
  Bytes out = Bytes(52);
  std::vector<Section> sections = std::vector<Section>(1);
  std::vector<uint32_t> order, number; ///< of symbols
  std::vector<size_t> tables; ///< sections whose sh_link is the symbol table
  uint32_t firstGlobal = 1;
};

/// Words, and strings in quotes with their first quote.
SmallVector<StringRef, 6> split(StringRef line) {
  SmallVector<StringRef, 6> words;
  for (line = line.trim(); !line.empty(); line = line.ltrim()) {
    size_t end = line.front() == '"' ? line.find('"', 1) + 1 : line.find(' ');
    end = std::min(end, line.size());
    StringRef word = line.take_front(end);
    words.push_back(word.front() == '"' ? word.drop_back() : word);
    line = line.drop_front(end);
  }
  return words;
}

void Builder::line(StringRef source) {
  auto words = split(source);
  if (words.empty())
    return;
  StringRef verb = words[0];
  if (verb == "code" || verb == "local" || verb == "data" || verb == "result" ||
      verb == "localresult") {
    for (size_t i = 1; i < words.size(); ++i) {
      bool isData = verb == "data";
      if (verb.ends_with("result")) {
        define(words[i], Absolute, 0, verb == "localresult");
        continue;
      }
      uint32_t &at = isData ? dataSize : textSize;
      define(words[i], isData ? Data : Text, at, verb == "local");
      at += 4;
    }
    return;
  }
  uint32_t number = 0;
  if (verb == "constant" && words.size() == 3 &&
      !words[2].getAsInteger(0, number))
    return define(words[1], Absolute, number, false);
  if (verb == "typeinfo" && words.size() == 3) {
    types.push_back(text(words[1]));
    types.push_back(text(words[2].drop_front()));
    return;
  }
  if ((verb == "bl" || verb == "pointer") && words.size() == 3) {
    references.push_back({words[1], words[2], verb == "bl" ? 11u : 1u});
    return;
  }
  auto op = kOperators.find(verb);
  if (op == kOperators.end() || words.size() < 2 || words.size() > 5) {
    ADD_FAILURE() << "cannot read the line '" << source.str() << "'";
    return;
  }
  Entry entry{op->second, {1, 0, words[1]}, {}};
  for (size_t i = 2; i < words.size(); ++i) {
    Operand &operand = entry.operands[i - 2];
    StringRef word = words[i];
    if (word.consume_front("\"")) {
      std::string string;
      for (auto [part, rest] = word.split("\\n"); true;
           std::tie(part, rest) = rest.split("\\n")) {
        string += part;
        if (rest.empty())
          break;
        string += '\n';
      }
      operand = {2, text(string), ""};
    } else if (!word.getAsInteger(0, number))
      operand = {0, number, ""};
    else
      operand = {1, 0, word};
  }
  entries.push_back(entry);
}

void Builder::numberSymbols() {
  // Names first, then their final numbers: locals come before globals.
  for (Entry &entry : entries) {
    entry.result.value = find(entry.result.symbol);
    for (Operand &operand : entry.operands)
      if (operand.kind == 1)
        operand.value = find(operand.symbol);
  }
  for (const Reference &reference : references)
    find(reference.to);
  for (bool local : {true, false})
    for (uint32_t i = 0; i < symbols.size(); ++i)
      if (symbols[i].local == local)
        order.push_back(i);
  number.resize(symbols.size());
  for (uint32_t i = 0; i < order.size(); ++i) {
    number[order[i]] = i + 1;
    firstGlobal += symbols[order[i]].local;
  }
}

void Builder::writeSections(uint32_t typeSection) {
  begin(".text", 1, 6);
  out.resize(out.size() + std::max(textSize, 4u));
  for (const Reference &reference : references)
    if (reference.type == 11)
      poke(out, sections.back().offset + symbols[find(reference.from)].value,
           0xD000F000, 4);
  finish();
  begin(".dp.data", 1, 0x10000003);
  out.resize(out.size() + dataSize);
  finish();
  begin(".expr", 0x14);
  for (const Entry &entry : entries) {
    const Operand *o = entry.operands;
    put(entry.op << 6 | o[0].kind | o[1].kind << 2 | o[2].kind << 4, 4);
    put(number[entry.result.value], 4);
    for (const Operand &operand : entry.operands)
      put(operand.kind == 1 ? number[operand.value] : operand.value, 4);
  }
  finish();
  if (!types.empty()) {
    begin(".typeinfo", typeSection);
    for (uint32_t offset : types)
      put(offset, 4);
    finish();
  }
}

/// Relocations of .text and .dp.data.
void Builder::writeReferences() {
  tables.clear();
  if (!types.empty())
    tables.push_back(sections.size() - 1);
  for (uint32_t target : {1u, 2u}) {
    auto isHere = [&](const Reference &reference) {
      return symbols[find(reference.from)].place == target;
    };
    if (none_of(references, isHere))
      continue;
    tables.push_back(sections.size());
    begin(".rela", 4);
    for (const Reference &reference : references)
      if (isHere(reference)) {
        put(symbols[find(reference.from)].value, 4);
        put(number[find(reference.to)] << 8 | reference.type, 4);
        put(0, 4);
      }
    finish();
    sections.back().info = target;
    sections.back().entsize = 12;
  }
}

void Builder::writeSymbols() {
  for (size_t table : tables)
    sections[table].link = uint32_t(sections.size());
  begin(".symtab", 2);
  put(0, 16);
  for (uint32_t i : order) {
    const Sym &s = symbols[i];
    put(s.name, 4);
    put(s.value, 4);
    put(0, 4);
    put(s.local ? 0 : 0x10, 1);
    put(0, 1);
    put(s.place, 2);
  }
  finish();
  sections.back().link = uint32_t(sections.size());
  sections.back().info = firstGlobal;
  sections.back().entsize = 16;
}

Bytes Builder::build(uint32_t typeSection) {
  numberSymbols();
  writeSections(typeSection);
  writeReferences();
  writeSymbols();
  begin(".strtab", 3);
  std::vector<uint32_t> names;
  for (const Section &section : sections)
    names.push_back(section.name ? text(section.name) : 0);
  out.insert(out.end(), strings.begin(), strings.end());
  finish();
  while (out.size() % 4)
    out.push_back(0);
  uint32_t table = uint32_t(out.size());
  for (size_t i = 0; i < sections.size(); ++i) {
    const Section &s = sections[i];
    put(names[i], 4);
    for (uint32_t field : {s.type, s.flags, 0u, s.offset, s.size, s.link,
                           s.info, i ? 4u : 0u, s.entsize})
      put(field, 4);
  }
  const uint8_t identity[] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
  std::copy(std::begin(identity), std::end(identity), out.begin());
  poke(out, 16, 1, 2);
  poke(out, 18, 203, 2);
  poke(out, 20, 1, 4);
  poke(out, 32, table, 4);
  poke(out, 40, 52, 2);
  poke(out, 46, 40, 2);
  poke(out, 48, sections.size(), 2);
  poke(out, 50, sections.size() - 1, 2);
  return std::move(out);
}

} // namespace

Bytes statementObject(StringRef lines, uint32_t typeSection) {
  Builder builder;
  SmallVector<StringRef, 0> list;
  lines.split(list, '\n');
  for (StringRef line : list)
    builder.line(line);
  return builder.build(typeSection);
}

} // namespace xlink::test
