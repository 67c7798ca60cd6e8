//===- MisspeltHandler.cpp - a handler of another name --------------------===//
//
// Problem: the name of the program's handler is one or two letters away from
// that of the weak default, or is that of another processor's interrupt.
//
// Method: Handlers. Near names have at most two edits, one of them of no digit:
// numbered names differ by design. The affix of handlers (_IRQHandler, isr_) is
// one that half of the weak definitions in a vector table have, and three at
// least.
//
// Silent: functions at a weak default's address, in archives (they offer more
// than is used), in sections that KEEP names, and those with a name after the
// fashion of their file, as HAL_UART_IRQHandler beside HAL_UART_Init.
//
// Cost: a function that no other file refers to is looked up by both ends of
// its name, and compared with the weak names that have one of them, 200,000
// comparisons at most.
//
//===----------------------------------------------------------------------===//
#include "checks/Handlers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

namespace {

/// A name without its digits.
std::string withoutDigits(StringRef name) {
  std::string rest;
  copy_if(name, std::back_inserter(rest), [](char c) { return !isDigit(c); });
  return rest;
}

/// The near names and affixes of weak definitions.
struct Spellings {
  const Handlers &handlers;
  const Program &program = handlers.program;
  /// Weak definitions with names longer than six, by both ends of these.
  DenseMap<uint32_t, std::vector<SymbolId>> byEnd{};
  std::vector<std::string> prefixes{}, suffixes{};
  DenseSet<std::pair<SectionId, uint64_t>> places{}; ///< of weak definitions
  DenseMap<FileId, StringSet<>> words{}; ///< first words of functions
  uint64_t looks = 200000;               ///< comparisons that are left

  explicit Spellings(const Handlers &handlers) : handlers(handlers) {
    MapVector<SectionId, std::vector<SymbolId>> tables;
    for (SymbolId id : handlers.weak) {
      const Symbol &s = program.symbols[id];
      if (s.kind == SymbolKind::Defined)
        places.insert(placeOf(s));
      if (s.name.size() > 6 && s.name.size() < kLongest)
        for (uint32_t end : endsOf(s.name))
          byEnd[end].push_back(id);
      for (const ReferringPlace &from : handlers.usesOf(id))
        if (from.section != kNone)
          tables[from.section].push_back(id);
    }
    for (const auto &[section, names] : tables)
      if (names.size() >= kTable || isNamedLikeTable(program, section))
        findAffixes(names);
  }

  /// The affix that a name has, or "".
  StringRef affixOf(StringRef name) const {
    for (const std::string &p : prefixes)
      if (name.starts_with(p) && name.size() > p.size())
        return p;
    for (const std::string &s : suffixes)
      if (name.ends_with(s) && name.size() > s.size())
        return s;
    return "";
  }
  /// The weak definition that a name is near to; kNone: none. Both ends are
  /// rarely misspelt.
  SymbolId nearTo(StringRef name) {
    if (name.size() < 5)
      return {};
    for (uint32_t end : endsOf(name)) {
      const auto it = byEnd.find(end);
      if (it == byEnd.end())
        continue;
      for (SymbolId id : it->second) {
        const StringRef weak = program.symbols[id].name;
        if (weak.size() + 2 < name.size() || name.size() + 2 < weak.size())
          continue;
        if (looks == 0)
          return {};
        --looks;
        if (weak.edit_distance(name, /*AllowReplacements=*/true, 2) <= 2 &&
            withoutDigits(weak) != withoutDigits(name))
          return id;
      }
    }
    return {};
  }
  /// Whether a weak definition is at its address. Bit 0 may say how its code is
  /// encoded.
  bool isDefault(const Symbol &s) const { return places.contains(placeOf(s)); }
  /// Whether the name's first word begins other names of its file, without an
  /// affix.
  bool isFashionOfFile(const Symbol &s) {
    const auto [it, isNew] = words.try_emplace(s.file);
    if (isNew)
      for (const ParsedSymbol &other : program.files[s.file].object->symbols)
        if (other.place == SymbolPlace::Section &&
            other.type == ELF::STT_FUNC && affixOf(other.name).empty())
          it->second.insert(firstWord(other.name));
    const StringRef word = firstWord(s.name);
    return !word.empty() && it->second.contains(word);
  }

private:
  static constexpr size_t kLongest = 100;
  /// So many weak definitions in one section are a table, whatever its name.
  static constexpr size_t kTable = 8;

  static std::pair<SectionId, uint64_t> placeOf(const Symbol &s) {
    return {s.section, s.value & ~uint64_t(1)};
  }
  /// "TIM" and "ler" of TIM1_IRQHandler.
  static std::array<uint32_t, 2> endsOf(StringRef name) {
    const auto number = [](StringRef three) {
      return uint32_t(uint8_t(three[0])) | uint32_t(uint8_t(three[1])) << 8 |
             uint32_t(uint8_t(three[2])) << 16;
    };
    return {number(name.take_front(3)), number(name.take_back(3)) | uint32_t(1)
                                                                        << 24};
  }

  /// "HAL_" of HAL_UART_Init; "": it is one word.
  static StringRef firstWord(StringRef name) {
    return name.take_front(name.find('_', 1) + 1);
  }
  void findAffixes(ArrayRef<SymbolId> table) {
    StringMap<size_t> first, last;
    for (SymbolId id : table) {
      const StringRef name = program.symbols[id].name;
      const size_t front = name.find('_', name.find_first_not_of('_')),
                   back = name.rfind('_');
      if (front != StringRef::npos)
        ++first[name.take_front(front + 1)];
      if (back != StringRef::npos)
        ++last[name.drop_front(back)];
    }
    const auto keep = [&](const StringMap<size_t> &counts,
                          std::vector<std::string> &affixes) {
      for (const auto &entry : counts)
        if (entry.second >= 3 && entry.second * 2 >= table.size() &&
            entry.first().size() > 3)
          affixes.push_back(entry.first().str());
    };
    keep(first, prefixes);
    keep(last, suffixes);
  }
};

} // namespace

void checkMisspeltHandlers(const FinishedLink &finished, Findings &found) {
  const Handlers &handlers = finished.handlers();
  const Program &program = handlers.program;
  if (handlers.weak.empty())
    return;
  Spellings spellings(handlers);
  std::vector<Counterpart> list;
  for (SymbolId id : program.symbols.ids()) {
    const Symbol &s = program.symbols[id];
    if (!handlers.isFunction(s) || isMangled(s.name) ||
        !program.files[s.file].object->archive.empty() ||
        spellings.isDefault(s))
      continue;
    const SymbolId near = spellings.nearTo(s.name);
    const StringRef affix = spellings.affixOf(s.name);
    if (near != kNone || (!affix.empty() && !spellings.isFashionOfFile(s)))
      list.push_back({id, near});
  }
  handlers.eraseMentioned(list);
  for (const Counterpart &c : list)
    found.add([&] {
      Message m{"'" + handlers.definition(c.function) +
                " is never called: nothing refers to it"};
      if (c.weak == kNone) {
        m.text += ", and no interrupt of this vector table has that name";
        m.notes = {"name it as the table does, or drop it"};
      } else {
        m.text += ", and the weak default '" +
                  program.shownName(program.symbols[c.weak].name) +
                  "' stays in use";
        m.notes = {handlers.use(c.weak),
                   "did you mean '" +
                       program.shownName(program.symbols[c.weak].name) + "'?"};
      }
      return m;
    });
}

} // namespace xlink
