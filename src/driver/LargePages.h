//===- LargePages.h - large pages for the heaps of large links ------------===//
#ifndef XLINK_DRIVER_LARGEPAGES_H
#define XLINK_DRIVER_LARGEPAGES_H

#include <chrono>

namespace xlink {

/// From now on what threads allocate comes from large pages, where the system
/// has them, until one takes longer than `patience` (processor time of its
/// thread). To be called before threads start, by the main one. Replaces
/// operator new, so it is part of the tool, not of the library.
void askForLargePages(std::chrono::nanoseconds patience);

} // namespace xlink
#endif
