//===- TypeReader.cpp - the types that an object states for its symbols ---===//
//
// Entries of two words, {name, type}, both offsets in the string table of the
// symbols. The machine names the section, for its type number means something
// else on other machines. Type strings are not parsed here: most links never
// need them (see input/TypeString).
//
// An entry gives a name and no symbol index. The name is looked up among the
// object's symbols, so that a local symbol's type is not taken for that of a
// global one of another object.
//
//===----------------------------------------------------------------------===//
#include "input/ObjectReader.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using llvm::support::endian::read32le;

namespace xlink {

void ObjectReader::readTypes() {
  const std::vector<ParsedSection> &sections = object->sections;
  DenseMap<StringRef, uint32_t> byName;
  for (uint32_t i = 1; i < sections.size() && !saturated(); ++i) {
    const ParsedSection &section = sections[i];
    if (section.kind != SectionKind::Types)
      continue;
    if (!holdsWhole(i, kTypeEntrySize, "an entry"))
      continue;
    // Of several symbols of one name the global one is meant.
    if (byName.empty())
      for (uint32_t s = 1; s < object->symbols.size(); ++s)
        if (auto [it, isNew] = byName.try_emplace(object->symbols[s].name, s);
            !isNew && object->symbols[s].binding != ELF::STB_LOCAL)
          it->second = s;
    uint32_t count = section.size / kTypeEntrySize;
    object->types.reserve(object->types.size() + count);
    for (uint32_t k = 0; k < count && !saturated(); ++k) {
      const uint8_t *at = section.bytes + size_t(k) * kTypeEntrySize;
      TypeEntry entry;
      auto read = [&](const char *field, uint32_t offset, StringRef &text) {
        auto result = symbolNames.get(offset, names, text);
        if (result != NameTable::Result::Ok)
          errorIn(i, "entry " + Twine(k) + ": " +
                         nameFault(result, symbolNames, field, offset));
      };
      read("name", read32le(at), entry.name);
      read("type", read32le(at + 4), entry.type);
      entry.symbol = byName.lookup(entry.name);
      entry.section = section.name;
      entry.entry = k;
      object->types.push_back(entry);
    }
  }
}

} // namespace xlink
