//===- OfferedNames.cpp - symbols of names that indices offered -----------===//
//
// Problem: names that only indices offer are no symbols. One that something
// mentions after its offer must be the symbol that it would have been, had the
// offer entered it: with the first offer's member to define it, and with the
// offer's place in the order of symbols, which maps, messages, COMMON symbols
// and the output's symbol table keep to.
//
// Method: a clock ticks at each offer and each first mention. Who enters a new
// name asks Offers for it; if an index has had its turn with it, the symbol's
// moment is that of the offer. Offers follow each other without a mention
// between them but where a member came in, so their moments are a few runs of
// numbers. In the end the symbols with such moments are sorted and merged with
// the others, which are in order already, and all get the numbers of that
// order.
//
// Cost: a probe for each symbol that is new behind the first index; sorting
// those that were offered, and one pass over the symbols and references behind
// that index.
//
//===----------------------------------------------------------------------===//
#include "resolve/Resolver.h"
#include "resolve/ScriptSymbols.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace xlink {

/// The moment at which an offer had its turn.
uint32_t Resolver::momentOf(uint32_t offer) const {
  const auto &[first, moment] =
      *std::prev(upper_bound(turns, offer, [](uint32_t n, const auto &turn) {
        return n < turn.first;
      }));
  return moment + (offer - first);
}

/// The symbol of a name. A new one is as the offers so far have left it.
SymbolId Resolver::enter(StringRef name, uint64_t hash) {
  const size_t known = program.symbols.size();
  const SymbolId id = program.symbols.insert(name, hash);
  if (offered == 0 || id.index() < known)
    return id;
  // Also of a name that no index offers: kNone is the largest number.
  const uint32_t offer = offers.find(name, hash);
  if (offer >= offered)
    return id;
  Symbol &s = program.symbols[id];
  s.kind = SymbolKind::Lazy;
  s.index = uint32_t(providers.size());
  s.order = momentOf(offer);
  providers.push_back({offers.inputOf(offer), offers[offer].member});
  late.push_back(id);
  return id;
}

SymbolId Resolver::enter(StringRef name) {
  return enter(name, xxh3_64bits(name));
}

/// The symbol of a name that something has mentioned or offered, or kNone.
SymbolId Resolver::lookUp(StringRef name) {
  const uint64_t hash = xxh3_64bits(name);
  const SymbolId id = program.symbols.find(name, hash);
  return id == kNone && offers.find(name, hash) < offered ? enter(name, hash)
                                                          : id;
}

/// Names that later phases enter or ask for, whatever mentions them: they have
/// their places among the others if an index offers them.
void Resolver::lookUpLaterNames() {
  if (offered == 0)
    return;
  forEachAssignedName(program, [&](StringRef name) { lookUp(name); });
  for (StringRef name : program.symbolOrder)
    lookUp(name);
}

/// Numbers the symbols behind the first index by the moments at which offers
/// or inputs first said their names.
void Resolver::renumberLate() {
  const SymbolTable &symbols = program.symbols;
  llvm::sort(late, [&](SymbolId a, SymbolId b) {
    return symbols[a].order < symbols[b].order;
  });
  const uint32_t first = firstLate.index();
  std::vector<SymbolId> newIds(symbols.size() - first);
  IdSet<SymbolId> isLate(symbols.size());
  for (SymbolId id : late)
    isLate.insert(id);
  SymbolId next = firstLate;
  auto take = [&](SymbolId id) {
    newIds[id.index() - first] = next;
    ++next;
  };
  // The others were entered at the moment of their mention, or, without one,
  // when all offers had been made.
  auto offer = late.begin();
  for (SymbolId id(first); id.index() < symbols.size(); ++id) {
    if (isLate.contains(id))
      continue;
    while (offer != late.end() && symbols[*offer].order < symbols[id].order)
      take(*offer++);
    take(id);
  }
  while (offer != late.end())
    take(*offer++);

  program.symbols.renumber(firstLate, newIds);
  auto change = [&](SymbolId &id) {
    if (id != kNone && id >= firstLate)
      id = newIds[id.index() - first];
  };
  if (firstLateFile < program.files.next())
    for (SymbolId &id :
         drop_begin(program.symbolIds, program.files[firstLateFile].symbolBase))
      change(id);
  for (auto *inclusions : {&program.inclusions, &program.lazyInclusions})
    for (Inclusion &inclusion : *inclusions)
      change(inclusion.symbol);
  change(program.entrySymbol);
}

/// Numbers symbols, and ranks their mentions, as if each offer of an index had
/// entered its name in its turn.
void Resolver::numberAsOffered() {
  if (offered == 0)
    return;
  if (!late.empty())
    renumberLate();
  // Until then every moment was that of one symbol.
  std::vector<std::pair<uint32_t, SymbolId>> mentions;
  mentions.reserve(program.symbols.size() - firstMoment);
  for (SymbolId id : program.symbols.ids())
    if (const uint32_t order = program.symbols[id].order;
        order != kNone && order >= firstMoment)
      mentions.push_back({order, id});
  if (!llvm::is_sorted(mentions))
    llvm::sort(mentions);
  uint32_t rank = firstMoment;
  for (const auto &[order, id] : mentions)
    program.symbols[id].order = rank++;
}

} // namespace xlink
