//===- DiagnosticFormat.h - messages for people, editors and programs -----===//
#ifndef XLINK_BASE_DIAGNOSTICFORMAT_H
#define XLINK_BASE_DIAGNOSTICFORMAT_H

#include "base/Config.h"
#include "base/Diagnostics.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace xlink {

/// The place that a line of a message names; parts that it does not name are ""
/// or 0.
struct MessagePlace {
  std::string file;    ///< an input: object, archive(member), or a script
  std::string section; ///< of an object
  std::optional<uint64_t> offset; ///< in the section
  uint32_t line = 0, column = 0;  ///< in a script
  std::string sourceFile;         ///< of the compiler
  uint32_t sourceLine = 0;
  size_t prefix = 0; ///< characters of the text that are this place alone
};

/// The place that a message's text begins with.
MessagePlace placeInText(llvm::StringRef text);
/// The place that a note names: "referenced by a.o:(.text+0x10) in main at
/// src/work.c:12".
MessagePlace placeInNote(llvm::StringRef note);

/// Whether the message shows a line of a script already.
bool hasExcerpt(const Diagnostic &d);

/// The message in the form that --diagnostics-format asked for, with the line
/// of a script, and the option that switches a warning off.
std::string formatDiagnostic(const Diagnostic &d, MessageFormat format,
                             bool color);

} // namespace xlink
#endif
