//===- Table.h - what the linker writes behind the sections ---------------===//
#ifndef XLINK_OUTPUT_TABLE_H
#define XLINK_OUTPUT_TABLE_H

#include "base/Address.h"
#include <cstdint>
#include <string>
#include <vector>

namespace xlink {

/// A section that the linker makes after the layout: symbols, names, and what
/// belongs to another link. The fields are those of its header.
struct Table {
  std::string name;
  uint32_t type = 0;
  std::vector<uint8_t> bytes = {};
  uint64_t before = 0; ///< bytes in front of those, which others render
  uint64_t align = 1, entsize = 0, flags = 0;
  uint32_t link = 0, info = 0;
  uint32_t nameOffset = 0; ///< in the section names
  Size offset = {};        ///< in the file

  uint64_t size() const { return before + bytes.size(); }
};

} // namespace xlink
#endif
