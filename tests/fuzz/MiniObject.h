//===- MiniObject.h - objects that scripts and archives are linked with ---===//
#ifndef XLINK_TESTS_FUZZ_MINIOBJECT_H
#define XLINK_TESTS_FUZZ_MINIOBJECT_H

#include "fuzz/Targets.h"
#include <string>
#include <vector>

namespace xlink::test {

struct MiniSection {
  std::string name;
  uint32_t type;
  uint64_t flags, size;
};
struct MiniSymbol {
  std::string name;
  uint32_t section; ///< counted from 1; 0: undefined; 0xfff2: COMMON
  uint8_t info;     ///< binding and type
  uint64_t value = 0, size = 0;
};
/// An address in a section.
struct MiniReference {
  uint32_t section; ///< counted from 1
  uint64_t offset;
  uint32_t symbol; ///< counted from 1
};

/// An object of the machine with this class and number. Sections are aligned to
/// 4 and hold numbers. Local symbols stand first, references by section.
/// `type`: the relocation of references.
Bytes miniObject(bool is64, uint16_t machine,
                 const std::vector<MiniSection> &sections,
                 const std::vector<MiniSymbol> &symbols, uint32_t type = 0,
                 const std::vector<MiniReference> &references = {});

} // namespace xlink::test
#endif
