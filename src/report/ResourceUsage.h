//===- ResourceUsage.h - what the entry and every thread need -------------===//
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
  std::string function; ///< whose it is: the entry, or what it calls
  uint64_t words = 0;   ///< with all callees and the threads that they start
};
/// What the entry needs or, where nobody states that, the most that a function
/// needs which it calls; nothing where that is not known either. The stacks of
/// threads are part of the stack of the function that starts them.
std::optional<StackNeed> stackNeed(const Link &link,
                                   const SymbolValues &values);

/// Whether the stack takes what the program leaves of its memory, and objects
/// state anything that it could follow from.
bool sharesStack(const Program &program);

/// --print-resource-usage: stack words, threads, timers and channel ends of the
/// entry and of every function that an object names as running in parallel with
/// another, each with all that it calls.
///
/// A function needs what it takes itself, and the most that one of its callees
/// needs: a callee gives everything back when it returns. One of a callee's
/// threads is the one that called it. The ABI leaves this open; it is how the
/// vendor's compilers make the values of their result symbols. Where an object
/// states no own value, the value of the function's result symbol (XS1:
/// f.nstackwords, f.maxthreads ...) is what it needs with all that it calls;
/// the report says so.
/// Written for people, and as an object for programs.
void writeResourceUsage(llvm::raw_ostream &text, llvm::json::OStream &json,
                        const Link &link, const SymbolValues &values);

} // namespace xlink
#endif
