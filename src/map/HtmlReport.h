//===- HtmlReport.h - a map as a page for a browser -----------------------===//
#ifndef XLINK_MAP_HTMLREPORT_H
#define XLINK_MAP_HTMLREPORT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace xlink {

/// One HTML file that shows a map: memory to scale, what takes how much, who
/// refers to whom, stacks, relocations and, with a baseline, what has changed.
/// It needs nothing else and forbids the browser any network.
/// `mapJson`: what mapJson() makes of a link. `baselineJson`: the same of an
/// older link, or empty. Both stand in the page as they are; the page itself
/// says so where one is no map. `demangle`: show C++ and Rust names as their
/// sources have them. Equal arguments give equal bytes.
std::string htmlReport(llvm::StringRef mapJson, llvm::StringRef baselineJson,
                       bool demangle);

} // namespace xlink
#endif
