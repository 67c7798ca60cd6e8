//===- HeapPages.h - pages of heaps, before they are needed ---------------===//
#ifndef XLINK_DRIVER_HEAPPAGES_H
#define XLINK_DRIVER_HEAPPAGES_H

#include <chrono>

namespace xlink {

enum class PageSize : bool { Small, Large };

/// From now on the pages of heaps are brought in before they are needed,
/// several at a time; large ones, where they are asked for, until one takes
/// longer than `patience` (processor time of its thread). To be called before
/// threads start, by the main one. Replaces operator new, so it is part of the
/// tool, not of the library.
void bringInHeapPages(PageSize size, std::chrono::nanoseconds patience);

/// Whether this is a virtual machine that gives its free memory back to the one
/// below (mm/page_reporting.c of Linux): whatever has been free for seconds has
/// to be got from there again, and a large page takes five times as long as the
/// small ones that a link would use of it. `order`: the file that says from
/// which size on; the kernel's module parameter where none is given.
bool givesFreeMemoryBack(
    const char *order =
        "/sys/module/page_reporting/parameters/page_reporting_order");

} // namespace xlink
#endif
