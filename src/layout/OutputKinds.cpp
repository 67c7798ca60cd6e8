//===- OutputKinds.cpp - type and flags of output sections ----------------===//
//
// Problem: an output section combines the properties of its members with those
// in the script.
//
// Method: one look at the class of each member. Flags add up, types must agree
// or become PROGBITS, contents that cannot be merged further are not mergeable.
// Room that only dot makes is NOBITS, as in GNU ld.
//
// Cost: linear in members.
//
//===----------------------------------------------------------------------===//
#include "layout/OutputKinds.h"
#include "placement/Placement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

static uint32_t mergeTypes(uint32_t a, uint32_t b) {
  if (a == 0 || a == b)
    return b;
  return ELF::SHT_PROGBITS; // bytes of different kinds are just bytes
}

static bool isInitializerArray(uint32_t type) {
  return type == ELF::SHT_INIT_ARRAY || type == ELF::SHT_FINI_ARRAY ||
         type == ELF::SHT_PREINIT_ARRAY;
}

/// The output section that the first of its SHF_LINK_ORDER members describes.
static OutputId describedOutput(const PartialLink &partial,
                                const OutputSection &out) {
  if (none_of(partial.placement.classes, [](const SectionClass &c) {
        return c.flags & ELF::SHF_LINK_ORDER;
      }))
    return kNone;
  for (const OutputItem &item : out.items)
    for (uint32_t i = item.begin; i < item.end; ++i)
      if (SectionId target = linkedTo(partial.program, out.members[i]);
          target != kNone && partial.placed(target))
        return partial.placement.sections[target].output;
  return kNone;
}

/// Flags for linkers, without a meaning in a program.
static uint64_t linkOnlyFlags(const Program &program) {
  const uint64_t ofFile = ELF::SHF_COMPRESSED | ELF::SHF_INFO_LINK;
  if (program.config.relocatable)
    return program.dissolvesGroups() ? ofFile | ELF::SHF_GROUP : ofFile;
  return ofFile | ELF::SHF_GROUP | ELF::SHF_EXCLUDE |
         program.target->retainFlag | program.target->removablePieceFlag;
}

/// The combined properties of the members; whether there are any.
static bool addMembers(const PartialLink &partial, const OutputSection &out,
                       OutputSectionInfo &info) {
  const uint64_t meaningless = linkOnlyFlags(partial.program);
  // Strings, constants and entries of other sizes are not mergeable together.
  constexpr uint64_t mergeFlags = ELF::SHF_MERGE | ELF::SHF_STRINGS;
  uint64_t flags = 0, mergeable = 0, entsize = 0;
  bool any = false, alike = true;
  uint32_t last = kNone; // a second section of a class changes nothing
  for (SectionId id : out.members) {
    const uint32_t index = partial.placement.sections[id].classIndex;
    if (index == last || !partial.placed(id))
      continue;
    last = index;
    const SectionClass &p = partial.placement.classes[index];
    info.type = mergeTypes(info.type, p.type);
    flags |= p.flags & ~meaningless;
    alike &=
        !any || ((p.flags & mergeFlags) == mergeable && p.entsize == entsize);
    mergeable = p.flags & mergeFlags;
    entsize = p.entsize;
    any = true;
  }
  flags &= ~mergeFlags;
  if (alike && (mergeable & ELF::SHF_MERGE)) {
    flags |= mergeable;
    info.entsize = entsize;
  }
  if (info.link == kNone)
    flags &= ~uint64_t(ELF::SHF_LINK_ORDER);
  info.flags = flags;
  return any;
}

/// The script's properties of the section, which override those of its members.
static void applyCommand(const OutputSectionCommand &command,
                         OutputSectionInfo &info) {
  if (command.typeValue &&
      command.typeValue->kind == ExprKind::Number) // else: evaluated later
    info.type = uint32_t(command.typeValue->number);
  switch (command.type) {
  case OutputType::NoLoad:
    info.noload = true;
    info.type = ELF::SHT_NOBITS;
    break;
  case OutputType::DSect:
  case OutputType::Copy:
  case OutputType::Info:
  case OutputType::Overlay:
    info.addressed = info.isAlloc();
    info.flags &= ~uint64_t(ELF::SHF_ALLOC);
    break;
  case OutputType::ReadOnly:
    info.flags &= ~uint64_t(ELF::SHF_WRITE);
    break;
  case OutputType::Normal:
    break;
  }
}

void settleKind(const PartialLink &partial, const OutputSection &out,
                uint32_t traits, OutputSectionInfo &info) {
  info.link = describedOutput(partial, out);
  const bool any = addMembers(partial, out, info);
  // Room that a moving dot reserves (a heap, a stack) takes no bytes of a file.
  if (info.type == 0)
    info.type =
        StringRef(out.name).contains(".bss") ||
                (movesDot(out) && !partial.program.target->gapSectionsHaveBytes)
            ? ELF::SHT_NOBITS
            : ELF::SHT_PROGBITS;
  const bool data = hasData(out);
  if (info.type == ELF::SHT_NOBITS && data)
    info.type = ELF::SHT_PROGBITS;
  // An array of initialisers stays one with any contents (GNU ld), also .ctors.
  if (const uint32_t named = typeByName(out.name);
      info.type == ELF::SHT_PROGBITS && isInitializerArray(named))
    info.type = named;
  // What only its script fills is read-only where data statements have made the
  // section (GNU ld); one that only moves dot is room for data.
  if (data || !any)
    info.flags |= ELF::SHF_ALLOC;
  if (!any && !(data && (traits & ReadOnly)))
    info.flags |= ELF::SHF_WRITE;
  // -N: the code is writable (GNU ld).
  if (partial.program.config.paging == Paging::Omagic && out.name == ".text")
    info.flags |= ELF::SHF_WRITE;
  if (out.command)
    applyCommand(*out.command, info);
  // All matching sections decide whether a section has bytes, as if all went
  // there (GNU ld).
  if (partial.program.config.nonContiguousRegions &&
      info.type == ELF::SHT_NOBITS && (traits & HasContents))
    info.type = ELF::SHT_PROGBITS;
}

} // namespace xlink
