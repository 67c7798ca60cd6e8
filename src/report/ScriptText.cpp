//===- ScriptText.cpp -----------------------------------------------------===//
#include "report/ScriptText.h"
#include "base/Diagnostics.h"
#include "script/ScriptEvaluator.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink {

namespace {

/// What literals alone need: nothing.
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

/// The operator or function's name in a map; empty for leaves with a text of
/// their own. GNU ld reads BLOCK as ALIGN.
static StringRef wordOf(ExprKind kind) {
  return kind == ExprKind::Block ? "ALIGN" : expressionWord(kind);
}

/// Whether GNU ld computes it while it reads the script. What the command line
/// decides is no literal.
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
  const std::string word = wordOf(e.kind).str();
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
    break;
  }
  if (e.args.empty()) // of a section, region, symbol or constant
    return word + " (" + e.name.str() + ")";
  if (e.args.size() == 1)
    return word + " (" + arg(0) + ")";
  return "(" + arg(0) + " " + word + " " + arg(1) + ")";
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

static const char *sortWord(SortKind kind) {
  switch (kind) {
  case SortKind::Default:
    return "";
  case SortKind::None:
    return "SORT_NONE(";
  case SortKind::Name:
    return "SORT_BY_NAME(";
  case SortKind::Alignment:
    return "SORT_BY_ALIGNMENT(";
  case SortKind::InitPriority:
    return "SORT_BY_INIT_PRIORITY(";
  }
  return "";
}

static std::string excludeText(const std::vector<GlobPattern> &files) {
  if (files.empty())
    return "";
  std::string text = "EXCLUDE_FILE(";
  for (size_t i = 0; i < files.size(); ++i)
    text += (i ? " " : "") + files[i].text.str();
  return text + ") ";
}

std::string patternText(const InputDescription &d) {
  std::string text = excludeText(d.excludeFiles);
  if (d.fileReverse)
    text += "REVERSE(";
  text += sortWord(d.fileSort);
  text += d.hasArchive ? d.archive.text.str() + ":" + d.member.text.str()
                       : d.file.text.str();
  if (d.fileSort != SortKind::Default)
    text += ")";
  if (d.fileReverse)
    text += ")";
  text += "(";
  for (size_t i = 0; i < d.patterns.size(); ++i) {
    const SectionPattern &p = d.patterns[i];
    std::string sort = p.reverse ? "REVERSE(" : "";
    sort += sortWord(p.outer);
    sort += sortWord(p.inner);
    text +=
        (i ? " " : "") + sort + excludeText(p.excludeFiles) + p.name.text.str();
    text.append(StringRef(sort).count('('), ')');
  }
  return text + ")";
}

std::string lineText(const ScriptLocation &where) {
  return where.file.str() + ":" + std::to_string(where.line);
}

std::string fillText(ArrayRef<uint8_t> bytes) {
  return toHex(bytes, /*LowerCase=*/true);
}

} // namespace xlink
