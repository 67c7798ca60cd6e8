//===- AddressAssignment.h - the fixed point of addresses -----------------===//
#ifndef XLINK_LAYOUT_ADDRESSASSIGNMENT_H
#define XLINK_LAYOUT_ADDRESSASSIGNMENT_H

#include "model/Link.h"
#include "resolve/Expressions.h"

namespace xlink {

/// Runs the script until no address, size, symbol or expression result changes
/// any more, then once more to report problems. Afterwards every output section
/// has its address, load address and size, every script symbol its value, and
/// link.segments the program headers without file offsets. An evaluation that
/// does not settle is an error that names what still moves.
void assignAddresses(Link &link, Expressions &expressions);

/// --enable-non-contiguous-regions: whether a section has another place behind
/// the one where it is.
bool canMoveOn(const Link &link, SectionId id);

/// Moves sections of one output section to their next places.
void moveOn(Link &link, OutputId from, llvm::ArrayRef<SectionId> sections);

/// Makes types and flags of output sections fit what is in them now; their
/// regions are void.
void settleMoved(Link &link);

/// Bytes of the ELF header and of so many program headers.
uint64_t headersSize(const Link &link, size_t segments);
/// Builds link.segments from the outputs' present addresses.
void buildSegments(Link &link);
/// With PHDRS, gives sections without bytes load addresses in their segment.
/// For scripts LOADADDR is what it was before (GNU ld).
void settleLoadAddresses(Link &link);
/// Gives every output section and segment its file offset; returns the offset
/// behind the last section's bytes. Section contents only, no tables.
uint64_t assignFileOffsets(Link &link);

/// Regions that overflow, sections that overlap or leave the address space,
/// code where the machine cannot execute.
void checkLayout(Link &link);

/// Address of a global symbol with the outputs' present addresses.
uint64_t symbolAddress(const Link &link, const Symbol &symbol);
/// Address of byte `offset` of an input section that is placed.
uint64_t sectionAddress(const Link &link, SectionId section, uint64_t offset);

} // namespace xlink
#endif
