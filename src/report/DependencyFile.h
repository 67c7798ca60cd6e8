//===- DependencyFile.h - the inputs as a rule of make --------------------===//
#ifndef XLINK_REPORT_DEPENDENCYFILE_H
#define XLINK_REPORT_DEPENDENCYFILE_H

#include "model/Link.h"
#include <string>

namespace xlink {

/// A rule that makes the output depend on every file that was read, and an
/// empty rule for each of these, so that removing one is no error. Names are
/// escaped for make and ninja: a space, # and $, and backslashes in front of
/// the first two.
std::string dependencyText(const Link &link);

} // namespace xlink
#endif
