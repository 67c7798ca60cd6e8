//===- ConfigText.h - a Config as text ------------------------------------===//
#ifndef XLINK_TESTS_DRIVER_CONFIGTEXT_H
#define XLINK_TESTS_DRIVER_CONFIGTEXT_H

#include "base/Config.h"
#include "driver/Options.h"
#include <initializer_list>
#include <string>
#include <vector>

namespace xlink::test {

/// What differs from the default, "name=value" separated by spaces, in the
/// order of the members; colour left out, since its default depends on the
/// terminal.
std::string configText(const Config &config);

/// A parsed command line: its Config as text, its messages as printed.
struct Parsed {
  std::string config, messages;
  bool ok;
};
Parsed parse(const std::vector<std::string> &args,
             llvm::vfs::FileSystem *fs = nullptr);

/// Config as text, or the messages when there are any.
std::string outcome(const std::vector<std::string> &args,
                    llvm::vfs::FileSystem *fs = nullptr);

} // namespace xlink::test
#endif
