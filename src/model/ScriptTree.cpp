//===- ScriptTree.cpp -----------------------------------------------------===//
#include "model/ScriptTree.h"
#include "base/Diagnostics.h"

namespace xlink {

std::string undeclaredRegion(const Script &script, llvm::StringRef name) {
  std::vector<llvm::StringRef> known;
  for (const MemoryCommand &m : script.memory)
    known.push_back(m.name);
  const std::string near = nearestSpelling(name, known);
  return "memory region '" + name.str() + "' is not declared" +
         (near.empty() ? "" : "; did you mean '" + near + "'?");
}

std::string locationText(const ScriptLocation &where) {
  if (where.line == 0)
    return where.file.empty() ? "" : "option '" + where.file.str() + "': ";
  return where.file.str() + ":" + std::to_string(where.line) + ":" +
         std::to_string(where.column) + ": ";
}

} // namespace xlink
