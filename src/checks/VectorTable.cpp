//===- VectorTable.cpp - interrupt tables that cannot be found ------------===//
//
// The register that holds the address of the interrupt table ignores its low
// bits. A table at another address than a multiple of its size, rounded up to a
// power of two, works for the first entries or not at all: the processor takes
// handlers from in front of it. It often begins with a boot loader that moves
// the program by a few hundred bytes.
//
// The machine says which sections are tables, and perhaps a smaller alignment
// (`vectors` in a machine file); other machines are silent, and programs with
// room for a copy in RAM. A table may be in several input sections that follow
// each other.
//
// Cost: a look at the name of each input section, for machines with tables.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace xlink {

bool isVectorTable(const Program &program, StringRef section) {
  return any_of(program.target->vectors, [&](const char *pattern) {
    return globMatch({pattern, /*wild=*/true}, section);
  });
}

/// Whether there is room in RAM for a copy, at an address that can be held: the
/// program moves its table.
static bool isMoved(const Link &link, Size size, uint64_t align) {
  return any_of(link.outputs(), [&](const OutputView &out) {
    return out.occupies() && (out.flags & ELF::SHF_WRITE) && out.size >= size &&
           isNamedLikeVectors(out.name) &&
           out.address.alignedDown(align) == out.address;
  });
}

void checkVectorAlignment(const FinishedLink &finished, Findings &found) {
  const Link &link = finished.link;
  const Target &target = *link.program.target;
  if (target.vectors.empty())
    return;
  const auto isPart = [&](SectionId id) {
    return link.placed(id) && link.sizeOf(id) != 0 &&
           isVectorTable(link.program, link.program.sections[id].parsed->name);
  };
  for (const OutputView &out : link.outputsInOrder()) {
    if (!out.occupies())
      continue;
    for (size_t i = 0; i < out.members.size(); ++i) {
      const SectionId first = out.members[i];
      if (!isPart(first))
        continue;
      const Address begin = link.addressOf(first);
      Address end = begin;
      for (; i < out.members.size() && isPart(out.members[i]); ++i)
        end = link.addressOf(out.members[i]) + link.sizeOf(out.members[i]);
      const uint64_t align =
          target.vectorAlign
              ? target.vectorAlign
              : PowerOf2Ceil(std::max<uint64_t>(
                    std::min<uint64_t>(end.sizeFrom(begin), uint64_t(1) << 63),
                    target.word));
      if (begin.alignedDown(align) == begin ||
          isMoved(link, end.sizeFrom(begin), align))
        continue;
      found.add([&] {
        return Message{
            link.program.sectionName(first) + ", an interrupt table of " +
                std::to_string(end.sizeFrom(begin)) + " bytes, is at " +
                hex(begin) + ", which is no multiple of " +
                std::to_string(align) +
                ": the processor takes handlers from another place",
            {"write '. = ALIGN(" + std::to_string(align) +
             ");' in front of it, or move the region's ORIGIN"}};
      });
    }
  }
}

} // namespace xlink
