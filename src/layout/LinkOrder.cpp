//===- LinkOrder.cpp - SHF_LINK_ORDER -------------------------------------===//
//
// Problem: members that describe other sections stand in the order of those.
//
// Method: the rank of every section in the output, then one sort of each
// statement's members.
//
// Cost: nothing without such sections.
//
//===----------------------------------------------------------------------===//
#include "layout/Placement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

SectionId linkedTo(const Program &program, SectionId id) {
  const InputSection &s = program.sections[id];
  if (!(s.parsed->flags & ELF::SHF_LINK_ORDER) || s.file == kNone)
    return kNone;
  const uint32_t target = program.moreOf(id).link;
  const InputFile &file = program.files[s.file];
  if (target == 0 || target >= file.object->sections.size())
    return kNone;
  return file.sectionBase + target;
}

void orderLinked(const Program &program, Placement &placement) {
  if (none_of(placement.classes, [](const SectionClass &c) {
        return c.flags & ELF::SHF_LINK_ORDER;
      }))
    return;
  IdVector<SectionId, uint64_t> rank(placement.sections.size(), ~uint64_t(0));
  uint64_t next = 0;
  placement.forEachOutput([&](OutputId, const OutputSection &out) {
    for (SectionId id : out.members)
      rank[id] = next++;
  });
  auto rankOf = [&](SectionId id) {
    const SectionId target = linkedTo(program, id);
    return target == kNone ? ~uint64_t(0) : rank[target];
  };
  for (OutputSection &out : placement.outputs)
    for (const OutputItem &item : out.items) {
      auto begin = out.members.begin() + item.begin;
      auto end = out.members.begin() + item.end;
      if (std::any_of(begin, end, [&](SectionId id) {
            return linkedTo(program, id) != kNone;
          }))
        std::stable_sort(begin, end, [&](SectionId a, SectionId b) {
          return rankOf(a) < rankOf(b);
        });
    }
}

} // namespace xlink
