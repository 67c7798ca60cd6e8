//===- ScriptTestSupport.h - parsing and evaluating in tests --------------===//
#ifndef XLINK_TESTS_SCRIPTTESTSUPPORT_H
#define XLINK_TESTS_SCRIPTTESTSUPPORT_H

#include "script/ScriptEvaluator.h"
#include "script/ScriptParser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <map>

namespace xlink::test {

/// A script as its tree, or the messages that it caused.
struct Parsed {
  Script script;
  Diagnostics diag;
  bool good = false;

  /// All messages, notes as ">>> " lines.
  std::string messages() const;
  /// The first message without its notes.
  std::string firstError() const;
};

/// Files for INCLUDE.
using Files = std::map<std::string, std::string>;

/// Parses `text` as the file "a.ld".
std::unique_ptr<Parsed> parse(llvm::StringRef text, const Files &files = {});

/// The tree in one line a statement, everything that the parser filled in.
std::string dump(const Script &script);
std::string dump(const Expr &e);
/// The same for a text, or its messages.
std::string dumpOf(llvm::StringRef text, const Files &files = {});
/// Of one statement inside `SECTIONS { .text : { ... } }`.
std::string dumpBody(llvm::StringRef text);
/// Of one expression.
std::string dumpExpression(llvm::StringRef text);

/// An environment with what a test puts into it.
struct FakeEnvironment : EvaluationEnvironment {
  ScriptValue dotValue = ScriptValue::absolute(0x1234);
  std::map<std::string, ScriptValue> symbols;
  std::map<std::string, SectionInfo> sections;
  std::map<std::string, RegionInfo> regions;
  std::map<std::string, uint64_t> starts;
  bool savesPage = false;
  std::vector<std::string> problems;

  ScriptValue dot() override { return dotValue; }
  bool insideSection() override {
    return dotValue.kind == ScriptValue::Relative;
  }
  std::optional<ScriptValue> symbol(llvm::StringRef name) override {
    auto it = symbols.find(name.str());
    return it == symbols.end() ? std::nullopt : std::optional(it->second);
  }
  bool defined(llvm::StringRef name) override {
    return symbols.count(name.str());
  }
  std::optional<SectionInfo> section(llvm::StringRef name) override {
    auto it = sections.find(name.str());
    return it == sections.end() ? std::nullopt : std::optional(it->second);
  }
  uint64_t sectionAddress(uint32_t id) override {
    for (auto &[name, info] : sections)
      if (info.id == id)
        return info.address;
    return 0;
  }
  std::optional<RegionInfo> region(llvm::StringRef name) override {
    auto it = regions.find(name.str());
    return it == regions.end() ? std::nullopt : std::optional(it->second);
  }
  uint64_t constant(ScriptConstant which) override {
    return which == ScriptConstant::MaxPageSize ? 0x10000 : 0x1000;
  }
  uint64_t sizeOfHeaders() override { return 0xe8; }
  std::optional<uint64_t> segmentStart(llvm::StringRef name) override {
    auto it = starts.find(name.str());
    return it == starts.end() ? std::nullopt : std::optional(it->second);
  }
  bool dataSegmentSavesPage() override { return savesPage; }
  void problem(const ScriptLocation &where, std::string text) override {
    // Columns of the expression: it stands behind "x = ".
    problems.push_back(std::to_string(where.column - 4) + ": " + text);
  }
};

/// Two sections, a region, some symbols; dot outside of sections.
FakeEnvironment outsideEnvironment();
/// The same with dot 0x24 behind the start of .text (0x1000).
FakeEnvironment insideEnvironment();

/// The value of an expression; problems are failures of the test.
ScriptValue evaluateText(llvm::StringRef text, EvaluationEnvironment &env);
/// "0x10", "abs 0x10", ".text+0x10".
std::string show(llvm::StringRef text, FakeEnvironment env);

} // namespace xlink::test
#endif
