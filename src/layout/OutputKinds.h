//===- OutputKinds.h - types and flags of output sections -----------------===//
#ifndef XLINK_LAYOUT_OUTPUTKINDS_H
#define XLINK_LAYOUT_OUTPUTKINDS_H

#include "model/Link.h"
#include "placement/SectionTraits.h"

namespace xlink {

/// Type, flags, entry size and sh_link of an output section, as its members and
/// the script make them. `traits` counts with --enable-non-contiguous-regions.
void settleKind(const PartialLink &partial, const OutputSection &out,
                uint32_t traits, OutputSectionInfo &info);

} // namespace xlink
#endif
