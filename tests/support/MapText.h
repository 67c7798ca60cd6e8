//===- MapText.h - every member of a map, as text -------------------------===//
#ifndef XLINK_TESTS_SUPPORT_MAPTEXT_H
#define XLINK_TESTS_SUPPORT_MAPTEXT_H

#include "map/LinkMap.h"
#include <string>

namespace xlink::test {

/// A line for each thing in the map, with all its members: equal maps, and only
/// those, have equal texts.
std::string textOf(const LinkMap &map);

} // namespace xlink::test
#endif
