//===- ReversedWords.cpp --------------------------------------------------===//
#include "layout/ReversedWords.h"

using namespace llvm;

namespace xlink {

bool holdsReversedWords(const Parts &parts, OutputId output) {
  if (parts.program.config.relocatable)
    return false; // the link that makes a program reverses them
  const StringRef name = parts.placement.outputs[output].name;
  return name == ".init_array" || name == ".fini_array";
}

unsigned reversedWordSize(const Parts &parts, SectionId id) {
  if (parts.program.config.relocatable)
    return 0; // the link that makes a program reverses them
  StringRef name = parts.program.sections[id].parsed->name;
  StringRef wanted;
  if (name.consume_front(".ctors"))
    wanted = ".init_array";
  else if (name.consume_front(".dtors"))
    wanted = ".fini_array";
  else
    return 0;
  const OutputId output = parts.placement.sections[id].output;
  if ((!name.empty() && name[0] != '.') || output == kNone ||
      parts.placement.outputs[output].name != wanted)
    return 0;
  const unsigned word = parts.program.addressSize();
  return parts.contents.sections[id].size > word ? word : 0;
}

} // namespace xlink
