//===- PlacementByName.cpp - output sections of -r without a script -------===//
//
// Problem: a relocatable output replaces its inputs in another link, with the
// same result: patterns see names and flags, --gc-sections drops whole
// sections, groups are chosen or dropped as a whole, and a section with
// SHF_LINK_ORDER stays or goes with the described one.
//
// Method: sections of one name share an output section, as in GNU ld, unless
// the next link treats them differently: by type, by the meaning of their
// flags, or by the sections that they describe. Sections that the next link may
// drop alone stand alone: members of groups, pieces and their parents, and
// sections cut into blocks. Output sections stand in the order in which the
// inputs first have them, so that one input keeps its order.
//
// Cost: a logarithm of the number of output sections for each section.
//
//===----------------------------------------------------------------------===//
#include "placement/Placement.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <map>
#include <tuple>

using namespace llvm;

namespace xlink {

namespace {

class ByName {
public:
  ByName(const Program &program, Placement placement, const Liveness &liveness)
      : program(program), placement(std::move(placement)), liveness(liveness) {}
  Placement run();

private:
  /// The common properties of sections that share an output section.
  using Kin =
      std::tuple<StringRef, uint32_t, uint64_t, uint64_t, uint64_t, uint32_t>;
  /// An output section to be, and where its first member stands.
  struct Shared {
    StringRef name;
    size_t first;
    std::vector<SectionId> members;
  };
  Kin kinOf(SectionId id, uint32_t described) const;
  void findApart();
  void take(SectionId id, size_t position, uint32_t described);
  /// COMMON that -d gives a place is zeros like any other.
  StringRef nameOf(SectionId id) const {
    const InputSection &s = program.sections[id];
    return isCommon(s) ? StringRef(".bss") : s.parsed->name;
  }

  const Program &program;
  Placement placement;
  const Liveness &liveness;
  std::vector<Shared> shared;
  std::map<Kin, uint32_t> byKin;       ///< into `shared`
  IdVector<SectionId, uint32_t> homes; ///< into `shared`, kNone: nowhere
  IdVector<SectionId, bool> apart;     ///< by findApart()
};

} // namespace

/// Sections that have pieces, and such that are cut into blocks: padding behind
/// the last block would belong to none, and stay when all of them go.
void ByName::findApart() {
  apart.resize(program.sections.size());
  for (const InputFile &file : program.files) {
    for (const MoreOfSection &more : file.object->more)
      if (more.parent)
        apart[file.sectionBase + more.parent] = true;
    for (const ExprEntry &entry : file.object->expressions)
      if (entry.meaning == ExprOp::Block &&
          entry.operands[0].kind == ExprOperand::Symbol)
        if (const ParsedSymbol &top =
                file.object->symbols[entry.operands[0].value];
            top.place == SymbolPlace::Section)
          apart[file.sectionBase + top.section] = true;
  }
}

/// `described`: into `shared`, the section's described one, or kNone.
ByName::Kin ByName::kinOf(SectionId id, uint32_t described) const {
  constexpr uint64_t telling = ELF::SHF_ALLOC | ELF::SHF_TLS | ELF::SHF_MERGE |
                               ELF::SHF_STRINGS | ELF::SHF_LINK_ORDER |
                               ELF::SHF_MASKOS | ELF::SHF_MASKPROC;
  const ParsedSection &p = *program.sections[id].parsed;
  // Entries merge with those of equal size and alignment only.
  const bool merges = p.flags & ELF::SHF_MERGE;
  return {nameOf(id),
          p.type,
          p.flags & telling,
          merges ? p.entsize : 0,
          merges ? uint64_t(p.align) : 0,
          described};
}

void ByName::take(SectionId id, size_t position, uint32_t described) {
  uint32_t home = uint32_t(shared.size());
  const InputSection &s = program.sections[id];
  if (!program.config.uniqueOrphans && !standsAlone(program, s) &&
      !s.parsed->isPiece && !apart[id])
    home = byKin.try_emplace(kinOf(id, described), home).first->second;
  if (home == shared.size())
    shared.push_back({nameOf(id), position, {}});
  homes[id] = home;
  shared[home].members.push_back(id);
}

Placement ByName::run() {
  findApart();
  homes.assign(program.sections.size(), kNone);
  // Sections that describe others come when these have their places.
  std::vector<std::pair<size_t, SectionId>> describing;
  size_t position = 0;
  for (SectionId id : inputOrder(program)) {
    const SectionPlace &place = placement.sections[id];
    if (place.discarded || !program.sections[id].parsed || !liveness.lives(id))
      continue;
    ++position;
    if (linkedTo(program, id) != kNone)
      describing.push_back({position, id});
    else
      take(id, position, kNone);
  }
  for (auto [at, id] : describing)
    take(id, at, homes[linkedTo(program, id)]);
  std::sort(shared.begin(), shared.end(),
            [](const Shared &a, const Shared &b) { return a.first < b.first; });
  for (Shared &s : shared) {
    const OutputId id = placement.outputs.next();
    OutputSection &out = placement.outputs.emplace_back();
    out.name = s.name.str();
    out.members = std::move(s.members);
    out.items.push_back({nullptr, 0, uint32_t(out.members.size())});
    for (SectionId member : out.members)
      placement.sections[member].output = id;
    placement.layout.push_back({nullptr, id});
  }
  return std::move(placement);
}

Placement placeByName(const Program &program, Placement placement,
                      const Liveness &liveness) {
  return ByName(program, std::move(placement), liveness).run();
}

} // namespace xlink
