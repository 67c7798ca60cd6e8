//===- DiffText.h - the differences of two files, told --------------------===//
#ifndef XLINK_INSPECT_DIFFTEXT_H
#define XLINK_INSPECT_DIFFTEXT_H

#include "inspect/FileDiff.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace xlink {

/// For people: a summary, then section by section, with limits. "" where
/// nothing differs that counts. `demangle`: names as their language has them.
std::string diffText(const FileDiff &diff, bool demangle);
/// For programs: everything, as inspect/README.md describes it.
void writeDiffJson(const FileDiff &diff, llvm::raw_ostream &out);

} // namespace xlink
#endif
