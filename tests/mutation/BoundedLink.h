//===- BoundedLink.h - links that must end in time and space --------------===//
#ifndef XLINK_TESTS_MUTATION_BOUNDEDLINK_H
#define XLINK_TESTS_MUTATION_BOUNDEDLINK_H

#include "support/ObjectBuilder.h"
#include "support/ToolProcess.h"
#include <string>
#include <utility>
#include <vector>

namespace xlink::test {

/// What a link of damaged inputs may take.
inline const double kMostSeconds = kSanitized ? 20 : 1;
constexpr uint64_t kMostBytes = uint64_t(256) << 20;

/// A number in the environment: how many mutants to try, and which ones.
uint64_t numberFrom(const char *variable, uint64_t byDefault);

/// Makes a process that dies or hangs say which link it was at.
void watchLinks();

/// Links files in memory, called `name` in messages. Fails the test when the
/// link takes too much, writes outside of its output, when its status, messages
/// and output do not go together, when it succeeds with a broken output, or
/// writes a report *.json that is no JSON, whose sizes do not add up or which
/// is a map that cannot be read, or *.html that a name breaks. Returns the
/// status.
int boundedLink(const std::string &name,
                const std::vector<std::pair<std::string, Bytes>> &files,
                const std::vector<std::string> &arguments);

} // namespace xlink::test
#endif
