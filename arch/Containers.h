//===- Containers.h - file formats around finished programs ---------------===//
#ifndef XLINK_ARCH_CONTAINERS_H
#define XLINK_ARCH_CONTAINERS_H

#include "arch/Target.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFTypes.h"

namespace xlink {

/// XMOS devices: `--oformat xe`, with --xe-tile, --xe-add, --xe-node and
/// --xe-config; `xlink-inspect xe`.
extern const Container xeContainer;
/// Memory images for $readmemh: `--oformat readmemh`, with --readmemh-base.
extern const Container readMemHContainer;

/// The headers of a program, where they stand in the file.
struct Elf32Program {
  using Header = llvm::object::ELF32LE::Ehdr;
  using Segment = llvm::object::ELF32LE::Phdr;

  llvm::ArrayRef<uint8_t> bytes;
  const Header *header = nullptr;        ///< null: no ELF file of this class
  llvm::ArrayRef<Segment> segments = {}; ///< see hasSegments
  bool hasSegments = false; ///< the program headers are in the file

  explicit Elf32Program(llvm::ArrayRef<uint8_t> bytes) : bytes(bytes) {
    auto *found = reinterpret_cast<const Header *>(bytes.data());
    if (bytes.size() < sizeof(Header) || !found->checkMagic() ||
        found->getFileClass() != llvm::ELF::ELFCLASS32 ||
        found->getDataEncoding() != llvm::ELF::ELFDATA2LSB)
      return;
    header = found;
    const uint32_t offset = header->e_phoff, count = header->e_phnum;
    hasSegments =
        count == 0 ||
        (header->e_phentsize == sizeof(Segment) && offset <= bytes.size() &&
         (bytes.size() - offset) / sizeof(Segment) >= count);
    if (hasSegments && count)
      segments = {reinterpret_cast<const Segment *>(bytes.data() + offset),
                  count};
  }
  /// The segment's bytes; nothing if they are not in the file.
  std::optional<llvm::ArrayRef<uint8_t>>
  contents(const Segment &segment) const {
    const uint32_t offset = segment.p_offset, size = segment.p_filesz;
    if (size != 0 && (offset > bytes.size() || bytes.size() - offset < size))
      return std::nullopt;
    return size ? bytes.slice(offset, size) : llvm::ArrayRef<uint8_t>();
  }
};

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
