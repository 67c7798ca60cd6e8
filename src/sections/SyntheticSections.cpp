//===- SyntheticSections.cpp ----------------------------------------------===//
#include "sections/SyntheticSections.h"
#include "base/ByteOrder.h"
#include "placement/Placement.h"
#include "placement/SectionTraits.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <random>

using namespace llvm;

namespace xlink {

/// A slot for each symbol that needs one, in the order of the inputs, as sorted
/// pairs (symbolKey, offset). `lives` tells which sections' relocations count.
static std::vector<std::pair<uint64_t, uint64_t>>
assignSlots(const Program &program, function_ref<bool(SectionId)> lives) {
  DenseMap<uint64_t, uint64_t> offsets;
  for (FileId f : program.files.ids()) {
    const InputFile &file = program.files[f];
    if (!file.object->mayWantSlots)
      continue;
    for (uint32_t i = 0; i < file.object->sections.size(); ++i) {
      const ParsedSection &section = file.object->sections[i];
      if (section.relocBegin == section.relocEnd ||
          !lives(file.sectionBase + i))
        continue;
      for (uint32_t r = section.relocBegin; r < section.relocEnd; ++r) {
        const Relocation &rel = file.object->relocations[r];
        const RelocationRow *row = findRelocation(*program.target, rel.type);
        if (row && row->addsSlot())
          offsets.try_emplace(program.symbolKey(f, rel.symbol),
                              offsets.size() * program.target->gotSlotSize);
      }
    }
  }
  std::vector<std::pair<uint64_t, uint64_t>> slots;
  for (auto [key, offset] : offsets)
    slots.push_back({key, offset});
  llvm::sort(slots);
  return slots;
}

void createGot(Program &program) {
  if (program.target->gotSlotSize == 0)
    return;
  const auto slots = assignSlots(
      program, [&](SectionId id) { return !program.sections[id].discarded; });
  const uint64_t size = slots.size() * program.target->gotSlotSize;
  bool wanted = size != 0;
  for (const SectionSymbol &s : program.target->sectionSymbols)
    if (StringRef(s.section) == ".got")
      if (SymbolId id = program.symbols.find(s.name); id != kNone)
        wanted |= program.symbols[id].referenced;
  if (!wanted)
    return;
  program.gotSection = program.addMadeSection(
      ".got", ELF::SHT_PROGBITS, ELF::SHF_ALLOC | ELF::SHF_WRITE,
      program.target->gotSlotSize, std::vector<uint8_t>(size), size);
}

void settleGot(const Program &program, const Placement &placement,
               Contributions &contributions) {
  if (program.gotSection == kNone)
    return;
  contributions.gotSlots = assignSlots(program, [&](SectionId id) {
    return !placement.sections[id].discarded &&
           contributions.liveness.lives(id);
  });
  contributions.sections[program.gotSection].size =
      contributions.gotSlots.size() * program.target->gotSlotSize;
}

uint64_t gotSlotOffset(const Link &link, FileId file, uint32_t symbol) {
  const auto &slots = link.contributions.gotSlots;
  const uint64_t key = link.program.symbolKey(file, symbol);
  auto it = std::lower_bound(slots.begin(), slots.end(),
                             std::pair<uint64_t, uint64_t>(key, 0));
  return it != slots.end() && it->first == key ? it->second : kNone;
}

std::vector<uint8_t> gotBytes(const Link &link, const SymbolValues &values) {
  if (link.program.gotSection == kNone)
    return {};
  std::vector<uint8_t> bytes(
      link.contributions.sections[link.program.gotSection].size);
  for (auto [key, offset] : link.contributions.gotSlots) {
    const uint64_t value = key & Program::kLocalKey
                               ? values.address[uint32_t(key)]
                               : values.globals[SymbolId(key)];
    writeNumber(value,
                MutableArrayRef<uint8_t>(bytes).slice(
                    offset, link.program.target->gotSlotSize),
                link.program.target->isBig);
  }
  return bytes;
}

void createComment(Program &program) {
  static const char text[] = "xlink " XLINK_VERSION;
  std::vector<uint8_t> bytes(text, text + sizeof(text));
  uint64_t size = bytes.size();
  program.comment = program.addMadeSection(".comment", ELF::SHT_PROGBITS,
                                           ELF::SHF_MERGE | ELF::SHF_STRINGS, 1,
                                           std::move(bytes), size);
  program.madeSections.back().entsize = 1;
}

void dropComment(const Program &program, Placement &placement,
                 const Liveness &liveness) {
  if (program.comment == kNone ||
      placement.sections[program.comment].output == kNone)
    return;
  OutputSection &out =
      placement.outputs[placement.sections[program.comment].output];
  if (!hasData(out) && none_of(out.members, [&](SectionId id) {
        return liveness.lives(id) &&
               (placement.classOf(id).flags & ELF::SHF_ALLOC);
      }))
    return;
  placement.sections[program.comment].discarded = true;
  removeMembers(out, [&](SectionId id) { return id == program.comment; });
}

void createBuildId(Program &program) {
  const Config &config = program.config;
  if (config.buildId == BuildIdKind::None ||
      program.output.format != OutputFormat::Elf)
    return;
  const size_t size = config.buildId == BuildIdKind::Given
                          ? config.buildIdBytes.size()
                      : config.buildId == BuildIdKind::Fast ? 8
                      : config.buildId == BuildIdKind::Sha1 ? 20
                                                            : 16;
  std::vector<uint8_t> bytes(kBuildIdHeader + size);
  const char name[] = "GNU";
  RecordWriter header(bytes.data(), program.target->is64,
                      program.target->isBig);
  header.number(sizeof(name));
  header.number(uint32_t(size));
  header.number(ELF::NT_GNU_BUILD_ID);
  std::copy(name, name + sizeof(name), bytes.begin() + 12);
  if (config.buildId == BuildIdKind::Given) {
    std::copy(config.buildIdBytes.begin(), config.buildIdBytes.end(),
              bytes.begin() + kBuildIdHeader);
  } else if (config.buildId == BuildIdKind::Uuid) {
    std::random_device random; // as GNU ld: bits of no meaning
    for (size_t i = 0; i < size; ++i)
      bytes[kBuildIdHeader + i] = uint8_t(random());
  }
  const uint64_t total = bytes.size();
  program.buildIdNote =
      program.addMadeSection(".note.gnu.build-id", ELF::SHT_NOTE,
                             ELF::SHF_ALLOC, 4, std::move(bytes), total);
}

} // namespace xlink
