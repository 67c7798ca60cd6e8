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
#include "report/TypeReport.h"
#include "input/TypeString.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

using namespace llvm;

namespace xlink {

namespace {

/// So many contradictions are described, the others counted.
constexpr unsigned kMostTypeConflicts = 100;
/// Longer declarations are cut off in messages.
constexpr size_t kMostText = 2000;

/// A stated type, decoded.
struct Stated {
  FileId file;
  const TypeEntry *entry;
  std::optional<TypeString> type;
  TypeString::Fault fault;

  Stated(FileId file, const TypeEntry &entry) : file(file), entry(&entry) {
    type = TypeString::parse(entry.type, fault);
  }
  std::string faultText() const {
    return "malformed at offset " + std::to_string(fault.offset) + ": " +
           fault.text;
  }
  std::string text() const {
    if (type)
      return printable(type->declare(entry->name));
    return printable(entry->name.str() + ": \"" + entry->type.str() + "\"");
  }
};

std::string shortened(std::string text) {
  if (text.size() > kMostText)
    text = text.substr(0, kMostText) + " ...";
  return text;
}

template <typename Fn> void forEachType(const Program &program, Fn fn) {
  for (FileId f : program.files.ids())
    for (const TypeEntry &entry : program.files[f].object->types)
      fn(f, entry);
}

} // namespace

void checkTypes(const Program &program, Diagnostics &diag) {
  DenseMap<SymbolId, SymbolId> functions; // by the code in their place
  for (const Thunk &thunk : program.thunks)
    functions[thunk.symbol] = thunk.callee;
  auto globalOf = [&](FileId file, const TypeEntry &entry) -> SymbolId {
    if (entry.symbol == 0)
      return kNone;
    const SymbolId id =
        program.symbolIds[program.files[file].symbolBase + entry.symbol];
    auto it = functions.find(id);
    return it == functions.end() ? id : it->second;
  };
  // What counts for each symbol.
  struct Reference {
    FileId file;
    const TypeEntry *entry;
    bool fromDefinition;
  };
  DenseMap<SymbolId, Reference> references;
  forEachType(program, [&](FileId file, const TypeEntry &entry) {
    SymbolId id = globalOf(file, entry);
    if (id == kNone)
      return;
    bool defines =
        program.symbols[id].file == file && program.symbols[id].isDefined();
    auto [it, isNew] =
        references.try_emplace(id, Reference{file, &entry, defines});
    if (!isNew && defines && !it->second.fromDefinition)
      it->second = {file, &entry, defines};
  });
  DenseMap<SymbolId, Stated> decoded;
  DenseSet<std::pair<SymbolId, StringRef>> seen;
  uint64_t conflicts = 0;
  forEachType(program, [&](FileId file, const TypeEntry &entry) {
    SymbolId id = globalOf(file, entry);
    if (id == kNone)
      return;
    const Reference &reference = references.find(id)->second;
    if (entry.type == reference.entry->type ||
        !seen.insert({id, entry.type}).second)
      return;
    const Stated &first =
        decoded.try_emplace(id, reference.file, *reference.entry).first->second;
    Stated second(file, entry);
    // C and XC have different words for one thing, and callers that pass
    // another number of arguments get code between them and the function.
    if (first.type && second.type && first.type->saysTheSame(*second.type))
      return;
    if (conflicts++ >= kMostTypeConflicts)
      return;
    // Mixed C and XC, and old prototypes, differ without being wrong: whoever
    // has much of that can be silent about it alone.
    bool agree = first.type && second.type && first.type->agrees(*second.type);
    std::vector<std::string> notes;
    for (const Stated *stated : {&first, (const Stated *)&second}) {
      std::string text =
          program.fileName(stated->file) + ": " + shortened(stated->text());
      notes.push_back(stated->type ? text
                                   : text + " (" + stated->faultText() + ")");
    }
    if (first.type && second.type && first.type->differsInBounds(*second.type))
      notes.push_back("an array's bound is passed with it by one, not by the "
                      "other");
    StringRef name = program.symbols[id].name;
    if (agree)
      diag.warn(WarningGroup::TypeSpelling,
                "objects state the type of '" + program.shownName(name) +
                    "' in different ways",
                std::move(notes));
    else
      diag.warn(WarningGroup::Types,
                "objects state different types for '" +
                    program.shownName(name) + "'",
                std::move(notes));
  });
  if (conflicts > kMostTypeConflicts)
    diag.warn(WarningGroup::Types,
              countOf(conflicts - kMostTypeConflicts, "more type that differs",
                      "more types that differ"));
}

std::string typesText(const Program &program, Diagnostics &diag) {
  std::string text;
  forEachType(program, [&](FileId file, const TypeEntry &entry) {
    Stated stated(file, entry);
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
