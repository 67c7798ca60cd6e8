//===- Regions.cpp --------------------------------------------------------===//
#include "layout/Regions.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

/// `w` stands for data: GNU ld's data, and all memory that is neither read-only
/// nor code.
bool attributesFit(const MemoryCommand &region, StringRef name,
                   uint32_t traits) {
  if (name == ".text" && traits)
    traits |= ReadOnly;
  if ((traits & (Alloc | ReadOnly | Code)) == Alloc)
    traits |= Data;
  uint64_t flags = 0;
  if (traits & Alloc)
    flags |= ELF::SHF_ALLOC;
  if (traits & Data)
    flags |= ELF::SHF_WRITE;
  if (traits & Code)
    flags |= ELF::SHF_EXECINSTR;
  const bool readOnly = traits & ReadOnly, loaded = traits & Load;
  const bool wanted = (flags & region.flags) ||
                      (region.wantReadOnly && readOnly) ||
                      (region.wantLoaded && loaded);
  const bool refused = (flags & region.negFlags) ||
                       (region.excludeReadOnly && readOnly) ||
                       (region.excludeLoaded && loaded);
  return region.hasAttributes && wanted && !refused;
}

RegionId regionByAttributes(const Script &script, StringRef name,
                            uint32_t traits) {
  for (size_t i = 0; i < script.memory.size(); ++i)
    if (attributesFit(script.memory[i], name, traits))
      return RegionId(i);
  return kNone;
}

std::optional<ExecutableRun> executableRun(const Program &program, Address at) {
  std::optional<ExecutableRun> run;
  for (const MemoryRange &range : program.state.executable) {
    if (!run || run->end != Address(range.begin)) {
      if (run && at < run->end)
        break;
      run = {Address(range.begin), Address(range.end), {}, range.name};
    }
    run->end = Address(range.end);
  }
  if (!run || at < run->begin || at >= run->end)
    return std::nullopt;
  const Size room = run->end.sizeFrom(run->begin);
  run->codeEnd =
      run->begin +
      (room - std::min<Size>(room, Size(program.target->prefetchBytes)));
  return run;
}

} // namespace xlink
