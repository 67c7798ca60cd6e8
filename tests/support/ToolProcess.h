//===- ToolProcess.h - the tool under observation -------------------------===//
#ifndef XLINK_TESTS_TOOLPROCESS_H
#define XLINK_TESTS_TOOLPROCESS_H

#include "support/ObjectBuilder.h"
#include "support/Sanitized.h"
#include <string>
#include <vector>

namespace xlink::test {

/// A directory that goes with its files when the test ends.
class TemporaryDirectory {
public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  std::string path(const std::string &name) const { return root + "/" + name; }
  void write(const std::string &name, const Bytes &bytes) const;
  void write(const std::string &name, const std::string &text) const;
  bool exists(const std::string &name) const;
  std::string read(const std::string &name) const;
  /// Names of all files, sorted, separated by spaces.
  std::string list() const;
  const std::string &name() const { return root; }

private:
  std::string root;
};

struct ToolRun {
  bool observed = false; ///< ptrace was allowed: the counts below hold
  int status = -1;       ///< exit status; -signal when one ended it
  std::string messages;  ///< its standard output and error
  unsigned systemCalls = 0;
  unsigned threads = 0;   ///< threads and processes it started
  uint64_t peakBytes = 0; ///< of resident memory
  uint64_t faults = 0;    ///< pages that it touched first, but for the disk's
  double seconds = 0;     ///< of processor time
};

struct ToolLimits {
  uint64_t addressSpace = 0; ///< RLIMIT_AS in bytes, 0: none
  unsigned seconds = 0;      ///< RLIMIT_CPU, 0: none
  bool countCalls = false;
};

/// Runs the built tool in `directory`.
ToolRun runTool(const TemporaryDirectory &directory,
                std::vector<std::string> arguments, ToolLimits limits = {});

} // namespace xlink::test
#endif
