//===- Checks.h - errors of a finished layout -----------------------------===//
#ifndef XLINK_LAYOUT_CHECKS_H
#define XLINK_LAYOUT_CHECKS_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include <string>

namespace xlink {

/// Regions that overflow, sections that overlap or leave the address space,
/// code where the machine cannot execute. `entry` as it goes into the file.
void checkLayout(const Link &link, uint64_t entry, Diagnostics &diag);

/// The part about MEMORY.
void checkRegions(const Link &link, Diagnostics &diag);

/// Code in memory that does not execute, or at the end of executable memory.
/// Undeclared memory executes no code either, but addresses without a region,
/// from an option or in a script without MEMORY, are not checked there.
void checkCode(const Link &link, Diagnostics &diag);

/// "[0x1000, 0x1fff]"
std::string addressRange(Address begin, Size size);

/// Whether a region's place or size is computed from a name without a value, or
/// by a division by zero, which is an error of its own.
bool isUnknown(const Link &link, RegionId region);

} // namespace xlink
#endif
