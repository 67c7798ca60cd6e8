//===- Why.h - questions about single symbols and sections ----------------===//
#ifndef XLINK_REPORT_WHY_H
#define XLINK_REPORT_WHY_H

#include "report/WhyContext.h"

namespace xlink {

/// --why-live: for each symbol and section that a question names, the shortest
/// chain of references from a root, or the phase that dropped it.
void whyLive(WhyContext &context);

/// --why-dead: for each symbol and section that a question names, the phase
/// that dropped it: for the collection, the references to it, why these are
/// dead too, and ways to keep it.
void whyDead(WhyContext &context);

/// --why-extract: of each member of an archive, or behind --start-lib, that
/// takes part, the symbol that asked for it, where, and why that file takes
/// part; with names only of members that are called so, or define a symbol of
/// that name.
void whyExtract(WhyContext &context);

/// --why-extract=FILE: the values of the option that are no name of a symbol or
/// of a member, and so files.
std::vector<std::string> whyExtractFiles(const Program &program);
/// lld's table: reference, extracted file and symbol, with tabs between them.
std::string whyExtractTable(const Program &program);

/// --why-placed: for each section that a question names, the pattern that took
/// it, those that could have, or the rule of orphans that placed it.
void whyPlaced(WhyContext &context);

} // namespace xlink
#endif
