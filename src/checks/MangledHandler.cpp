//===- MangledHandler.cpp - a handler without extern "C" ------------------===//
//
// Problem: the program's handler is written in C++ without extern "C": its
// symbol is _Z15SysTick_Handlerv, and the weak SysTick_Handler of start-up code
// stays in the vector table.
//
// Method: Handlers; the counterpart's mangled name holds the weak one's.
//
// Silent: functions of a class or a namespace, and those that something uses.
//
// Cost: a look at the names of all symbols, where weak definitions are in use.
//
//===----------------------------------------------------------------------===//
#include "checks/Handlers.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace xlink {

/// The name of a mangled function of no class and no namespace, or "".
static StringRef plainNameOf(StringRef mangled) {
  size_t length = 0;
  if (!mangled.consume_front("_Z") || mangled.consumeInteger(10, length) ||
      length > mangled.size())
    return "";
  return mangled.take_front(length);
}

void checkMangledHandlers(const FinishedLink &finished, Findings &found) {
  const Handlers &handlers = finished.handlers();
  const Program &program = handlers.program;
  if (handlers.weak.empty())
    return;
  StringMap<SymbolId> byName;
  for (SymbolId id : handlers.weak)
    byName[program.symbols[id].name] = id;
  std::vector<Counterpart> list;
  for (SymbolId id : program.symbols.ids()) {
    const Symbol &s = program.symbols[id];
    if (!s.name.starts_with("_Z") || !handlers.isFunction(s))
      continue;
    if (const auto it = byName.find(plainNameOf(s.name)); it != byName.end())
      list.push_back({id, it->second});
  }
  handlers.eraseMentioned(list);
  for (const Counterpart &c : list)
    found.add([&] {
      const StringRef name = program.symbols[c.weak].name;
      return Message{"'" + handlers.definition(c.function) +
                         " is never called: its symbol is " +
                         program.symbols[c.function].name.str() +
                         ", and the weak default '" + name.str() +
                         "' stays in use",
                     {handlers.use(c.weak),
                      "the default is '" + handlers.definition(c.weak),
                      "declare it extern \"C\""}};
    });
}

} // namespace xlink
