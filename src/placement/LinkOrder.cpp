//===- LinkOrder.cpp - SHF_LINK_ORDER -------------------------------------===//
//
// Problem: a section that describes another one by SHF_LINK_ORDER is in the
// output only with that, and such sections have the order of the described ones
// (gABI, "Section Attribute Flags").
//
// Method: each pass that takes sections out of the output removes their
// dependents afterwards. The order is first that of the script, and in the end
// that of addresses: the rank of every section, then one sort of each
// statement's members. Members that describe no section stand in front of them
// (GNU ld).
//
// Cost: nothing without such sections; else one look at each section.
//
//===----------------------------------------------------------------------===//
#include "placement/Placement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <set>

using namespace llvm;

namespace xlink {

SectionId linkedTo(const Program &program, SectionId id) {
  const InputSection &s = program.sections[id];
  if (!(s.parsed->flags & ELF::SHF_LINK_ORDER) || s.file == kNone)
    return kNone;
  const uint32_t target = program.moreOf(id).link;
  const InputFile &file = program.files[s.file];
  if (target == 0 || target >= file.object->sections.size() ||
      file.object->sections[target].kind != SectionKind::Regular)
    return kNone;
  return file.sectionBase + target;
}

bool anyLinked(const Placement &placement) {
  return any_of(placement.classes, [](const SectionClass &c) {
    return c.flags & ELF::SHF_LINK_ORDER;
  });
}

void removeMembers(OutputSection &out, function_ref<bool(SectionId)> goes) {
  std::vector<SectionId> rest;
  for (OutputItem &item : out.items) {
    const uint32_t begin = uint32_t(rest.size());
    for (uint32_t i = item.begin; i < item.end; ++i)
      if (!goes(out.members[i]))
        rest.push_back(out.members[i]);
    item.begin = begin;
    item.end = uint32_t(rest.size());
  }
  out.members = std::move(rest);
}

std::vector<OutputId> dropDependents(const Program &program,
                                     Placement &placement,
                                     function_ref<bool(SectionId)> alsoGone) {
  if (!anyLinked(placement))
    return {};
  auto gone = [&](SectionId id) {
    return placement.sections[id].discarded || (alsoGone && alsoGone(id));
  };
  enum Fate : uint8_t { Unknown, Stays, Goes };
  IdVector<SectionId, uint8_t> fates(program.sections.size());
  std::set<OutputId> changed;
  std::vector<SectionId> chain;
  for (SectionId id : program.sections.ids(1)) {
    chain.clear();
    SectionId target = id;
    while (target != kNone && program.sections[target].parsed &&
           fates[target] == Unknown && !gone(target)) {
      fates[target] = Stays; // unless the end of the chain says more
      chain.push_back(target);
      target = linkedTo(program, target);
    }
    if (target == kNone || (fates[target] != Goes && !gone(target)))
      continue;
    for (SectionId dependent : chain) {
      fates[dependent] = Goes;
      SectionPlace &place = placement.sections[dependent];
      place.discarded = true;
      if (place.output != kNone)
        changed.insert(place.output);
    }
  }
  for (OutputId id : changed)
    removeMembers(placement.outputs[id], [&](SectionId member) {
      return placement.sections[member].discarded;
    });
  return {changed.begin(), changed.end()};
}

bool orderLinked(const Program &program, Placement &placement,
                 ArrayRef<OutputId> outputs) {
  if (!anyLinked(placement))
    return false;
  IdVector<SectionId, uint64_t> rank(placement.sections.size());
  uint64_t next = 1;
  for (OutputId id : outputs)
    for (SectionId member : placement.outputs[id].members)
      rank[member] = next++;
  auto rankOf = [&](SectionId id) {
    const SectionId target = linkedTo(program, id);
    return target == kNone ? 0 : rank[target];
  };
  auto before = [&](SectionId a, SectionId b) { return rankOf(a) < rankOf(b); };
  bool changed = false;
  for (OutputSection &out : placement.outputs)
    for (const OutputItem &item : out.items) {
      const auto begin = out.members.begin() + item.begin;
      const auto end = out.members.begin() + item.end;
      if (std::is_sorted(begin, end, before))
        continue;
      std::stable_sort(begin, end, before);
      changed = true;
    }
  return changed;
}

} // namespace xlink
