//===- ScriptRun.h - a script's statements at work ------------------------===//
//
// Private to this room: the common part of a round of address assignment and of
// the walk that gives symbols their last values: the location counter, the
// values in expressions, and assignments.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_LAYOUT_SCRIPTRUN_H
#define XLINK_LAYOUT_SCRIPTRUN_H

#include "base/Diagnostics.h"
#include "layout/AddressAssignment.h"
#include "model/Link.h"
#include "resolve/Expressions.h"
#include "script/ScriptEvaluator.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>
#include <string>
#include <vector>

namespace xlink {

/// The bytes of a fill: as written, or the low four of an expression's value,
/// the highest first.
std::vector<uint8_t> fillBytes(const FillPattern &pattern, uint64_t value);

class ScriptRun : public EvaluationEnvironment {
public:
  /// Works on `now`, which has the result of the round before. Problems go to
  /// `diag`, names without a value to `undefined`; null: nowhere.
  ScriptRun(const PartialLink &partial, const OutputInfo &info, Addresses &now,
            Diagnostics *diag, UndefinedNames *undefined = nullptr)
      : partial(partial), info(info), now(now), diag(diag),
        undefined(undefined), assigned(partial.program.slotCount()) {}

  // EvaluationEnvironment
  ScriptValue dot() override;
  bool insideSection() override { return current != kNone; }
  bool saneExpressions() override {
    return partial.program.script.saneExpressions;
  }
  bool originsAreAddresses() override {
    return partial.program.target->scriptNumbersAbsolute;
  }
  std::optional<ScriptValue> symbol(llvm::StringRef name) override;
  bool defined(llvm::StringRef name) override;
  std::optional<SectionInfo> section(llvm::StringRef name) override;
  std::string nearestName(const Expr &function) override;
  uint64_t sectionAddress(uint32_t id) override {
    return now.outputs[OutputId(id)].address.wrapped();
  }
  std::optional<RegionInfo> region(llvm::StringRef name) override;
  uint64_t constant(ScriptConstant) override {
    return partial.program.pageSize();
  }
  uint64_t sizeOfHeaders() override { return now.headersSize; }
  std::optional<uint64_t> segmentStart(llvm::StringRef name) override;
  void problem(const ScriptLocation &where, std::string text) override;
  void undefinedSymbol(const Expr &name) override;

  /// An expression's value as an address; `otherwise` without one.
  uint64_t number(const Expr *expr, uint64_t otherwise) {
    return expr ? absoluteValue(evaluate(*expr, *this), *this) : otherwise;
  }
  uint64_t alignment(const Expr *expr, uint64_t otherwise);
  /// Evaluates options and MEMORY, before any statement.
  void evaluateOptions();
  void evaluateRegions();
  void evaluatePhdrs();
  /// The value of an assignment to a symbol; sets readsItself and readsUnknown.
  ScriptValue read(const AssignmentCommand &assignment);
  /// A name has a value from here on, in this run.
  void noteAssigned(llvm::StringRef name);
  /// The messages of link-time expressions.
  void reportResults(const Expressions &expressions) const;

  bool readsItself = false;  ///< a symbol to which no script gave a value
  bool readsUnknown = false; ///< something that has no value yet

protected:
  StatementId statementOf(const OutputSection &out, uint32_t item) const {
    return StatementId(partial.placement.layout.size()) +
           (out.firstItem + item).index();
  }
  /// Whether an assignment takes effect, as far as that is known: PROVIDE does
  /// not if its name is defined, not needed, or PROVIDEd already.
  bool effective(const AssignmentCommand &a, StatementId statement) const {
    return !a.provide || now.names.provides.contains(statement);
  }
  /// An assignment or assertion. Those to dot report while sections get their
  /// places, others with final addresses.
  void runStatement(const ScriptCommand &command, StatementId statement,
                    StatementValue &result);
  /// Advances dot, at most to the end of the address space; a section beyond it
  /// is an error (see Checks). Returns the new dot.
  Address advance(Address to);
  /// Assigns the linker's symbols and results of link-time expressions, which
  /// no statement of the script assigns.
  void defineOthers(Expressions &expressions);
  Link link() const { return Link(partial, info, now); }

  const PartialLink partial;
  const OutputInfo &info;
  Addresses &now;
  Diagnostics *const diag;
  UndefinedNames *const undefined;

  Address counter;               ///< the location counter, absolute
  OutputId current;              ///< the section whose statements run
  bool finishing = false;        ///< addresses stand, symbols get their values
  bool muted = false;            ///< the expression reports in another pass
  bool hadProblem = false;       ///< since it was reset
  bool misvalued = false;        ///< an error about a value was reported
  bool beforeStatements = false; ///< regions and options are being evaluated
  IdSet<SlotId> assigned;        ///< by this run, so far

private:
  bool takesPlace(const AssignmentCommand &a, StatementId statement);
  /// The value assigned; nothing if a PROVIDE has no effect.
  std::optional<uint64_t> assign(const AssignmentCommand &a,
                                 StatementId statement);
  void defineLinkerSymbols();
  /// Address of a symbol of a file, as expressions of inputs see it.
  std::optional<uint64_t> valueOf(FileId file, uint32_t symbol) const;
  void moveDot(const AssignmentCommand &a, uint64_t to);
  void setSymbol(SymbolId id, const AssignmentCommand &a,
                 const ScriptValue &value);
  bool isAssigned(const Symbol &s) const {
    return s.slot != kNone && assigned.contains(s.slot);
  }

  llvm::StringRef assigning; ///< the symbol that gets a value
  bool lacksValue = false;   ///< the expression reads an undefined symbol
  /// Alignments whose rounding up has been reported.
  llvm::DenseSet<const Expr *> roundedUp;
};

} // namespace xlink
#endif
