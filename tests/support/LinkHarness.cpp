//===- LinkHarness.cpp ----------------------------------------------------===//
#include "support/LinkHarness.h"
#include "support/TestFiles.h"
#include "llvm/BinaryFormat/ELF.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {

const Bytes &Linked::image() const {
  static const Bytes none;
  auto it = files.find("out");
  return it == files.end() ? none : it->second;
}

LinkHarness &LinkHarness::file(std::string path, Bytes bytes) {
  inputs[std::move(path)] = std::move(bytes);
  return *this;
}

LinkHarness &LinkHarness::file(std::string path, StringRef text) {
  return file(std::move(path), Bytes(text.begin(), text.end()));
}

Linked LinkHarness::link(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), {"-o", "out"});
  Linked linked = linkAsGiven(arguments);
  static const bool further = getenv("XLINK_TESTS_THROUGH_RELOCATABLE");
  if (further && linked.status == 0 && linked.files.count("out")) {
    const Linked again = eachThroughRelocatable().linkAsGiven(arguments);
    EXPECT_EQ(again.status, 0);
    EXPECT_EQ(again.errors, linked.errors) << "through -r";
    EXPECT_TRUE(again.image() == linked.image()) << "other bytes through -r";
  }
  return linked;
}

Linked LinkHarness::linkAsGiven(std::vector<std::string> arguments) const {
  TestFiles fs;
  for (const auto &[path, bytes] : inputs)
    fs.add(path, bytes);
  MemorySink sink;
  LinkRequest request;
  request.arguments = std::move(arguments);
  request.fileSystem = &fs;
  request.sink = &sink;
  request.wantSymbols = true;
  Linked linked;
  linked.result = xlink::link(request);
  linked.status = linked.result.status;
  linked.text = linked.result.text;
  for (const Diagnostic &d : linked.result.diagnostics)
    if (d.severity == Severity::Note)
      linked.text += d.text + "\n";
    else
      linked.errors += Diagnostics::format(d, false);
  linked.files = std::move(sink.files);
  return linked;
}

