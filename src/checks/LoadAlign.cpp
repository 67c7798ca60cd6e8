//===- LoadAlign.cpp - initial values at odd addresses --------------------===//
//
// Where the size in front is no multiple of 4, `> RAM AT> FLASH` stores initial
// values at an address from which some processors cannot copy words.
//
// Silent: neither the script nor a symbol tells the load address, or memcpy
// copies from it.
//
// Cost: with a section at such an address a sort of all symbols' values.
//
//===----------------------------------------------------------------------===//
#include "checks/Copies.h"
#include "layout/Checks.h"
#include "model/ScriptVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace xlink {

namespace {

/// The load addresses that start-up code can know: the script reads LOADADDR,
/// or a symbol has that value. --init-tables checks its sections.
class KnownLoads {
public:
  explicit KnownLoads(const FinishedLink &finished)
      : values(finished.values.globals.begin(), finished.values.globals.end()) {
    forEachCommand(
        finished.link.program.script, [&](const ScriptCommand &command) {
          forEachExpression(command, [&](const Expr &root, ExprRole) {
            forEachNode(&root, [&](const Expr &e) {
              if (e.kind == ExprKind::LoadAddr)
                names.insert(e.name);
            });
          });
        });
    llvm::sort(values);
  }
  bool has(const OutputView &out) const {
    return names.contains(out.name) ||
           std::binary_search(values.begin(), values.end(),
                              out.loadAddress.wrapped());
  }

private:
  std::vector<uint64_t> values; ///< of symbols
  StringSet<> names;            ///< of output sections
};

} // namespace

/// Whether all code that refers to a section's load address calls memcpy or the
/// like: that copies from any address.
static bool isCopiedByLibrary(const FinishedLink &finished,
                              const OutputView &out) {
  const ReferredSymbols &references = finished.references();
  const uint64_t load = out.loadAddress.wrapped();
  bool any = false;
  for (const ReferredMark &m : references.marksIn(load, load + 1)) {
    if (m.symbol == kNone)
      return false;
    for (const ReferringPlace &from : references.of(m.symbol)) {
      any = true;
      if (!callsLibrary(finished.link.program, from.section))
        return false;
    }
  }
  return any;
}

void checkLoadAlignment(const FinishedLink &finished, Findings &found) {
  const Link &link = finished.link;
  std::optional<KnownLoads> known; // made when the first section needs it
  for (const OutputView &out : link.outputsInOrder()) {
    // Start-up code copies words: larger alignments matter where the section
    // runs, not where it is stored.
    const uint64_t align =
        std::min<uint64_t>(out.align, link.program.target->word);
    // ALIGN_WITH_INPUT states how the load address is aligned.
    if (!isLoaded(out) || !out.command || out.command->alignWithInput ||
        out.loadAddress == out.address ||
        out.loadAddress.alignedDown(align) == out.loadAddress ||
        isReadInPlace(link, out))
      continue;
    if (!known)
      known.emplace(finished);
    if (!known->has(out) || isCopiedByLibrary(finished, out))
      continue;
    found.add([&] {
      const OutputId before = finished.copies().order.before(out);
      const std::string aligned = std::to_string(align);
      Message m{sectionText(out) + " is loaded at " + hex(out.loadAddress) +
                ", which is no multiple of " + aligned +
                ": start-up code that copies words may fault or copy "
                "shifted values"};
      std::string note = "write '" + out.name + " : ALIGN(" + aligned + ")'";
      if (before != kNone)
        note += ", or end '" + link.output(before).name + "' with '. = ALIGN(" +
                aligned + ");'";
      m.notes.push_back(std::move(note));
      return m;
    });
  }
}

} // namespace xlink
