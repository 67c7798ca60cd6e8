//===- ScriptEvaluator.h - values of script expressions -------------------===//
//
// Evaluates one expression tree against an environment that knows symbols,
// sections and regions as far as the current round of address assignment has
// fixed them. GNU ld manual, "Expressions" and "The Section of an Expression".
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_SCRIPT_SCRIPTEVALUATOR_H
#define XLINK_SCRIPT_SCRIPTEVALUATOR_H

#include "model/ScriptTree.h"

namespace xlink {

/// A value and its base.
struct ScriptValue {
  enum Kind : uint8_t {
    Number,   ///< a plain number
    Absolute, ///< an address
    Relative, ///< an offset in output section `section`
  } kind = Number;
  uint64_t value = 0;
  uint32_t section = 0; ///< output section id, kind Relative

  static ScriptValue number(uint64_t v) { return {Number, v, 0}; }
  static ScriptValue absolute(uint64_t v) { return {Absolute, v, 0}; }
  static ScriptValue relative(uint64_t v, uint32_t s) {
    return {Relative, v, s};
  }
};

/// Questions of an expression. The address assignment answers them; without an
/// answer only literals have a value.
class EvaluationEnvironment {
public:
  virtual ~EvaluationEnvironment() = default;
  /// Facts about a section, found by name.
  struct SectionInfo {
    uint32_t id = 0;
    uint64_t address = 0, loadAddress = 0, size = 0, align = 1;
  };
  struct RegionInfo {
    uint64_t origin = 0, length = 0;
  };
  /// The location counter: Relative inside an output section, else Absolute.
  virtual ScriptValue dot() { return ScriptValue::number(0); }
  /// Whether an output section's statements are being evaluated.
  virtual bool insideSection() { return false; }
  /// LD_FEATURE("SANE_EXPR"): literals are plain numbers everywhere.
  virtual bool saneExpressions() { return false; }
  /// Inside an output section ORIGIN() is an address (lld), not an offset in
  /// the section (GNU ld).
  virtual bool originsAreAddresses() { return false; }
  /// A symbol's value, or nothing when it is not defined.
  virtual std::optional<ScriptValue> symbol(llvm::StringRef) { return {}; }
  /// DEFINED(name): defined by an input or earlier in the script.
  virtual bool defined(llvm::StringRef) { return false; }
  virtual std::optional<SectionInfo> section(llvm::StringRef) { return {}; }
  /// The output section, or the region, whose name is nearest in spelling to
  /// that in a function's tree, or "".
  virtual std::string nearestName(const Expr &) { return ""; }
  /// Address of an output section by id: makes Relative values absolute.
  virtual uint64_t sectionAddress(uint32_t) { return 0; }
  virtual std::optional<RegionInfo> region(llvm::StringRef) { return {}; }
  virtual uint64_t constant(ScriptConstant) { return 0; }
  virtual uint64_t sizeOfHeaders() { return 0; }
  /// SEGMENT_START(name, ...): -Ttext-segment and friends; nothing if not
  /// given.
  virtual std::optional<uint64_t> segmentStart(llvm::StringRef) { return {}; }
  /// Which of its two forms DATA_SEGMENT_ALIGN takes (manual, "Builtin
  /// Functions"): true when the second needs fewer pages of memory up to
  /// DATA_SEGMENT_END.
  virtual bool dataSegmentSavesPage() { return false; }
  /// A problem at a place of the script; the environment decides whether it is
  /// reported now or only in the last round.
  virtual void problem(const ScriptLocation &, std::string) {}
  /// The same for a name of a symbol without a value.
  virtual void undefinedSymbol(const Expr &name) {
    problem(name.where, "undefined symbol '" + name.name.str() + "'");
  }
};

/// The expression's value. Unknown symbols and sections are reported through
/// problem() and count as 0.
ScriptValue evaluate(const Expr &expr, EvaluationEnvironment &env);

/// The absolute value of `v`.
uint64_t absoluteValue(const ScriptValue &v, EvaluationEnvironment &env);

} // namespace xlink
#endif
