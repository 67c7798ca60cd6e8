//===- Reports.h - the reports of a link ----------------------------------===//
#ifndef XLINK_REPORT_REPORTS_H
#define XLINK_REPORT_REPORTS_H

#include "base/Config.h"
#include "base/Diagnostics.h"
#include "map/LinkMap.h"
#include "map/SizeBudget.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include "output/OutputFile.h"
#include "llvm/Support/raw_ostream.h"

namespace xlink {

/// Refuses a link that would write one of its inputs, or two of its outputs to
/// one file, however the names are spelled; only regular files count.
/// Returns whether all is well. Before anything is written.
bool checkOutputNames(const Program &program, llvm::vfs::FileSystem *fs,
                      Diagnostics &diag);

/// One file of text, written from front to back. Not committed, it leaves
/// nothing.
class TextFile final : public llvm::raw_ostream {
public:
  /// Opens the file. `kind` names it in messages: "map file".
  TextFile(const char *kind, std::string path, OutputSink &sink);
  ~TextFile() override { flush(); }

  /// Why it cannot be written; "": so far nothing went wrong.
  const std::string &error() const { return failure; }
  /// The file appears, or an error does: "cannot write map file x.map: No space
  /// left on device".
  void commit(Diagnostics &diag) {
    flush();
    if (failure.empty())
      failure = file->commit();
    file.reset();
    if (!failure.empty())
      diag.error("cannot write " + std::string(kind) + " " + path + ": " +
                 failure);
  }

private:
  void write_impl(const char *from, size_t size) override;
  uint64_t current_pos() const override { return written; }

  const char *const kind;
  const std::string path;
  std::string failure;
  std::unique_ptr<OutputFile> file; ///< null: it could not be opened
  uint64_t written = 0;
};

/// A file of one text.
void writeTextFile(const char *kind, const std::string &path,
                   llvm::StringRef text, OutputSink &sink, Diagnostics &diag);

/// --dependency-file: a rule of make that makes the output depend on every file
/// that was read, and an empty rule for each of these, so that removing one is
/// no error. Names are escaped for make and ninja: a space, # and $, and
/// backslashes in front of the first two. `further`: files that were read while
/// the output was made.
std::string dependencyText(const Program &program,
                           llvm::ArrayRef<std::string> further);

/// The maps that a link was asked for: -Map, --map-json, --html-report. Those
/// that go into files are opened and committed with the link's other outputs,
/// and in between made beside other readers of the link.
class Maps {
public:
  /// Addresses must be fixed.
  Maps(const Link &link, const SymbolValues &values)
      : link(link), values(values), config(link.program.config) {}

  /// Stacks for the value, to be set before it is made. The texts are in
  /// `stackTexts`.
  std::vector<MapStack> stacks;
  llvm::BumpPtrAllocator stackTexts;
  /// The older map; nothing: there is none, or it cannot be read.
  std::optional<Baseline> baseline;

  /// The link as a value, made at the first call.
  const LinkMap &value();
  void text(llvm::raw_ostream &out); ///< -Map, with the cross references
  void json(llvm::raw_ostream &out); ///< --map-json
  void page(llvm::raw_ostream &out); ///< --html-report
  /// No page compares with an older map that cannot be read.
  bool hasPage() const {
    return !config.htmlReport.empty() && (config.baseline.empty() || baseline);
  }

