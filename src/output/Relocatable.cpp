//===- Relocatable.cpp ----------------------------------------------------===//
#include "output/Relocatable.h"
#include "input/ExprFormat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

bool checkRelocatable(const Program &program, Diagnostics &diag) {
  const Config &config = program.config;
  const uint64_t before = diag.errorCount();
  if (!config.relocatable)
    return true;
  if (program.output.format != OutputFormat::Elf || !config.container.empty())
    diag.error("option '-r': only an ELF file holds relocations; leave out "
               "'--oformat'");
  const std::pair<bool, const char *> forPrograms[] = {
      {!config.images.empty(), "--image"},
      {!config.crcs.empty(), "--crc"},
      {config.initTables, "--init-tables"},
      {config.icf != IcfLevel::None, "--icf"},
  };
  for (auto [given, option] : forPrograms)
    if (given)
      diag.error(std::string("option '-r': what it makes has no addresses yet; "
                             "leave '") +
                 option + "' to the link of the program");
  const bool anyRoot = config.entry || !config.undefined.empty() ||
                       !config.undefinedGlobs.empty() ||
                       !config.requireDefined.empty() ||
                       !program.script.externs.empty();
  if (config.gcSections && !anyRoot)
    diag.error("option '--gc-sections': with -r nothing says what to keep; "
               "name it by -e or -u");
  return diag.errorCount() == before;
}

std::vector<KeptGroup> keptGroups(const Link &link) {
  std::vector<KeptGroup> kept;
  const Config &config = link.program.config;
  if (!config.relocatable || link.program.dissolvesGroups())
    return kept;
  for (FileId f : link.program.files.ids()) {
    const InputFile &file = link.program.files[f];
    const auto &groups = file.object->groups;
    for (uint32_t g = 0; g < groups.size(); ++g)
      if (any_of(groups[g].members, [&](uint32_t member) {
            return link.placed(file.sectionBase + member);
          }))
        kept.push_back({f, g});
  }
  return kept;
}

OutputId pieceParent(const Link &link, const OutputView &out) {
  if (!link.program.config.relocatable || out.command ||
      out.members.size() != 1)
    return kNone;
  const InputSection &s = link.program.sections[out.members.front()];
  if (s.file == kNone || !s.parsed->isPiece)
    return kNone;
  const SectionId parent = link.program.files[s.file].sectionBase +
                           link.program.moreOf(out.members.front()).parent;
  return link.placed(parent) ? link.placement.sections[parent].output
                             : OutputId();
}

void forEachRelocation(const Link &link, const InputFile &file,
                       function_ref<void(SectionId, const Relocation &)> fn) {
  const ParsedObject &object = *file.object;
  for (uint32_t i = 1; i < object.sections.size(); ++i)
    if (link.placed(file.sectionBase + i))
      for (uint32_t r = object.sections[i].relocBegin;
           r < object.sections[i].relocEnd; ++r)
        fn(file.sectionBase + i, object.relocations[r]);
}

void forEachNeededSymbol(const Link &link,
                         function_ref<void(FileId, uint32_t)> fn) {
  for (FileId f : link.program.files.ids()) {
    const InputFile &file = link.program.files[f];
    const ParsedObject &object = *file.object;
    // The numbers of an unknown operator need not be indices.
    auto reference = [&](uint32_t symbol) {
      if (symbol < object.symbols.size())
        fn(f, symbol);
    };
    for (const ParsedSection &section : object.sections) {
      if (section.kind != SectionKind::Expr)
        continue;
      for (uint64_t at = 0; at < section.data().size(); at += kExprEntrySize) {
        const RawExpr entry(section.bytes + at);
        reference(entry.result);
        for (unsigned k = 0; k < 3; ++k)
          if (entry.kind(k) == ExprOperandKind::Symbol)
            reference(entry.operands[k]);
      }
    }
    forEachRelocation(link, file, [&](SectionId, const Relocation &rel) {
      fn(f, rel.symbol);
    });
  }
  for (const KeptGroup &kept : keptGroups(link))
    fn(kept.file,
       link.program.files[kept.file].object->groups[kept.group].symbol);
}

} // namespace xlink
