//===- ScriptTree.cpp -----------------------------------------------------===//
#include "model/ScriptTree.h"
#include "base/Diagnostics.h"
#include <functional>

namespace xlink {

std::string undeclaredRegion(const Script &script, llvm::StringRef name) {
  std::vector<llvm::StringRef> known;
  for (const MemoryCommand &m : script.memory)
    known.push_back(m.name);
  const std::string near = nearestSpelling(name, known);
  return "memory region '" + name.str() + "' is not declared" +
         (near.empty() ? "" : "; did you mean '" + near + "'?");
}

ScriptLocation wordPlace(const Script &script, llvm::StringRef word,
                         const ScriptLocation &otherwise) {
  for (const Script::SourceText &source : script.texts) {
    const std::less_equal<const char *> before; // of texts apart, too
    if (word.empty() || !before(source.text.begin(), word.begin()) ||
        !before(word.end(), source.text.end()))
      continue;
    const llvm::StringRef above =
        source.text.take_front(size_t(word.begin() - source.text.begin()));
    const size_t line = above.rfind('\n') + 1; // npos + 1 is 0
    return {source.file, uint32_t(above.count('\n') + 1),
            uint32_t(above.size() - line + 1)};
  }
  return otherwise;
}

std::string locationText(const ScriptLocation &where) {
  if (where.line == 0)
    return where.file.empty() ? "" : "option '" + where.file.str() + "': ";
  return where.file.str() + ":" + std::to_string(where.line) + ":" +
         std::to_string(where.column) + ": ";
}

} // namespace xlink
