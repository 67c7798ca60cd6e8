//===- ScriptTree.cpp -----------------------------------------------------===//
#include "model/ScriptTree.h"

namespace xlink {

std::string locationText(const ScriptLocation &where) {
  if (where.line == 0)
    return where.file.empty() ? "" : "option '" + where.file.str() + "': ";
  return where.file.str() + ":" + std::to_string(where.line) + ":" +
         std::to_string(where.column) + ": ";
}

} // namespace xlink
