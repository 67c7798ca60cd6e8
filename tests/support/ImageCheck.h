//===- ImageCheck.h - what every linked file has to keep to ---------------===//
//
// Whatever was linked, a file that says its link succeeded can be loaded: its
// tables and sections lie in it, nothing lies on something else, and what a
// loader copies is what the sections say. Unlike OutFile this reader expects
// nothing: it says what is wrong.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_TESTS_SUPPORT_IMAGECHECK_H
#define XLINK_TESTS_SUPPORT_IMAGECHECK_H

#include "support/ObjectBuilder.h"
#include <string>
#include <vector>

namespace xlink::test {

/// What a link asked for, as far as it decides what is right.
struct ImageRules {
  /// Every byte that is loaded has a PT_LOAD. Scripts may say otherwise, by
  /// `:NONE` and headers of other types.
  bool covered = true;
  /// Sections have places of their own in the file. Load addresses that
  /// overlap, with --no-check-sections, share them.
  bool apart = true;
};

/// Everything that is wrong with an ELF file, in words; empty: nothing.
std::vector<std::string> flawsOf(const Bytes &file, const ImageRules &rules);

} // namespace xlink::test
#endif
