//===- MiniObject.cpp -----------------------------------------------------===//
#include "fuzz/MiniObject.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink::test {

namespace {

class Writer {
public:
  explicit Writer(bool is64) : word(is64 ? 8 : 4), is64(is64) {}
  void put(uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i)
      bytes.push_back(uint8_t(value >> (8 * i)));
  }
  void set(uint64_t at, uint64_t value) {
    for (unsigned i = 0; i < word; ++i)
      bytes[at + i] = uint8_t(value >> (8 * i));
  }
  void header(uint32_t name, uint32_t type, uint64_t flags, uint64_t offset,
              uint64_t size, uint32_t link, uint32_t info, uint64_t align,
              uint64_t entry) {
    put(name, 4);
    put(type, 4);
    put(flags, word);
    put(0, word);
    put(offset, word);
    put(size, word);
    put(link, 4);
    put(info, 4);
    put(align, word);
    put(entry, word);
  }
  void symbol(const MiniSymbol &s, uint32_t name) {
    put(name, 4);
    if (is64) {
      put(s.info, 2);
      put(s.section, 2);
    }
    put(s.value, word);
    put(s.size, word);
    if (!is64) {
      put(s.info, 2);
      put(s.section, 2);
    }
  }

  Bytes bytes;
  const unsigned word;
  const bool is64;
};

/// Adds a name to a string table.
uint32_t add(std::string &strings, const std::string &name) {
  const uint32_t at = uint32_t(strings.size());
  strings += name + '\0';
  return at;
}

} // namespace

Bytes miniObject(bool is64, uint16_t machine,
                 const std::vector<MiniSection> &sections,
                 const std::vector<MiniSymbol> &symbols, uint32_t type,
                 const std::vector<MiniReference> &references) {
  Writer out(is64);
  const uint8_t ident[] = {0x7f, 'E', 'L', 'F', uint8_t(is64 ? 2 : 1), 1, 1};
  out.bytes.assign(ident, ident + sizeof ident);
  out.bytes.resize(16);
  uint64_t count = sections.size() + 3; // null, symbols, strings
  for (size_t i = 0; i < references.size(); ++i)
    count += i == 0 || references[i].section != references[i - 1].section;
  out.put(ELF::ET_REL, 2);
  out.put(machine, 2);
  out.put(1, 4);
  out.put(0, out.word); // no entry, no segments
  out.put(0, out.word);
  const uint64_t tableAt = out.bytes.size();
  out.put(0, out.word);
  out.put(0, 4);
  for (uint64_t half : {uint64_t(is64 ? 64 : 52), uint64_t(0), uint64_t(0),
                        uint64_t(is64 ? 64 : 40), count, count - 1})
    out.put(half, 2);

  std::vector<uint64_t> offsets;
  for (const MiniSection &s : sections) {
    offsets.push_back(out.bytes.size());
    if (s.type != ELF::SHT_NOBITS)
      for (uint64_t i = 0; i < s.size; ++i)
        out.put(i, 1);
    while (out.bytes.size() % 8)
      out.put(0, 1);
  }
  std::string strings(1, '\0');
  const uint64_t symbolsAt = out.bytes.size();
  out.symbol({"", 0, 0}, 0);
  uint32_t locals = 1;
  for (const MiniSymbol &s : symbols) {
    locals += s.info >> 4 == ELF::STB_LOCAL;
    out.symbol(s, add(strings, s.name));
  }
  const uint64_t symbolsEnd = out.bytes.size();
  const uint64_t relocationsAt = out.bytes.size();
  for (const MiniReference &r : references) {
    out.put(r.offset, out.word);
    out.put(is64 ? uint64_t(r.symbol) << 32 | type : r.symbol << 8 | type,
            out.word);
    out.put(0, out.word);
  }
  const uint64_t stringsAt = out.bytes.size();
  std::vector<uint32_t> names;
  for (const MiniSection &s : sections)
    names.push_back(add(strings, s.name));
  const uint32_t symtab = add(strings, ".symtab");
  const uint32_t strtab = add(strings, ".strtab");
  out.bytes.insert(out.bytes.end(), strings.begin(), strings.end());
  while (out.bytes.size() % 8)
    out.put(0, 1);
  out.set(tableAt, out.bytes.size());
  out.header(0, 0, 0, 0, 0, 0, 0, 0, 0);
  for (size_t i = 0; i < sections.size(); ++i)
    out.header(names[i], sections[i].type, sections[i].flags, offsets[i],
               sections[i].size, 0, 0, 4, 0);
  out.header(symtab, ELF::SHT_SYMTAB, 0, symbolsAt, symbolsEnd - symbolsAt,
             uint32_t(count - 1), locals, 8, is64 ? 24 : 16);
  const uint64_t entry = 3 * out.word;
  for (size_t i = 0, end = 0; i < references.size(); i = end) {
    while (end < references.size() &&
           references[end].section == references[i].section)
      ++end;
    out.header(0, ELF::SHT_RELA, 0, relocationsAt + i * entry,
               (end - i) * entry, uint32_t(sections.size() + 1),
               references[i].section, 8, entry);
  }
  out.header(strtab, ELF::SHT_STRTAB, 0, stringsAt, strings.size(), 0, 0, 1, 0);
  return std::move(out.bytes);
}

} // namespace xlink::test
