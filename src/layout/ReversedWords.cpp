//===- ReversedWords.cpp --------------------------------------------------===//
#include "layout/ReversedWords.h"

using namespace llvm;

namespace xlink {

unsigned reversedWordSize(const Link &link, const InputSection &section) {
  StringRef name = section.parsed->name;
  StringRef wanted;
  if (name.consume_front(".ctors"))
    wanted = ".init_array";
  else if (name.consume_front(".dtors"))
    wanted = ".fini_array";
  else
    return 0;
  if ((!name.empty() && name[0] != '.') || section.output == kNone ||
      link.outputs[section.output].name != wanted)
    return 0;
  const unsigned word = link.target->is64 ? 8 : 4;
  return section.size > word ? word : 0;
}

} // namespace xlink
