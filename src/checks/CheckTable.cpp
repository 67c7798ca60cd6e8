//===- CheckTable.cpp -----------------------------------------------------===//
#include "checks/CheckTable.h"
#include "checks/ReferredSymbols.h"
#include "placement/SectionTraits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

void Findings::report(WarningGroup group, bool isError, StringRef things,
                      Diagnostics &diag) {
  if (count == 0)
    return;
  if (count > 1)
    first.notes.push_back("and " + std::to_string(count - 1) + " more " +
                          things.str());
  if (isError)
    diag.error(group, std::move(first));
  else
    diag.warn(group, std::move(first.text), std::move(first.notes));
}

const ReferredSymbols &FinishedLink::references() const {
  if (!index)
    index = std::make_shared<const ReferredSymbols>(link, values);
  return *index;
}

bool isLoaded(const OutputView &out) {
  return out.occupies() && !out.isNoBits() && !out.noload &&
         (out.traits & Load);
}

bool isReadInPlace(const Link &link, const OutputView &out) {
  if (out.flags & ELF::SHF_WRITE)
    return false;
  if (out.region == kNone)
    return true;
  const MemoryCommand &m = link.program.script.memory[out.region.index()];
  return m.hasAttributes && !(m.flags & ELF::SHF_WRITE);
}

bool isFilledAtStart(const OutputView &out) {
  return out.occupies() && !out.noload && !out.overlay &&
         !StringRef(out.name).contains("noinit") &&
         (out.isNoBits() ? (out.flags & ELF::SHF_WRITE) != 0
                         : out.loadAddress != out.address);
}

bool takesMemory(const InputSection &section) {
  return section.parsed && section.file != kNone && !section.discarded &&
         (section.parsed->flags & ELF::SHF_ALLOC) &&
         section.parsed->size != 0 && section.parsed->type != ELF::SHT_NOTE;
}

std::string trapsText() {
  std::string text;
  for (const LinkCheck &check : kChecks) {
    text += std::string(warningGroupName(check.group)) +
            (check.isError() ? " (error): " : ": ") + check.sentence + "\n";
    if (*check.reports)
      text += std::string("    reports: ") + check.reports + "\n";
  }
  return text;
}

void runChecks(const FinishedLink &finished, Diagnostics &diag) {
  const Config &config = finished.link.program.config;
  for (const LinkCheck &check : kChecks) {
    const bool isError =
        check.isError() ||
        is_contained(config.errorTraps, warningGroupName(check.group));
    if (diag.isDisabled(check.group) || (config.noWarnings && !isError))
      continue;
    Findings found;
    check.run(finished, found);
    found.report(check.group, isError, check.things, diag);
  }
}

} // namespace xlink
