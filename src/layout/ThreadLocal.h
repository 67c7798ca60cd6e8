//===- ThreadLocal.h - the template of thread-local data ------------------===//
#ifndef XLINK_LAYOUT_THREADLOCAL_H
#define XLINK_LAYOUT_THREADLOCAL_H

#include "model/Link.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace xlink {

/// Aligns the first thread-local output section as the one that asks most, so
/// that offsets in the template, whose copies are aligned for all of it, are
/// right for each (GNU ld). `scriptAlign` is what ALIGN() asks of a section.
void alignThreadLocal(
    Link &link,
    llvm::function_ref<uint64_t(const OutputSection &)> scriptAlign);

/// Where the template begins: what values of STT_TLS symbols count from.
std::optional<uint64_t> threadLocalBase(const Link &link);

} // namespace xlink
#endif
