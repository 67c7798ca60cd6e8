//===- WhyLive.h - what keeps a section alive -----------------------------===//
#ifndef XLINK_REPORT_WHYLIVE_H
#define XLINK_REPORT_WHYLIVE_H

#include "report/WhyContext.h"

namespace xlink {

/// --why-live: for each symbol and section that a question names, the shortest
/// chain of references from a root. What names nothing is a warning.
std::string whyLiveText(WhyContext &context);
/// The same for programs: an array, an object for each question.
void whyLiveJson(WhyContext &context, llvm::json::OStream &out);

} // namespace xlink
#endif
