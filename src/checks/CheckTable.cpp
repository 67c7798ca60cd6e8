//===- CheckTable.cpp -----------------------------------------------------===//
#include "checks/CheckTable.h"

using namespace llvm;

namespace xlink {

void Findings::report(WarningGroup group, bool isError, StringRef things,
                      Diagnostics &diag) {
  if (count == 0)
    return;
  if (count > 1)
    first.notes.push_back("and " + std::to_string(count - 1) + " more " +
                          things.str());
  if (isError)
    diag.error(group, std::move(first));
  else
    diag.warn(group, std::move(first.text), std::move(first.notes));
}

void runChecks(const FinishedLink &finished, Diagnostics &diag) {
  for (const LinkCheck &check : kChecks) {
    if (diag.isDisabled(check.group))
      continue;
    Findings found;
    check.run(finished, found);
    found.report(check.group, check.isError, check.things, diag);
  }
}

} // namespace xlink
