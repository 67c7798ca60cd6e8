//===- SyntheticSections.h - sections the linker makes itself -------------===//
#ifndef XLINK_LAYOUT_SYNTHETICSECTIONS_H
#define XLINK_LAYOUT_SYNTHETICSECTIONS_H

#include "model/Link.h"

namespace xlink {

/// Makes `.got` when a relocation needs a slot or a symbol of the machine's
/// stands in it. One slot a symbol, in the order of first use.
void createGot(Link &link);
/// With --gc-sections: leaves slots to what live sections refer to alone.
void shrinkGot(Link &link);
/// Adds xlink's version to `.comment`.
void createComment(Link &link);

/// Offset of the slot of a file's symbol from the GOT's start; kNone: no slot.
uint64_t gotSlotOffset(const Link &link, FileId file, uint32_t symbol);
/// Writes the slots' values; after link.valueAddress is filled.
void fillGot(Link &link);

} // namespace xlink
#endif
