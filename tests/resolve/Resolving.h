//===- Resolving.h - resolution of hand-made objects ----------------------===//
#ifndef XLINK_TESTS_RESOLVE_RESOLVING_H
#define XLINK_TESTS_RESOLVE_RESOLVING_H

#include "script/ScriptParser.h"
#include "support/HandMade.h"
#include "support/ResolveSymbols.h"

namespace xlink::test {

/// A program whose inputs are given to resolveSymbols(). Nothing is loaded:
/// what an archive would offer is a lazy object here (--start-lib).
struct Resolving : HandMade {
  void script(std::string text) {
    auto noInclude = [](llvm::StringRef) { return std::nullopt; };
    EXPECT_TRUE(
        parseScript("a.ld", std::move(text), noInclude, program.script, diag))
        << messages();
    program.builtinScript = false;
  }
  HandObject &input(std::string path, bool lazy = false) {
    HandObject &object = objects.emplace_back(std::move(path));
    LoadedInput &input = inputs.emplace_back();
    input.object = object.object;
    input.lazy = lazy;
    return object;
  }
  HandObject &lazy(std::string path) { return input(std::move(path), true); }
  /// The messages.
  std::string resolve() {
    InputLoader loader(program, diag, nullptr, nullptr);
    resolveSymbols(program, inputs, loader, diag);
    return messages();
  }
  const Symbol &symbol(llvm::StringRef name) const {
    static const Symbol none;
    const SymbolId id = symbolNamed(name);
    return id == kNone ? none : program.symbols[id];
  }
  /// "a.o:(.text)" of a symbol's definition.
  std::string homeOf(llvm::StringRef name) const {
    const Symbol &s = symbol(name);
    EXPECT_EQ(s.kind, SymbolKind::Defined) << name.str();
    return program.sectionName(s.section);
  }
  /// The files of the link, with a space between two.
  std::string fileNames() const {
    std::string names;
    for (FileId id : program.files.ids())
      names += (names.empty() ? "" : " ") + program.fileName(id);
    return names;
  }

  std::deque<HandObject> objects;
  std::vector<LoadedInput> inputs;
};

} // namespace xlink::test
#endif
