//===- ReversedWords.cpp --------------------------------------------------===//
#include "sections/ReversedWords.h"

using namespace llvm;

namespace xlink {

bool holdsReversedWords(const Parts &parts, OutputId output) {
  if (parts.program.config.relocatable)
    return false; // the link that makes a program reverses them
  const StringRef name = parts.placement.outputs[output].name;
  return name == ".init_array" || name == ".fini_array";
}

unsigned reversedWordSize(const Parts &parts, SectionId id) {
  // An output section's name is in the cache; that of an input section mostly
  // not.
  const OutputId output = parts.placement.sections[id].output;
  if (output == kNone || !holdsReversedWords(parts, output))
    return 0;
  StringRef name = parts.program.sections[id].parsed->name;
  const bool isInit = parts.placement.outputs[output].name == ".init_array";
  if (!name.consume_front(isInit ? ".ctors" : ".dtors") ||
      (!name.empty() && name[0] != '.'))
    return 0;
  const unsigned word = parts.program.addressSize();
  return parts.contents.sections[id].size > word ? word : 0;
}

} // namespace xlink
