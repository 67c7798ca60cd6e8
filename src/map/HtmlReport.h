//===- HtmlReport.h - a map as a page for a browser -----------------------===//
#ifndef XLINK_MAP_HTMLREPORT_H
#define XLINK_MAP_HTMLREPORT_H

#include "map/LinkMap.h"
#include "llvm/Support/raw_ostream.h"

namespace xlink {

/// Writes one HTML file that shows a map: memory to scale, sizes,
/// references, stacks, relocations and, with a baseline, the changes. It needs
/// nothing else and forbids the browser any network. `map`: the JSON of a map.
/// `changes`: comparisonOfPage() of an older link and this one, or empty. Both
/// stand in the page as they are; the page itself says so where one is neither.
/// `names`: of readableNames(), or empty. Equal arguments give equal bytes.
void writeHtmlReport(llvm::raw_ostream &out, llvm::StringRef map,
                     llvm::StringRef changes, llvm::StringRef names);
/// How people read the mangled names of a map and, where there is one, of its
/// baseline: {"_ZN3one3twoEv":"one::two()"}, as JSON.
std::string readableNames(const LinkMap &map, const LinkMap *baseline);

} // namespace xlink
#endif
