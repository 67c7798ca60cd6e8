//===- NamedOutputs.h - files that a link was asked to write --------------===//
#ifndef XLINK_RESOLVE_NAMEDOUTPUTS_H
#define XLINK_RESOLVE_NAMEDOUTPUTS_H

#include "model/Program.h"
#include <string>
#include <vector>

namespace xlink {

/// A file that the link writes: "map file", and where.
struct NamedOutput {
  const char *title;
  std::string path;
};

/// Every file that the command line or the script names as an output, but for
/// those of --why-extract, which may be names of something else. Before the
/// script is read the output file is the command line's.
std::vector<NamedOutput> namedOutputs(const Program &program);
/// The path of -Map's FILE: "%" in it is the output's path, and is followed by
/// ".map" when nothing else follows. In a directory it is OUTPUT.map (GNU ld).
std::string mapPath(const Program &program);
/// Where --time-trace goes, in the same way, with ".time-trace".
std::string timeTracePath(const Program &program);

} // namespace xlink
#endif
