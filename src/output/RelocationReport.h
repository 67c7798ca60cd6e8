//===- RelocationReport.h - what workers found, as messages ---------------===//
#ifndef XLINK_OUTPUT_RELOCATIONREPORT_H
#define XLINK_OUTPUT_RELOCATIONREPORT_H

#include "base/Diagnostics.h"
#include "layout/BaseGroups.h"
#include "model/Link.h"
#include "output/RelocationProblem.h"
#include <string>
#include <vector>

namespace xlink {

/// Turns the records of relocation into messages, each of which is composed
/// only when it will be shown. Belongs to one thread, behind the barrier.
class RelocationReport {
public:
  RelocationReport(const Link &link, Diagnostics &diag)
      : link(link), program(link.program), diag(diag), groups(link) {}

  /// Reports what is in `problems`, in its order.
  void add(const RelocationProblems &problems);

private:
  struct Subject;
  Message composeWithLine(const RelocationProblem &problem);
  Message compose(const RelocationProblem &problem);
  Message composeFault(const RelocationProblem &problem, const Subject &what);
  std::string symbolText(FileId file, uint32_t symbol) const;
  std::vector<std::string> discardNotes(FileId file, uint32_t symbol) const;
  std::string definitionNote(FileId file, uint32_t symbol) const;
  std::string expressionNote(FileId file, uint32_t symbol) const;

  const Link &link;
  const Program &program;
  Diagnostics &diag;
  BaseGroupNotes groups;
};

} // namespace xlink
#endif
