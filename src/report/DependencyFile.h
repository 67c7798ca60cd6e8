//===- DependencyFile.h - the inputs as a rule of make --------------------===//
#ifndef XLINK_REPORT_DEPENDENCYFILE_H
#define XLINK_REPORT_DEPENDENCYFILE_H

#include "model/Program.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace xlink {

/// A rule that makes the output depend on every file that was read, and an
/// empty rule for each of these, so that removing one is no error. Names are
/// escaped for make and ninja: a space, # and $, and backslashes in front of
/// the first two.
/// `further`: files that were read while the output was made.
std::string dependencyText(const Program &program,
                           llvm::ArrayRef<std::string> further);

} // namespace xlink
#endif
