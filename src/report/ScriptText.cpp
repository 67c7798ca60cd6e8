//===- ScriptText.cpp -----------------------------------------------------===//
#include "report/ScriptText.h"
#include "base/Diagnostics.h"
#include "script/ScriptEvaluator.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink {

namespace {

/// An environment for literals alone.
class NoEnvironment final : public EvaluationEnvironment {
public:
  ScriptValue dot() override { return ScriptValue::number(0); }
  bool insideSection() override { return false; }
  std::optional<ScriptValue> symbol(StringRef) override { return std::nullopt; }
  bool defined(StringRef) override { return false; }
  std::optional<SectionInfo> section(StringRef) override {
    return std::nullopt;
  }
  uint64_t sectionAddress(uint32_t) override { return 0; }
  std::optional<RegionInfo> region(StringRef) override { return std::nullopt; }
  uint64_t constant(ScriptConstant) override { return 0; }
  uint64_t sizeOfHeaders() override { return 0; }
  std::optional<uint64_t> segmentStart(StringRef) override {
    return std::nullopt;
  }
  void problem(const ScriptLocation &, std::string) override {}
};

} // namespace

/// Whether GNU ld computes it while it reads the script. Values of the command
/// line are no literals.
static bool isLiteral(const Expr &e) {
  switch (e.kind) {
  case ExprKind::SegmentStart:
  case ExprKind::DataSegmentAlign:
  case ExprKind::DataSegmentEnd:
  case ExprKind::DataSegmentRelroEnd:
    return false;
  default:
    return e.constant &&
           all_of(e.args, [](const ExprPtr &arg) { return isLiteral(*arg); });
  }
}

std::optional<uint64_t> literalValue(const Expr &e) {
  NoEnvironment none;
  return isLiteral(e) ? std::optional(evaluate(e, none).value) : std::nullopt;
}

std::string expressionText(const Expr &e) {
  if (const std::optional<uint64_t> value = literalValue(e))
    return hex(*value);
  auto arg = [&](size_t i) { return expressionText(*e.args[i]); };
  // GNU ld reads BLOCK as ALIGN.
  const std::string word =
      e.kind == ExprKind::Block ? "ALIGN" : expressionWord(e.kind).str();
  switch (e.kind) {
  case ExprKind::Number:
    return hex(e.number);
  case ExprKind::Symbol:
    return e.name.str();
  case ExprKind::Dot:
    return ".";
  case ExprKind::Conditional:
    return arg(0) + "?" + arg(1) + ":" + arg(2);
  case ExprKind::SizeOfHeaders:
    return word;
  case ExprKind::SegmentStart:
    return word + " (\"" + e.name.str() + "\", " + arg(0) + ")";
  case ExprKind::Assert:
    return word + " (" + arg(0) + ", " + e.name.str() + ")";
  case ExprKind::DataSegmentRelroEnd: // the address comes first
    return word + " (" + arg(1) + ", " + arg(0) + ")";
  case ExprKind::Align2:
  case ExprKind::Min:
  case ExprKind::Max:
  case ExprKind::DataSegmentAlign:
    return word + " (" + arg(0) + ", " + arg(1) + ")";
  default:
    if (e.args.size() == 2)
      return "(" + arg(0) + " " + word + " " + arg(1) + ")";
    // Without an argument: of a section, region, symbol or constant.
    return word + " (" + (e.args.empty() ? e.name.str() : arg(0)) + ")";
  }
}

std::string assignmentText(const AssignmentCommand &a) {
  std::string text = a.name.str() + " = " + expressionText(*a.value);
  return a.provide ? "PROVIDE (" + text + ")" : text;
}

std::string dataText(const DataCommand &data, uint64_t value) {
  if (!data.value)
    return "ASCIZ \"" + StringRef(data.bytes).rtrim('\0').str() + "\"";
  const char *word = data.size == 1   ? "BYTE"
                     : data.size == 2 ? "SHORT"
                     : data.size == 4 ? "LONG"
                     : data.isSigned  ? "SQUAD"
                                      : "QUAD";
  std::string text = std::string(word) + " " + hex(value);
  if (!isLiteral(*data.value))
    text += " " + expressionText(*data.value);
  return text;
}

static std::string excludeText(const std::vector<GlobPattern> &files) {
  std::string text;
  for (const GlobPattern &file : files)
    text += (text.empty() ? "EXCLUDE_FILE(" : " ") + file.text.str();
  return text.empty() ? "" : text + ") ";
}

/// A pattern inside of REVERSE and sorts.
static std::string sortedText(bool reverse, ArrayRef<SortKind> sorts,
                              std::string text) {
  static constexpr const char *words[] = {"", "SORT_NONE(", "SORT_BY_NAME(",
                                          "SORT_BY_ALIGNMENT(",
                                          "SORT_BY_INIT_PRIORITY("};
  for (SortKind sort : llvm::reverse(sorts))
    if (sort != SortKind{})
      text = words[size_t(sort)] + text + ")";
  return reverse ? "REVERSE(" + text + ")" : text;
}

std::string patternText(const InputDescription &d) {
  std::vector<std::string> names;
  for (const SectionPattern &p : d.patterns)
    names.push_back(
        sortedText(p.reverse, {p.outer, p.inner},
                   excludeText(p.excludeFiles) + p.name.text.str()));
  return excludeText(d.excludeFiles) +
         sortedText(d.fileReverse, d.fileSort,
                    d.hasArchive
                        ? d.archive.text.str() + ":" + d.member.text.str()
                        : d.file.text.str()) +
         "(" + join(names, " ") + ")";
}

std::string lineText(const ScriptLocation &where) {
  return where.file.str() + ":" + std::to_string(where.line);
}

} // namespace xlink
