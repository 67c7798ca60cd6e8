//===- WhyExtract.h - why archive members take part -----------------------===//
#ifndef XLINK_REPORT_WHYEXTRACT_H
#define XLINK_REPORT_WHYEXTRACT_H

#include "report/WhyContext.h"

namespace xlink {

/// --why-extract: of each member of an archive, or behind --start-lib, that
/// takes part, which symbol asked for it, where, and who brought that file;
/// with names only of members that are called so, or define a symbol of that
/// name.
std::string whyExtractText(WhyContext &context);
/// The same for programs: an array, an object for each question, or one for all
/// members.
void whyExtractJson(WhyContext &context, llvm::json::OStream &out);

/// --why-extract=FILE: the values of the option that are no name of a symbol or
/// of a member, and so files.
std::vector<std::string> whyExtractFiles(const Program &program);
/// lld's table: reference, extracted file and symbol, with tabs between them.
std::string whyExtractTable(const Program &program);

} // namespace xlink
#endif
