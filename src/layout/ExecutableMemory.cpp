//===- ExecutableMemory.cpp - where code may stand ------------------------===//
//
// A machine declares its executable memory, its memory for data, and its
// processor's prefetch: so many bytes behind the last instruction must be
// readable as code, or fetching it fails. Undeclared memory executes no code
// either, but addresses without a region, from an option or in a script without
// MEMORY, are not checked there.
//
//===----------------------------------------------------------------------===//
#include "layout/ExecutableMemory.h"
#include "layout/Checks.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

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

static bool meets(const OutputView &out, Address begin, Address end) {
  return out.address < end && out.address + out.size > begin;
}

/// "section '.text' is at [0x1000, 0x1fff]"
static std::string placeText(const OutputView &out) {
  return "section '" + out.name + "' is at " +
         addressRange(out.address, out.size);
}

/// The first input section that ends behind an address.
static void noteFirstBeyond(const Link &link, const OutputView &out,
                            Address end, std::vector<std::string> &notes) {
  for (SectionId id : out.members) {
    if (!link.placed(id))
      continue;
    const Address at = link.addressOf(id);
    const Size size = link.sizeOf(id);
    if (size && at + size > end) {
      notes.push_back("the first section that reaches there: " +
                      link.program.sectionName(id) + " at " +
                      addressRange(at, size));
      return;
    }
  }
}

/// Code that begins in executable memory and ends too near to its end.
static Message prefetched(const Link &link, const OutputView &out,
                          const ExecutableRun &run) {
  const std::string bytes = std::to_string(link.program.target->prefetchBytes);
  std::vector<std::string> notes = {
      run.name + " ends at " + hex(run.end) + "; code may end at " +
      hex(run.codeEnd) + ", as the processor reads " + bytes + " bytes ahead"};
  noteFirstBeyond(link, out, run.codeEnd, notes);
  return {"code in the last " + bytes + " bytes of " + run.name + ": " +
              placeText(out),
          std::move(notes)};
}

/// Code in memory of which the machine says nothing.
static Message outside(const Link &link, const OutputView &out) {
  std::vector<std::string> notes;
  for (const MemoryRange &range : link.program.state.executable)
    notes.push_back(range.name + " is " +
                    addressRange(range.begin, range.end - range.begin));
  return {"code outside of executable memory: " + placeText(out),
          std::move(notes)};
}

void checkCode(const Link &link, Diagnostics &diag) {
  const TargetState &state = link.program.state;
  const auto [begin, end] = state.noCode;
  for (const OutputView &out : link.outputs()) {
    if (!out.occupies() || !(out.flags & ELF::SHF_EXECINSTR))
      continue;
    if (begin != end && meets(out, begin, end)) {
      diag.error([&, begin = begin, end = end] {
        return Message{
            "code in " + state.noCodeName + ": " + placeText(out),
            {state.noCodeName + " is " + addressRange(begin, end - begin)}};
      });
      continue;
    }
    if (state.executable.empty())
      continue;
    const std::optional<ExecutableRun> run =
        executableRun(link.program, out.address);
    if (run && out.address + out.size <= run->codeEnd)
      continue;
    if (run && out.address + out.size <= run->end) {
      diag.error([&] { return prefetched(link, out, *run); });
      continue;
    }
    const bool known = any_of(state.executable, [&](const MemoryRange &range) {
      return meets(out, range.begin, range.end);
    });
    const bool addressGiven =
        out.info.startOption != kNone || link.program.script.memory.empty();
    if (known || !addressGiven)
      diag.error([&] { return outside(link, out); });
  }
}

} // namespace xlink
