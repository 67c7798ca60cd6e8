//===- LinkMapBuilder.h - a finished link as one value --------------------===//
#ifndef XLINK_REPORT_LINKMAPBUILDER_H
#define XLINK_REPORT_LINKMAPBUILDER_H

#include "map/LinkMap.h"
#include "model/Link.h"
#include "model/SymbolValues.h"

namespace xlink {

/// All that LinkMap tells of a link but `stacks`. Addresses must be fixed;
/// errors do not matter. The texts in it are the link's: it must not outlive
/// that.
///
/// `crossed`: with references and counts of relocations.
LinkMap buildLinkMap(const Link &link, const SymbolValues &values,
                     bool crossed);

} // namespace xlink
#endif
