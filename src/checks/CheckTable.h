//===- CheckTable.h - likely mistakes in a link that succeeds -------------===//
//
// Problem: a link can succeed and make a program that does not run: initial
// values that the flash cannot hold, a vector table that nothing keeps. The
// linker has all it takes to notice.
//
// Method: a check is a pure function of the finished link, and a row of
// kChecks. Of its Findings the first becomes a message, the others a count, so
// that a mistake costs one message however many sections show it. Checks run on
// a layout without errors: on another one they would repeat them.
//
// kChecks are the rows of base/Traps.def, which lists the parts of a new check.
//
// Cost: a look at each output section; of members only where one is suspect.
// ReferredSymbols are read once, for the first check that is on and asks for
// them.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_CHECKS_CHECKTABLE_H
#define XLINK_CHECKS_CHECKTABLE_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include <memory>

namespace xlink {

class Copies;
class ReferredSymbols;
struct Handlers;

/// A finished link, as checks read it.
struct FinishedLink {
  const Link &link;
  const SymbolValues &values;

  /// It was made of a file: there is no writer that reports its own errors.
  const bool ofFile;

  FinishedLink(const Link &link, const SymbolValues &values,
               bool ofFile = false)
      : link(link), values(values), ofFile(ofFile) {}
  /// Made when the first check asks.
  const ReferredSymbols &references() const;
  const Copies &copies() const;
  const Handlers &handlers() const;

private:
  mutable std::shared_ptr<const ReferredSymbols> index;
  mutable std::shared_ptr<const Copies> stored;
  mutable std::shared_ptr<const Handlers> defaults;
};

/// The findings of one check: the first, and how many there are.
class Findings {
public:
  void add(llvm::function_ref<Message()> compose) {
    if (count++ == 0)
      first = compose();
  }
  /// Reports the first; the others are a note that counts `things`.
  void report(WarningGroup group, bool isError, llvm::StringRef things,
              Diagnostics &diag);

private:
  Message first;
  uint64_t count = 0;
};

#define XLINK_TRAP(group, name, severity, run, file, things, sentence,         \
                   reports)                                                    \
  void run(const FinishedLink &finished, Findings &found);
#include "base/Traps.def"

/// Whether a section has bytes that something loads.
bool isLoaded(const OutputView &out);
/// Whether a section is read-only, and not in memory that is written: its load
/// address may be another view of the same flash.
bool isReadInPlace(const Link &link, const OutputView &out);
/// Whether start-up code has to clear or copy a section.
bool isFilledAtStart(const OutputView &out);
/// Whether a statement takes sections of all files, whatever their flags.
bool takesAllFiles(const InputDescription &statement);
/// Whether the machine says that a section holds an interrupt table.
bool isVectorTable(const Program &program, llvm::StringRef section);
/// Whether a section is called like a vector table.
bool isNamedLikeVectors(llvm::StringRef name);

/// Whether a section of a file takes memory, so that its loss may matter.
bool takesMemory(const InputSection &section);
/// Whether --gc-sections dropped all that the inputs have for memory.
bool keepsNothing(const Link &link);

/// The needs of a check on a finished file, beside the file.
enum class FileNeeds : uint8_t {
  Nothing,
  Script,
  Relocations, ///< that --emit-relocs keeps
  Vectors,     ///< a machine that says which sections are tables
  Request,     ///< the group's name: an ELF file need not become an image
  Link,        ///< facts that a file does not have
};

/// A check. Its name is that of its group (warningGroupName); Config's
/// disabledWarnings has the groups that are off by default.
struct LinkCheck {
  WarningGroup group;
  Severity severity;
  void (*run)(const FinishedLink &finished, Findings &found);
  FileNeeds file;
  const char *things, *sentence, *reports; ///< see base/Traps.def

  bool isError() const { return severity == Severity::Error; }
};

inline constexpr LinkCheck kChecks[] = {
#define XLINK_TRAP(group, name, severity, run, file, things, sentence,         \
                   reports)                                                    \
  {WarningGroup::group,                                                        \
   Severity::severity,                                                         \
   run,                                                                        \
   FileNeeds::file,                                                            \
   things,                                                                     \
   sentence,                                                                   \
   reports},
#include "base/Traps.def"
};

/// The stack that the script delimits.
struct StackRoom {
  uint64_t bytes;
  std::string name; ///< "_estack - __stack_limit"
};
/// Room between the symbols of the script that are called like both ends of the
/// stack or, where only its top has one, up to there from the section below it.
/// Nothing: there are none, or several.
std::optional<StackRoom> stackRoom(const FinishedLink &finished);

/// The row of a group; --help shows its sentence.
constexpr const LinkCheck &checkOf(WarningGroup group) {
  for (const LinkCheck &check : kChecks)
    if (check.group == group)
      return check;
  return kChecks[0];
}

/// --print-traps: the table.
std::string trapsText();

/// Runs all checks that are on.
void runChecks(const FinishedLink &finished, Diagnostics &diag);

/// --check-script: reports the faults that a script has with any objects, and
/// the names that these have to define.
void checkScript(const Program &program, Diagnostics &diag);

} // namespace xlink
#endif
