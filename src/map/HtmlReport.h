//===- HtmlReport.h - a map as a page for a browser -----------------------===//
#ifndef XLINK_MAP_HTMLREPORT_H
#define XLINK_MAP_HTMLREPORT_H

#include "base/LongText.h"
#include "map/LinkMap.h"

namespace xlink {

/// One HTML file that shows a map: memory to scale, what takes how much, who
/// refers to whom, stacks, relocations and, with a baseline, what has changed.
/// It needs nothing else and forbids the browser any network.
/// `mapJson`: what mapJsonText() makes of a link. `changesJson`: what
/// comparisonOfPage() makes of an older link and this one, or empty. Both stand
/// in the page as they are; the page itself says so where one is neither.
/// `names`: of readableNames(), or empty. Equal
/// arguments give equal bytes.
LongText htmlReport(LongText mapJson, LongText changesJson, LongText names);
/// How people read the mangled names of a map and, where there is one, of its
/// baseline: {"_ZN3one3twoEv":"one::two()"}, as JSON.
LongText readableNames(const LinkMap &map, const LinkMap *baseline);

} // namespace xlink
#endif
