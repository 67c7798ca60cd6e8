//===- LinkMapBuilder.h - a finished link as one value --------------------===//
#ifndef XLINK_REPORT_LINKMAPBUILDER_H
#define XLINK_REPORT_LINKMAPBUILDER_H

#include "map/LinkMap.h"
#include "map/PartSource.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include <memory>

namespace xlink {

/// All that LinkMap tells of a link but `stacks`. Addresses must be fixed;
/// errors do not matter. The texts in it are the link's: it must not outlive
/// that.
///
/// `crossed`: with what relocations refer to.
LinkMap buildLinkMap(const Link &link, const SymbolValues &values,
                     bool crossed);

/// A map without its parts and symbols, and who makes those.
struct OpenLinkMap {
  LinkMap map;
  /// Reads the link, the values of its symbols and the texts of `map`.
  std::shared_ptr<const PartSource> parts;
};
/// What buildLinkMap() tells, open.
OpenLinkMap openLinkMap(const Link &link, const SymbolValues &values,
                        bool crossed);

} // namespace xlink
#endif
