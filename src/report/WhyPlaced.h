//===- WhyPlaced.h - what put a section where it is -----------------------===//
#ifndef XLINK_REPORT_WHYPLACED_H
#define XLINK_REPORT_WHYPLACED_H

#include "report/WhyContext.h"

namespace xlink {

/// --why-placed: for each input section that a question names, the pattern that
/// took it, those that would have and those that name it but do not take it; of
/// an orphan the rule that placed it. What names nothing is a warning.
std::string whyPlacedText(WhyContext &context);
/// The same for programs: an array, an object for each question.
void whyPlacedJson(WhyContext &context, llvm::json::OStream &out);

} // namespace xlink
#endif
