//===- ScriptText.h - script statements as GNU ld prints them -------------===//
#ifndef XLINK_REPORT_SCRIPTTEXT_H
#define XLINK_REPORT_SCRIPTTEXT_H

#include "model/ScriptTree.h"
#include <optional>
#include <string>

namespace xlink {

/// The value of an expression of literals alone; nothing of any other.
std::optional<uint64_t> literalValue(const Expr &expr);
/// "(SIZEOF (.data) + 0x4)": fully in parentheses, literals folded.
std::string expressionText(const Expr &expr);
/// "a = 0x1", "PROVIDE (a = .)"; HIDDEN is not shown.
std::string assignmentText(const AssignmentCommand &assignment);
/// "LONG 0x16 (START + 0x2)": a literal needs no expression.
std::string dataText(const DataCommand &data, uint64_t value);
/// "*(.text SORT_BY_NAME(.text.*))"; KEEP is not shown.
std::string patternText(const InputDescription &description);
/// "s.ld:12"
std::string lineText(const ScriptLocation &where);

} // namespace xlink
#endif
