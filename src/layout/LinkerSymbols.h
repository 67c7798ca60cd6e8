//===- LinkerSymbols.h - names that the linker defines itself -------------===//
#ifndef XLINK_LAYOUT_LINKERSYMBOLS_H
#define XLINK_LAYOUT_LINKERSYMBOLS_H

#include "model/Link.h"

namespace xlink {

/// Defines referenced names that no input defines and no script assigns: the
/// machine's, __start_NAME and __stop_NAME; and the base symbols.
void collectLinkerSymbols(const PartialLink &partial, OutputInfo &info);

} // namespace xlink
#endif
