//===- SysConfig.h - descriptions of boards, for XE containers ------------===//
#ifndef XLINK_ARCH_SYSCONFIG_H
#define XLINK_ARCH_SYSCONFIG_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xlink {

/// The part of a board's description that a container needs.
struct SysConfig {
  struct Node {
    uint32_t number = 0; ///< its routing ID
    uint32_t jtagId = 0, userId = 0;
    std::vector<uint32_t> tiles; ///< numbers of its processors
  };
  std::vector<Node> nodes;      ///< with processors, in the order of the file
  std::vector<uint32_t> others; ///< numbers of nodes without
  std::vector<uint32_t> chain;  ///< numbers of the nodes of the JTAG chain

  /// Whether the node at `index` of the JTAG chain has this tile.
  bool hasTile(uint32_t index, uint32_t tile) const;
};

/// Reads XSystem > System > {Nodes > {Node > Processor, GlxNode}, JtagChain >
/// Node}. Nothing, and the fault in `error`, when the text is no such
/// description.
std::optional<SysConfig> readSysConfig(llvm::StringRef xml, std::string &error);

} // namespace xlink
#endif
