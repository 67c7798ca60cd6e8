//===- ResourceUsage.h - needs of the entry and of every thread -----------===//
#ifndef XLINK_REPORT_RESOURCEUSAGE_H
#define XLINK_REPORT_RESOURCEUSAGE_H

#include "model/Link.h"
#include "model/SymbolValues.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>
#include <string>

namespace xlink {

/// The stack of a program.
struct StackNeed {
  std::string function; ///< the entry, or a function that it calls
  uint64_t words = 0;   ///< with all callees and the threads that they start
};
/// The need of the entry or, where that is not stated, the largest need of a
/// function that it calls; nothing where that is not known either. The stacks
/// of threads are part of the stack of the function that starts them.
std::optional<StackNeed> stackNeed(const Link &link,
                                   const SymbolValues &values);

/// Whether the stack takes the rest of the program's memory, and objects state
/// anything from which its need could follow.
bool sharesStack(const Program &program);

/// --print-resource-usage: stack words, threads, timers and channel ends of the
/// entry and of every function that an object names as running in parallel with
/// another, each with all its callees, as text and as an object.
///
/// A function needs its own part and the largest need of a callee: a callee
/// gives everything back when it returns. One of a callee's threads is the one
/// that called it. The ABI leaves this open; it is how the vendor's compilers
/// make the values of their result symbols. Where an object states no own part,
/// the value of the function's result symbol (XS1: f.nstackwords, f.maxthreads
/// ...) is its need with all callees; the report says so.
void writeResourceUsage(llvm::raw_ostream &text, llvm::json::OStream &json,
                        const Link &link, const SymbolValues &values);

} // namespace xlink
#endif
