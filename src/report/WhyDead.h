//===- WhyDead.h - what drops a section -----------------------------------===//
#ifndef XLINK_REPORT_WHYDEAD_H
#define XLINK_REPORT_WHYDEAD_H

#include "report/WhyContext.h"

namespace xlink {

/// --why-dead: for each symbol and section that a question names, what dropped
/// it: for the collection, who refers to it, why these are dead too, and what
/// would keep it. What names nothing is a warning.
std::string whyDeadText(WhyContext &context);
/// The same for programs: an array, an object for each question.
void whyDeadJson(WhyContext &context, llvm::json::OStream &out);

} // namespace xlink
#endif
