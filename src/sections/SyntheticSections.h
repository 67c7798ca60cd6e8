//===- SyntheticSections.h - sections the linker makes itself -------------===//
#ifndef XLINK_SECTIONS_SYNTHETICSECTIONS_H
#define XLINK_SECTIONS_SYNTHETICSECTIONS_H

#include "model/Link.h"
#include "model/SymbolValues.h"

namespace xlink {

/// Makes `.got` if a relocation needs a slot or a symbol of the machine is in
/// it. One slot a symbol, in the order of first use.
void createGot(Program &program);
/// Adds xlink's version to `.comment`.
void createComment(Program &program);
/// Removes that from output sections in memory, despite patterns: addresses do
/// not depend on the linker's version.
void dropComment(const Program &program, Placement &placement,
                 const Liveness &liveness);

/// Bytes of the note in front of the hash: its header, and "GNU".
constexpr uint64_t kBuildIdHeader = 16;
/// --build-id: adds the note, without the bytes that are a hash of the output,
/// which output/BuildId fills in. An output that is no ELF file has none.
void createBuildId(Program &program);

/// Gives slots to symbols that live sections refer to.
void settleGot(const Program &program, const Placement &placement,
               Contributions &contributions);

/// Offset of the slot of a file's symbol from the GOT's start; kNone: no slot.
uint64_t gotSlotOffset(const Link &link, FileId file, uint32_t symbol);
/// The bytes of the GOT; empty without one.
std::vector<uint8_t> gotBytes(const Link &link, const SymbolValues &values);

} // namespace xlink
#endif
