//===- OutputTraits.cpp - order, type and flags of output sections --------===//
//
// Problem: an output section is what its members are together, but for what the
// script says of it; and members that describe other sections stand in the
// order of those.
//
// Method: one look at each member. Flags add up, types must agree or become
// PROGBITS, what nobody can merge any more is not mergeable. Room that only dot
// makes is NOBITS, as with GNU ld.
//
// Cost: linear in members; sections with SHF_LINK_ORDER are sorted.
//
//===----------------------------------------------------------------------===//
#include "layout/Placement.h"
#include "layout/SectionTraits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

/// SHF_LINK_ORDER sections stand in the order of the sections they describe.
static void orderLinked(Link &link) {
  bool any = false;
  for (const OutputSection &out : link.outputs)
    for (SectionId id : out.members)
      any |= bool(link.sections[id].parsed->flags & ELF::SHF_LINK_ORDER);
  if (!any)
    return;
  std::vector<uint64_t> rank(link.sections.size(), ~uint64_t(0));
  uint64_t next = 0;
  for (const LayoutCommand &command : link.layout)
    if (command.output != kNone)
      for (SectionId id : link.outputs[command.output].members)
        rank[id] = next++;
  // A wrong sh_link (they exist) orders last and is no error.
  auto linkedTo = [&](SectionId id) -> SectionId {
    const InputSection &s = link.sections[id];
    if (!(s.parsed->flags & ELF::SHF_LINK_ORDER) || s.file == kNone)
      return kNone;
    uint32_t target = s.parsed->link;
    const InputFile &file = link.files[s.file];
    if (target == 0 || target >= file.object->sections.size())
      return kNone;
    return file.sectionBase + target;
  };
  for (OutputSection &out : link.outputs)
    for (OutputItem &item : out.items) {
      auto begin = out.members.begin() + item.begin;
      auto end = out.members.begin() + item.end;
      if (std::none_of(begin, end,
                       [&](SectionId id) { return linkedTo(id) != kNone; }))
        continue;
      std::stable_sort(begin, end, [&](SectionId a, SectionId b) {
        SectionId x = linkedTo(a), y = linkedTo(b);
        return (x == kNone ? ~uint64_t(0) : rank[x]) <
               (y == kNone ? ~uint64_t(0) : rank[y]);
      });
      if (out.link == kNone)
        for (auto it = begin; it != end && out.link == kNone; ++it)
          if (SectionId target = linkedTo(*it); target != kNone)
            out.link = link.sections[target].output;
    }
}

static uint32_t mergeTypes(uint32_t a, uint32_t b) {
  if (a == 0 || a == b)
    return b;
  return ELF::SHT_PROGBITS; // bytes of different kinds are just bytes
}

/// Whether the script puts bytes of its own into the section (BYTE ... ASCIZ).
static bool hasData(const OutputSection &out) {
  for (const OutputItem &item : out.items)
    if (item.command && item.command->kind == CommandKind::Data)
      return true;
  return false;
}

static bool isInitializerArray(uint32_t type) {
  return type == ELF::SHT_INIT_ARRAY || type == ELF::SHT_FINI_ARRAY ||
         type == ELF::SHT_PREINIT_ARRAY;
}

static void settleFlags(Link &link, OutputSection &out) {
  uint64_t flags = 0, mergeable = ELF::SHF_MERGE | ELF::SHF_STRINGS;
  uint64_t entsize = 0;
  bool first = true;
  for (SectionId id : out.members) {
    const InputSection &s = link.sections[id];
    if (!s.placed())
      continue;
    const ParsedSection &p = *s.parsed;
    out.type = mergeTypes(out.type, p.type);
    flags |= p.flags & ~uint64_t(ELF::SHF_GROUP | ELF::SHF_COMPRESSED |
                                 ELF::SHF_INFO_LINK | ELF::SHF_EXCLUDE |
                                 link.target->retainFlag |
                                 link.target->removablePieceFlag);
    mergeable &= p.flags;
    if (!(p.flags & ELF::SHF_MERGE) || (!first && p.entsize != entsize))
      mergeable = 0;
    entsize = p.entsize;
    first = false;
  }
  flags &= ~uint64_t(ELF::SHF_MERGE | ELF::SHF_STRINGS);
  if (!first && (mergeable & ELF::SHF_MERGE)) {
    flags |= mergeable;
    out.entsize = entsize;
  }
  if (out.link == kNone)
    flags &= ~uint64_t(ELF::SHF_LINK_ORDER);
  out.flags = flags;
  // Room that a moving dot reserves (a heap, a stack) takes no bytes of a file.
  if (out.type == 0)
    out.type = StringRef(out.name).contains(".bss") ||
                       (movesDot(out) && !link.target->gapSectionsHaveBytes)
                   ? ELF::SHT_NOBITS
                   : ELF::SHT_PROGBITS;

  if (out.type == ELF::SHT_NOBITS && hasData(out))
    out.type = ELF::SHT_PROGBITS;
  // An array of initialisers is one whatever is in it (GNU ld), also .ctors.
  if (const uint32_t named = typeByName(out.name);
      out.type == ELF::SHT_PROGBITS && isInitializerArray(named))
    out.type = named;
  // A section that only its script fills is read-only data (GNU ld); one that
  // only moves dot is room for data.
  if (first && !hasData(out))
    out.flags |= ELF::SHF_ALLOC | ELF::SHF_WRITE;
  else if (hasData(out))
    out.flags |= ELF::SHF_ALLOC;
  if (!out.command)
    return;
  if (out.command->typeValue &&
      out.command->typeValue->kind == ExprKind::Number) // else: evaluated later
    out.type = uint32_t(out.command->typeValue->number);
  switch (out.command->type) {
  case OutputType::NoLoad:
    out.noload = true;
    out.type = ELF::SHT_NOBITS;
    break;
  case OutputType::DSect:
  case OutputType::Copy:
  case OutputType::Info:
  case OutputType::Overlay:
    out.addressed = out.isAlloc();
    out.flags &= ~uint64_t(ELF::SHF_ALLOC);
    break;
  case OutputType::ReadOnly:
    out.flags &= ~uint64_t(ELF::SHF_WRITE);
    break;
  case OutputType::Normal:
    break;
  }
}

void finishOutputs(Link &link) {
  orderLinked(link);
  for (OutputSection &out : link.outputs)
    settleFlags(link, out);
  if (!link.config.nonContiguousRegions)
    return;
  // What a section would hold if everything that matches went there decides
  // whether it has bytes (GNU ld).
  TraitGatherer gatherer(link);
  for (OutputId id = 0; id < link.outputs.size(); ++id) {
    OutputSection &out = link.outputs[id];
    if (out.type == ELF::SHT_NOBITS && gatherer.gather(id).traits & HasContents)
      out.type = ELF::SHT_PROGBITS;
  }
}

} // namespace xlink
