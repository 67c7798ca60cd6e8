//===- TypeReport.cpp - the types that objects state ----------------------===//
//
// Problem: objects that were compiled against different headers link without a
// word and fail at run time. Compilers state the type of each symbol in every
// object that defines or uses it, so that the linker can compare.
//
// Method: the definition's type counts, or the first where the definition has
// none. Every other spelling of it is decoded and compared once. Equal strings,
// which nearly all are, cost one look into a hash table.
//
// Cost: linear in the strings.
//
//===----------------------------------------------------------------------===//
#include "input/TypeString.h"
#include "report/Reports.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

using namespace llvm;

namespace xlink {

/// So many contradictions are described, the others counted.
static constexpr unsigned kMostTypeConflicts = 100;
/// Longer declarations are cut off in messages.
static constexpr size_t kMostText = 2000;

namespace {

/// A stated type, decoded.
struct StatedType {
  FileId file;
  const TypeEntry *entry;
  TypeString::Fault fault = {};
  std::optional<TypeString> type = TypeString::parse(entry->type, fault);

  std::string faultText() const {
    return "malformed at offset " + std::to_string(fault.offset) + ": " +
           fault.text;
  }
  std::string text() const {
    return printable(type ? type->declare(entry->name)
                          : entry->name.str() + ": \"" + entry->type.str() +
                                "\"");
  }
  /// "a.o: int f(int)"
  std::string note(const Program &program) const {
    std::string words = text();
    if (words.size() > kMostText)
      words = words.substr(0, kMostText) + " ...";
    return program.fileName(file) + ": " + words +
           (type ? "" : " (" + faultText() + ")");
  }
};

} // namespace

template <typename Fn> static void forEachType(const Program &program, Fn fn) {
  for (FileId f : program.files.ids())
    for (const TypeEntry &entry : program.files[f].object->types)
      fn(f, entry);
}

/// Warns of two types of one symbol.
static void reportTypes(const Program &program, SymbolId id,
                        const StatedType &first, const StatedType &second,
                        Diagnostics &diag) {
  // Mixed C and XC, and old prototypes, differ without being wrong: a group of
  // their own can be disabled.
  const bool both = first.type && second.type;
  const bool agree = both && first.type->agrees(*second.type);
  std::vector<std::string> notes = {first.note(program), second.note(program)};
  if (both && first.type->differsInBounds(*second.type))
    notes.push_back("an array's bound is passed with it by one, not by the "
                    "other");
  const std::string name = program.shownName(program.symbols[id].name);
  if (agree)
    diag.warn(WarningGroup::TypeSpelling,
              "objects state the type of '" + name + "' in different ways",
              std::move(notes));
  else
    diag.warn(WarningGroup::Types,
              "objects state different types for '" + name + "'",
              std::move(notes));
}

void checkTypes(const Program &program, Diagnostics &diag) {
  DenseMap<SymbolId, SymbolId> functions; // by the code in their place
  for (const Thunk &thunk : program.thunks)
    functions[thunk.symbol] = thunk.callee;
  auto globalOf = [&](FileId file, const TypeEntry &entry) -> SymbolId {
    if (entry.symbol == 0)
      return kNone;
    const SymbolId id =
        program.symbolIds[program.files[file].symbolBase + entry.symbol];
    const auto it = functions.find(id);
    return it == functions.end() ? id : it->second;
  };
  // The type that counts for each symbol: of its definition or the first.
  DenseMap<SymbolId, std::pair<FileId, const TypeEntry *>> references;
  DenseSet<SymbolId> defined;
  forEachType(program, [&](FileId file, const TypeEntry &entry) {
    const SymbolId id = globalOf(file, entry);
    if (id == kNone)
      return;
    const auto it = references.try_emplace(id, std::pair(file, &entry)).first;
    const Symbol &symbol = program.symbols[id];
    if (symbol.file == file && symbol.isDefined() && defined.insert(id).second)
      it->second = {file, &entry};
  });
  DenseMap<SymbolId, StatedType> decoded;
  DenseSet<std::pair<SymbolId, StringRef>> seen;
  uint64_t conflicts = 0;
  forEachType(program, [&](FileId file, const TypeEntry &entry) {
    const SymbolId id = globalOf(file, entry);
    if (id == kNone)
      return;
    const auto [from, reference] = references.find(id)->second;
    if (entry.type == reference->type || !seen.insert({id, entry.type}).second)
      return;
    const StatedType &first =
        decoded.try_emplace(id, StatedType{from, reference}).first->second;
    const StatedType second{file, &entry};
    // C and XC have different words for one thing, and callers that pass
    // another number of arguments get code between them and the function.
    if (first.type && second.type && first.type->saysTheSame(*second.type))
      return;
    if (conflicts++ < kMostTypeConflicts)
      reportTypes(program, id, first, second, diag);
  });
  if (conflicts > kMostTypeConflicts)
    diag.warn(WarningGroup::Types,
              countOf(conflicts - kMostTypeConflicts, "more type that differs",
                      "more types that differ"));
}

std::string typesText(const Program &program, Diagnostics &diag) {
  std::string text;
  forEachType(program, [&](FileId file, const TypeEntry &entry) {
    const StatedType stated{file, &entry};
    text += program.fileName(file) + ": " + stated.text() + "\n";
    if (!stated.type)
      diag.warn(WarningGroup::Types,
                program.fileName(file) + ":(" + entry.section.str() +
                    "): entry " + std::to_string(entry.entry) +
                    ": the type of '" + program.shownName(entry.name) +
                    "' is " + stated.faultText());
  });
  return text;
}

} // namespace xlink