LinkHarness LinkHarness::eachThroughRelocatable() const {
  LinkHarness result = *this;
  for (const auto &[path, bytes] : inputs) {
    if (bytes.size() < 18 || bytes[0] != 0x7f || bytes[16] != ELF::ET_REL)
      continue;
    Linked partial = linkAsGiven({"-o", "out", "-r", path});
    EXPECT_EQ(partial.errors, "") << "-r " << path;
    if (partial.status == 0)
      result.file(path, partial.image());
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Reading what was linked
//===----------------------------------------------------------------------===//

static uint64_t get(const Bytes &b, uint64_t at, unsigned size) {
  uint64_t v = 0;
  if (at > b.size() || b.size() - at < size) {
    ADD_FAILURE() << "offset " << at << " is beyond the end of the output";
    return 0;
  }
  for (unsigned i = 0; i < size; ++i)
    v |= uint64_t(b[at + i]) << (8 * i);
  return v;
}

static std::string text(const Bytes &b, uint64_t at) {
  std::string s;
  for (; at < b.size() && b[at]; ++at)
    s += char(b[at]);
  return s;
}

static OutSegment readSegment(const Bytes &b, uint64_t p, bool is64) {
  OutSegment s;
  s.type = uint32_t(get(b, p, 4));
  if (is64) {
    s.flags = uint32_t(get(b, p + 4, 4));
    uint64_t *fields[] = {&s.offset,   &s.address, &s.loadAddress,
                          &s.fileSize, &s.memSize, &s.align};
    for (unsigned k = 0; k < 6; ++k)
      *fields[k] = get(b, p + 8 + 8 * k, 8);
  } else {
    uint64_t *fields[] = {&s.offset, &s.address, &s.loadAddress, &s.fileSize,
                          &s.memSize};
    for (unsigned k = 0; k < 5; ++k)
      *fields[k] = get(b, p + 4 + 4 * k, 4);
    s.flags = uint32_t(get(b, p + 24, 4));
    s.align = get(b, p + 28, 4);
  }
  return s;
}

/// All but its name.
static OutSection readSection(const Bytes &b, uint64_t p, unsigned word) {
  OutSection s;
  s.type = uint32_t(get(b, p + 4, 4));
  s.flags = get(b, p + 8, word);
  s.address = get(b, p + 8 + word, word);
  s.offset = get(b, p + 8 + 2 * word, word);
  s.size = get(b, p + 8 + 3 * word, word);
  s.link = uint32_t(get(b, p + 8 + 4 * word, 4));
  s.info = uint32_t(get(b, p + 12 + 4 * word, 4));
  s.align = get(b, p + 16 + 4 * word, word);
  s.entsize = get(b, p + 16 + 5 * word, word);
  return s;
}

static OutSymbol readSymbol(const Bytes &table, uint64_t p,
                            const Bytes &strings, bool is64) {
  const unsigned word = is64 ? 8 : 4;
  OutSymbol sym;
  sym.name = text(strings, get(table, p, 4));
  uint64_t info = is64 ? p + 4 : p + 12;
  sym.value = get(table, is64 ? p + 8 : p + 4, word);
  sym.size = get(table, is64 ? p + 16 : p + 8, word);
  sym.binding = table[info] >> 4;
  sym.type = table[info] & 15;
  sym.visibility = table[info + 1] & 3;
  sym.shndx = uint16_t(get(table, info + 2, 2));
  return sym;
}

OutFile::OutFile(const Bytes &b) {
  if (b.size() < 52 || b[0] != 0x7f || b[1] != 'E') {
    ADD_FAILURE() << "no ELF file was written";
    return;
  }
  is64 = b[4] == 2;
  const unsigned word = is64 ? 8 : 4;
  osabi = b[7];
  type = uint16_t(get(b, 16, 2));
  machine = uint16_t(get(b, 18, 2));
  entry = get(b, 24, word);
  uint64_t phoff = get(b, 24 + word, word), shoff = get(b, 24 + 2 * word, word);
  uint64_t at = 24 + 3 * word;
  flags = uint32_t(get(b, at, 4));
  uint64_t phentsize = get(b, at + 6, 2), phnum = get(b, at + 8, 2);
  uint64_t shentsize = get(b, at + 10, 2), shnum = get(b, at + 12, 2);
  uint64_t shstrndx = get(b, at + 14, 2);
  if (shnum == 0 && shoff)
    shnum = get(b, shoff + (is64 ? 32 : 20), word);
  if (shstrndx == 0xffff)
    shstrndx = get(b, shoff + (is64 ? 40 : 24), 4);
  for (uint64_t i = 0; i < phnum; ++i)
    segments.push_back(readSegment(b, phoff + i * phentsize, is64));
  std::vector<uint32_t> names;
  for (uint64_t i = 0; i < shnum; ++i) {
    uint64_t p = shoff + i * shentsize;
    names.push_back(uint32_t(get(b, p, 4)));
    OutSection s = readSection(b, p, word);
    if (i && s.type != ELF::SHT_NOBITS) {
      if (s.offset > b.size() || b.size() - s.offset < s.size)
        ADD_FAILURE() << "section " << i << " is beyond the end of the output";
      else
        s.bytes.assign(b.begin() + s.offset, b.begin() + s.offset + s.size);
    }
    sections.push_back(std::move(s));
  }
  if (shstrndx < sections.size())
    for (size_t i = 0; i < sections.size(); ++i)
      sections[i].name = text(sections[shstrndx].bytes, names[i]);
  for (const OutSection &s : sections) {
    if (s.type != ELF::SHT_SYMTAB || s.link >= sections.size())
      continue;
    const unsigned size = is64 ? 24 : 16;
    for (uint64_t p = 0; p + size <= s.bytes.size(); p += size)
      symbols.push_back(readSymbol(s.bytes, p, sections[s.link].bytes, is64));
  }
}

const OutSection *OutFile::section(StringRef name) const {
  for (const OutSection &s : sections)
    if (s.name == name)
      return &s;
  return nullptr;
}

const OutSymbol *OutFile::symbol(StringRef name) const {
  for (const OutSymbol &s : symbols)
    if (s.name == name)
      return &s;
  return nullptr;
}

uint64_t OutFile::value(StringRef name) const {
  const OutSymbol *s = symbol(name);
  if (!s)
    ADD_FAILURE() << "no symbol " << name.str() << " in the output";
  return s ? s->value : 0;
}

uint64_t OutFile::word(uint64_t address, unsigned size) const {
  for (const OutSection &s : sections)
    if ((s.flags & ELF::SHF_ALLOC) && !s.bytes.empty() &&
        address >= s.address && address - s.address + size <= s.bytes.size())
      return get(s.bytes, address - s.address, size);
  ADD_FAILURE() << "no bytes at address " << address;
  return 0;
}

} // namespace xlink::test
