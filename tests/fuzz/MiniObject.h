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

/// An object of the machine with this class and number. Sections are aligned to
/// 4 and hold numbers. Local symbols stand first.
Bytes miniObject(bool is64, uint16_t machine,
                 const std::vector<MiniSection> &sections,
                 const std::vector<MiniSymbol> &symbols);

} // namespace xlink::test
#endif
