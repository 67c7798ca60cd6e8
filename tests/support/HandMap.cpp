//===- HandMap.cpp --------------------------------------------------------===//
#include "support/HandMap.h"
#include "map/LinkMapJson.h"

using namespace llvm;

namespace xlink::test {

HandMap::HandMap(StringRef output) {
  map.machine = "nyuzi";
  map.output = keep(output);
}

StringRef HandMap::keep(StringRef text) {
  return text.empty() ? "" : text.copy(*map.texts);
}

HandMap &HandMap::region(StringRef name, uint64_t origin, uint64_t length,
                         uint64_t used) {
  MapRegion &made = map.regions.emplace_back();
  made.name = keep(name);
  made.origin = origin;
  made.length = length;
  made.used = used;
  return *this;
}

HandMap &HandMap::file(StringRef name) {
  MapInput &made = map.files.emplace_back();
  auto [path, member] = name.split('(');
  made.path = keep(path);
  made.member = keep(member.drop_back(member.empty() ? 0 : 1));
  return *this;
}

HandMap &HandMap::output(StringRef name, StringRef letters, uint64_t address,
                         uint32_t region) {
  MapOutput &made = map.outputs.emplace_back();
  made.name = keep(name);
  made.type = letters.contains('N') ? ELF::SHT_NOBITS : ELF::SHT_PROGBITS;
  for (auto [letter, flag] : kSectionFlagLetters)
    if (letters.contains(letter))
      made.flags |= flag;
  made.address = made.loadAddress = address;
  made.region = region;
  made.firstPart = uint32_t(map.parts.size());
  return *this;
}

MapPart &HandMap::add(MapPart::Kind kind, uint64_t size) {
  MapOutput &out = map.outputs.back();
  MapPart &made = map.parts.emplace_back();
  made.kind = kind;
  made.output = uint32_t(map.outputs.size() - 1);
  made.address = out.address + out.size;
  made.size = size;
  made.firstSymbol = uint32_t(map.symbols.size());
  out.size += size;
  ++out.parts;
  return made;
}

HandMap &HandMap::part(StringRef file, StringRef name, uint64_t size) {
  MapPart &made = add(file.empty() ? MapPart::Linker : MapPart::Input, size);
  made.name = keep(name);
  for (uint32_t i = 0; i < map.files.size(); ++i)
    if (map.fileName(i) == file)
      made.file = i;
  return *this;
}

HandMap &HandMap::padding(uint64_t size) {
  add(MapPart::Padding, size).cause = "alignment";
  return *this;
}

HandMap &HandMap::symbol(StringRef name, uint64_t size, MapSymbol::Kind kind) {
  MapPart &part = map.parts.back();
  MapSymbol made;
  made.local = name.consume_front("~");
  made.name = keep(name);
  made.address = part.address;
  if (part.symbols)
    made.address = map.symbols.back().address + map.symbols.back().size;
  made.size = size;
  made.kind = kind;
  ++part.symbols;
  map.symbols.push_back(made);
  return *this;
}

} // namespace xlink::test
