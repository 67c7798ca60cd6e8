//===- Handlers.cpp - weak defaults that stay in use ----------------------===//
//
// Problem: start-up code has a weak handler for each interrupt, an endless
// loop; the program defines the same name, and its definition wins. Where it
// does not, the first interrupt ends in the loop, and the program hangs:
//
//   mangled-handler      The program's handler is written in C++ without extern
//                        "C": its symbol is _Z15SysTick_Handlerv.
//   misspelt-handler     Its name is one or two letters away, or is that of
//                        another processor's interrupt.
//   weak-before-archive  It is in an archive: a weak definition satisfies all
//                        references, and no member is taken.
//
// Method: of the weak definitions that code or data refers to
// (ReferredSymbols), and of names that the script PROVIDEs as a function, those
// with such a counterpart. A counterpart is a function that no relocation and
// no other file refers to, so that nothing can call it. Near names have at most
// two edits, one of them of no digit: numbered names differ by design. The
// affix of handlers (_IRQHandler, isr_) is one that half of the weak
// definitions in a vector table have, and three at least. The resolver notes
// which archives offer a strong definition of a weak one's name.
//
// Silent: functions at a weak default's address, in archives (they offer more
// than is used), in sections that KEEP names, and those with a name after the
// fashion of their file, as HAL_UART_IRQHandler beside HAL_UART_Init. An
// archive is silent about weak definitions of its own, and -l about those of
// another -l: the C library's parts are made so. A member whose other functions
// nothing calls is a driver that is not in use: its handler may stay out.
//
// Cost: a look at the script without weak definitions in use. With them a look
// at all symbols. A function that no other file refers to is looked up by both
// ends of its name, and compared with the weak names that have one of them,
// 200,000 comparisons at most.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "checks/ReferredSymbols.h"
#include "model/ScriptVisitor.h"
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

/// A function, and the weak definition in its place.
struct Counterpart {
  SymbolId function, weak = {}; ///< kNone: it only bears the affix
};

/// The weak definitions in use; one for all three checks.
struct Handlers {
  const FinishedLink &finished;
  const Link &link = finished.link;
  const Program &program = link.program;
  std::vector<SymbolId> weak{}; ///< in use

  explicit Handlers(const FinishedLink &finished) : finished(finished) {
    for (SymbolId id : program.weakDefinitions)
      addIfUsed(id);
    if (!program.builtinScript)
      forEachCommand(program.script, [&](const AssignmentCommand &a) {
        if (a.provide && a.value->kind == ExprKind::Symbol)
          addProvided(program.symbols.find(a.name),
                      program.symbols.find(a.value->name));
      });
  }
  /// The references to a weak definition.
  ArrayRef<ReferringPlace> usesOf(SymbolId id) const {
    return finished.references().of(id);
  }

  /// Whether it is a function of an object's, not weak, and no other file
  /// refers to it.
  bool isFunction(const Symbol &s) const {
    return !s.referenced && s.kind == SymbolKind::Defined &&
           s.binding == ELF::STB_GLOBAL && s.section != kNone &&
           program.sections[s.section].parsed &&
           (s.type == ELF::STT_FUNC || s.type == ELF::STT_NOTYPE) &&
           (program.sections[s.section].parsed->flags & ELF::SHF_EXECINSTR);
  }
  /// Removes counterparts that something may use.
  void eraseMentioned(std::vector<Counterpart> &list) const {
    if (list.empty())
      return;
    IdSet<SymbolId> candidates(program.symbols.size());
    for (const Counterpart &c : list)
      candidates.insert(c.function);
    const IdSet<SymbolId> used = mentioned(program, candidates);
    llvm::erase_if(list, [&](const Counterpart &c) {
      const Symbol &s = program.symbols[c.function];
      return used.contains(c.function) || c.function == program.entrySymbol ||
             link.placement.sections[s.section].keep;
    });
  }
  std::string definition(SymbolId id) const {
    const Symbol &s = program.symbols[id];
    if (s.kind != SymbolKind::Defined)
      return program.shownName(s.name) + "' that the script provides";
    return program.shownName(s.name) + "' of " +
           program.place(s.section, s.value) +
           program.atLine(s.section, s.value);
  }
  std::string use(SymbolId weak) const {
    return "referred to by " + placeOf(program, usesOf(weak).front());
  }

private:
  void addIfUsed(SymbolId id) {
    if (!usesOf(id).empty())
      weak.push_back(id);
  }
  /// PROVIDE(SysTick_Handler = Default_Handler) is a weak definition too.
  void addProvided(SymbolId id, SymbolId as) {
    if (id == kNone || as == kNone || link.definitionOf(as).section == kNone)
      return;
    const Symbol &s = program.symbols[id];
    const ParsedSection *code =
        program.sections[link.definitionOf(as).section].parsed;
    if (s.referenced && s.slot != kNone &&
        link.addresses.symbols[s.slot].provided && code &&
        (code->flags & ELF::SHF_EXECINSTR))
      addIfUsed(id);
  }
};

const Handlers &FinishedLink::handlers() const {
  if (!defaults)
    defaults = std::make_shared<const Handlers>(*this);
  return *defaults;
}

namespace {

/// The name of a mangled function of no class and no namespace, or "".
StringRef plainNameOf(StringRef mangled) {
  size_t length = 0;
  if (!mangled.consume_front("_Z") || mangled.consumeInteger(10, length) ||
      length > mangled.size())
    return "";
  return mangled.take_front(length);
}

/// Whether a section is called like an interrupt table.
bool isNamedLikeTable(const Program &program, SectionId id) {
  const StringRef name = program.sections[id].parsed->name;
  return isVectorTable(program, name) || isNamedLikeVectors(name);
}

/// A name without its digits.
std::string withoutDigits(StringRef name) {
  std::string rest;
  copy_if(name, std::back_inserter(rest), [](char c) { return !isDigit(c); });
  return rest;
}

} // namespace

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

namespace {

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

void checkWeakBeforeArchive(const FinishedLink &finished, Findings &found) {
  const Program &program = finished.link.program;
  for (const StrongOffer &offer : program.strongOffers) {
    const auto uses = finished.references().of(offer.symbol);
    if (uses.empty() ||
        (offer.hasOthers && all_of(uses, [&](const ReferringPlace &from) {
           return from.section != kNone &&
                  isNamedLikeTable(program, from.section);
         })))
      continue;
    const Handlers &handlers = finished.handlers();
    found.add([&] {
      return Message{
          "weak '" + handlers.definition(offer.symbol) +
              " stays in use: no reference takes " + printable(offer.member) +
              ", which has a strong definition",
          {handlers.use(offer.symbol), "link the member's object itself, or "
                                       "put --whole-archive in front of "
                                       "its archive"}};
    });
  }
}

} // namespace xlink
