//===- Handlers.h - weak defaults that stay in use ------------------------===//
#ifndef XLINK_CHECKS_HANDLERS_H
#define XLINK_CHECKS_HANDLERS_H

#include "checks/CheckTable.h"
#include "checks/ReferredSymbols.h"

namespace xlink {

/// A function, and the weak definition in its place.
struct Counterpart {
  SymbolId function, weak = {}; ///< kNone: it only bears the affix
};

/// The weak definitions in use; one for all checks of handlers.
struct Handlers {
  const FinishedLink &finished;
  const Link &link = finished.link;
  const Program &program = link.program;
  std::vector<SymbolId> weak{}; ///< in use

  explicit Handlers(const FinishedLink &finished);
  /// The references to a weak definition.
  llvm::ArrayRef<ReferringPlace> usesOf(SymbolId id) const {
    return finished.references().of(id);
  }
  /// Whether it is a function of an object's, not weak, and no other file
  /// refers to it.
  bool isFunction(const Symbol &s) const;
  /// Removes counterparts that something may use.
  void eraseMentioned(std::vector<Counterpart> &list) const;
  /// "NAME' of FILE:(SECTION)": a message's text behind its first quote.
  std::string definition(SymbolId id) const;
  /// "referred to by FILE:(SECTION)".
  std::string use(SymbolId weak) const {
    return "referred to by " + placeOf(program, usesOf(weak).front());
  }

private:
  void addIfUsed(SymbolId id);
  void addProvided(SymbolId id, SymbolId as);
};

/// Whether a section is called like an interrupt table.
bool isNamedLikeTable(const Program &program, SectionId id);

} // namespace xlink
#endif
