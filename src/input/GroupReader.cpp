//===- GroupReader.cpp - section groups -----------------------------------===//
//
// SHT_GROUP is a word of flags and then section indices. Its signature is the
// name of the symbol that sh_info gives; assemblers may use a section symbol
// there, whose name is its section's.
//
//===----------------------------------------------------------------------===//
#include "input/ObjectReader.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace llvm::ELF;
using llvm::support::endian::read32le;

namespace xlink {

void ObjectReader::readGroups() {
  std::vector<ParsedSection> &sections = object->sections;
  for (uint32_t i = 1; i < sections.size() && !saturated(); ++i) {
    const ParsedSection &section = sections[i];
    if (section.kind != SectionKind::Group)
      continue;
    auto fail = [&](const Twine &text) { error(headerText(i) + ": " + text); };
    if (section.size < 4 || section.size % 4 != 0) {
      fail("sh_size " + hex(section.size) +
           " of a group is not a positive multiple of 4");
      continue;
    }
    const uint32_t info = links[i].info;
    if (info == 0 || info >= object->symbols.size()) {
      fail("sh_info " + Twine(info) + " of a group is not a symbol index (" +
           Twine(object->symbols.size()) + " symbols)");
      continue;
    }
    ParsedGroup group;
    group.section = i;
    group.symbol = info;
    const ParsedSymbol &symbol = object->symbols[info];
    group.signature = symbol.name;
    if (symbol.name.empty() && symbol.type == STT_SECTION &&
        symbol.place == SymbolPlace::Section)
      group.signature = sections[symbol.section].name;
    if (group.signature.empty())
      fail("the group's signature, symbol " + Twine(info) + ", has no name");
    // A global symbol's name has been hashed; every other one costs the link as
    // much again.
    if (symbol.hash == 0 && !names.take(group.signature.size())) {
      fail("the names of this file are longer together than its size allows");
      continue;
    }

    uint32_t flags = read32le(section.bytes);
    if (flags & ~uint32_t(GRP_COMDAT | GRP_MASKOS | GRP_MASKPROC))
      fail("unknown group flags " + hex(flags));
    group.comdat = flags & GRP_COMDAT;

    uint32_t id = object->groups.size() + 1;
    group.members.reserve(section.size / 4 - 1);
    for (uint64_t at = 4; at < section.size && !saturated(); at += 4) {
      uint32_t member = read32le(section.bytes + at);
      if (member == 0 || member >= sections.size() ||
          sections[member].kind == SectionKind::Group) {
        fail("member " + Twine(member) + " at offset " + hex(at) +
             (member == 0 || member >= sections.size()
                  ? " is not a section index (" +
                        std::to_string(sections.size()) + " sections)"
                  : std::string(" is a group itself")));
        continue;
      }
      if (sections[member].group != 0) {
        uint32_t other =
            sections[member].group == id
                ? i
                : object->groups[sections[member].group - 1].section;
        fail("member " + Twine(member) + " at offset " + hex(at) +
             " is a member of section header " + Twine(other) + " already");
        continue;
      }
      sections[member].group = id;
      group.members.push_back(member);
    }
    object->groups.push_back(std::move(group));
  }
}

} // namespace xlink