  /// Opens the files, which are not yet, or once more; those that are printed
  /// are none.
  void open(OutputSink &sink);
  /// Writes them. Only reads the link.
  void write() {
    for (auto &[file, write] : files) {
      (this->*write)(*file);
      file->flush();
    }
  }
  /// Why one of them cannot be written; "": so far nothing went wrong.
  std::string error() const {
    for (const auto &[file, write] : files)
      if (!file->error().empty())
        return file->error();
    return "";
  }
  /// Whether write() has something to do.
  bool inFiles() const { return !files.empty(); }
  /// The files appear; failures are reported.
  void commit(Diagnostics &diag) {
    for (auto &[file, write] : files)
      file->commit(diag);
    files.clear();
  }

private:
  const Link &link;
  const SymbolValues &values;
  const Config &config;
  std::optional<LinkMap> map;
  /// With the function that writes each.
  std::vector<
      std::pair<std::unique_ptr<TextFile>, void (Maps::*)(llvm::raw_ostream &)>>
      files;
};

/// Makes the files that reports read, a budget and an older map, inputs of the
/// link: an output must not overwrite them, and depends on them. Fills
/// Program::stackInputs where the depth of stacks is asked for: with
/// --stack-usage-files from foo.su and foo.ci beside foo.o, and from the file
/// of --stack-calls. That no object has such files is a warning.
/// `fs` null: the real one.
void readReportInputs(Program &program, llvm::vfs::FileSystem *fs,
                      Diagnostics &diag);

/// The reports that must exist even when the link fails: cross references, the
/// use of memory regions and of resources, the depth of stacks, collected
/// sections, types, --why-... Addresses must be fixed. Texts for standard
/// output become notes. A size above --size-budget is an error. `fs` has the
/// files that reports read. The maps that go into files are open then, to be
/// written beside the output and committed.
std::unique_ptr<Maps> reportLayout(const Link &link, const SymbolValues &values,
                                   llvm::vfs::FileSystem *fs, OutputSink &sink,
                                   Diagnostics &diag);

/// Of two functions that an object names as running in parallel, one writes a
/// global that the other reads or writes too, itself or through callees:
/// a warning with the source lines, or an error with --error-parallel-usage. A
/// function that runs in parallel with itself must not write a global at all.
/// A reference to a global as an argument counts as reading it: compilers state
/// its further use for the function that passes it. Addresses must be fixed.
void checkParallelUsage(const Link &link, const SymbolValues &values,
                        Diagnostics &diag);

/// The table of --print-memory-usage, as GNU ld prints it: used size, region
/// size and the share in percent, without the last line's end.
std::string memoryUsageText(const LinkMap &map);

/// Follows the table: for each region the sizes that are free, only loaded, set
/// aside or padding, and the largest files, in bytes and percent of the region;
/// then the files in no region. Begins with a line's end, or is empty. In JSON
/// all of it, and the table, as `regions` and `outside`; sizes in bytes.
void writeMemoryDetails(llvm::raw_ostream &text, llvm::json::OStream &json,
                        const LinkMap &map);

/// --explain-script: each statement of the script with its result: of patterns
/// the input sections that they took, by file, of assignments the value. In
/// JSON an array of all. Addresses must be fixed.
void explainScript(llvm::raw_ostream &text, llvm::json::OStream &json,
                   const Link &link);

/// A further line where the stack takes the rest of the program's memory and
/// objects say how large it is; a warning when it does not fit. Empty where no
/// object states a stack.
std::string stackUsageText(const Link &link, const SymbolValues &values,
                           Diagnostics &diag);

/// The stack of a program.
struct StackNeed {
  std::string function; ///< the entry, or a function that it calls
  uint64_t words = 0;   ///< with all callees and the threads that they start
};
/// The need of the entry or, where that is not stated, the largest need of a
/// function that it calls; nothing where that is not known either. The stacks
/// of threads are part of the stack of the function that starts them.
std::optional<StackNeed> stackNeed(const Link &link,
                                   const SymbolValues &values);

/// Whether the stack takes the rest of the program's memory, and objects state
/// anything from which its need could follow.
bool sharesStack(const Program &program);

/// --print-resource-usage: stack words, threads, timers and channel ends of the
/// entry and of every function that an object names as running in parallel with
/// another, each with all its callees, as text and as an object.
///
/// A function needs its own part and the largest need of a callee: a callee
/// gives everything back when it returns. One of a callee's threads is the one
/// that called it. The ABI leaves this open; it is how the vendor's compilers
/// make the values of their result symbols. Where an object states no own part,
/// the value of the function's result symbol (XS1: f.nstackwords, f.maxthreads
/// ...) is its need with all callees; the report says so.
void writeResourceUsage(llvm::raw_ostream &text, llvm::json::OStream &json,
                        const Link &link, const SymbolValues &values);

/// Warns of global symbols for which objects state types that contradict each
/// other. A type that leaves something open (no prototype, no size, no members)
/// contradicts nothing.
void checkTypes(const Program &program, Diagnostics &diag);

/// --dump-types: a line "FILE: DECLARATION" for each stated type, in order.
/// Malformed ones are printed as they are, with a warning.
std::string typesText(const Program &program, Diagnostics &diag);

/// All that LinkMap tells of a link but `stacks`. Addresses must be fixed;
/// errors do not matter. The texts in it are the link's: it must not outlive
/// that.
///
/// `crossed`: with references and counts of relocations.
LinkMap buildLinkMap(const Link &link, const SymbolValues &values,
                     bool crossed);

// ---- Lists of a link as GNU ld prints them (MapFile.cpp) ----

/// Writes the map in GNU ld's format: why archive members take part, COMMON
/// symbols, discarded sections, memory regions, and the script's statements
/// with the addresses they came to. Addresses must be fixed; errors do not
/// matter.
void writeMap(llvm::raw_ostream &out, const Link &link,
              const SymbolValues &values);

/// Writes the table of --cref: for each global symbol that a file names, by
/// name, the files that define it, then those that refer to it, the last in the
/// link first.
void writeCrossReferences(llvm::raw_ostream &out, const Program &program);

/// --trace-symbol: a note for each file that defines or refers to such a
/// symbol.
void traceSymbols(const Program &program, Diagnostics &diag);

/// --print-gc-sections: a line for each section that nothing refers to.
std::string collectedSectionsText(const Link &link);

/// Whether a section is one for GNU ld, and so for reports: tables that
/// describe the file are not. Sections for the linker alone, such as
/// groups, are.
bool isReportedSection(const ParsedSection &section);

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
