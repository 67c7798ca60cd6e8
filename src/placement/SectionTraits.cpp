//===- SectionTraits.cpp --------------------------------------------------===//
//
// Problem: placement of orphans, choice of regions and load addresses must
// agree with GNU ld also for sections that mix symbols, data statements and
// inputs, in any order.
//
// Method: walk the statements of an output section as GNU ld's mapping does.
// The first statement makes the section exist; data statements and inputs add
// traits; only the first input can make it read-only, and a writable one ends
// that. Its type is the one that its name implies until the first input, whose
// type counts if all traits are that input's. A name in ADDR() or LOADADDR()
// makes a section exist as well.
//
// Cost: linear in statements and members, of which only the class is read.
//
//===----------------------------------------------------------------------===//
#include "placement/SectionTraits.h"
#include "model/ScriptVisitor.h"
#include "placement/Placement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

uint32_t inputTraits(uint32_t type, uint64_t flags) {
  uint32_t t = 0;
  const bool nobits = type == ELF::SHT_NOBITS;
  if (!nobits)
    t |= HasContents;
  if (flags & ELF::SHF_ALLOC)
    t |= nobits ? uint32_t(Alloc) : uint32_t(Alloc | Load);
  if (!(flags & ELF::SHF_WRITE))
    t |= ReadOnly;
  if (flags & ELF::SHF_EXECINSTR)
    t |= Code;
  else if (t & Load)
    t |= Data;
  if (flags & ELF::SHF_TLS)
    t |= Tls;
  return t;
}

bool hasData(const OutputSection &out) {
  return any_of(out.items, [](const OutputItem &item) {
    return item.command && item.command->kind == CommandKind::Data;
  });
}

bool movesDot(const OutputSection &out) {
  return any_of(out.items, [](const OutputItem &item) {
    if (!item.command || item.command->kind != CommandKind::Assignment)
      return false;
    auto &a = static_cast<const AssignmentCommand &>(*item.command);
    return a.isDot() && a.value->kind != ExprKind::Dot;
  });
}

uint32_t typeByName(StringRef name) {
  enum Rest { None, Dotted, Any }; // possible suffixes of the name
  static const struct {
    StringLiteral name;
    Rest rest;
    uint32_t type;
  } known[] = {
      {".bss", Dotted, ELF::SHT_NOBITS},
      {".tbss", Dotted, ELF::SHT_NOBITS},
      {".noinit", Dotted, ELF::SHT_NOBITS},
      {".persistent.bss", None, ELF::SHT_NOBITS},
      {".init_array", Dotted, ELF::SHT_INIT_ARRAY},
      {".fini_array", Dotted, ELF::SHT_FINI_ARRAY},
      {".preinit_array", Dotted, ELF::SHT_PREINIT_ARRAY},
      {".note.GNU-stack", None, ELF::SHT_PROGBITS},
      {".note", Any, ELF::SHT_NOTE},
      {".hash", None, ELF::SHT_HASH},
      {".rela", Any, ELF::SHT_RELA},
      // Where relocations have addends, ".relocate" is no table of others.
      {".rel", Dotted, ELF::SHT_REL},
      {".dynamic", None, ELF::SHT_DYNAMIC},
      {".dynstr", None, ELF::SHT_STRTAB},
      {".dynsym", None, ELF::SHT_DYNSYM},
      {".gnu.hash", None, ELF::SHT_GNU_HASH},
      {".gnu.version", None, ELF::SHT_GNU_versym},
      {".gnu.version_d", None, ELF::SHT_GNU_verdef},
      {".gnu.version_r", None, ELF::SHT_GNU_verneed},
      {".gnu.linkonce.b", Dotted, ELF::SHT_NOBITS},
      {".gnu.linkonce.n", Dotted, ELF::SHT_NOBITS},
      {".gnu.linkonce.p", Dotted, ELF::SHT_PROGBITS},
      {".strtab", None, ELF::SHT_STRTAB},
      {".shstrtab", None, ELF::SHT_STRTAB},
      {".symtab", None, ELF::SHT_SYMTAB},
      {".text", Dotted, ELF::SHT_PROGBITS},
      {".rodata", Dotted, ELF::SHT_PROGBITS},
      {".rodata1", None, ELF::SHT_PROGBITS},
      {".data", Dotted, ELF::SHT_PROGBITS},
      {".data1", None, ELF::SHT_PROGBITS},
      {".tdata", Dotted, ELF::SHT_PROGBITS},
      {".persistent", Dotted, ELF::SHT_PROGBITS},
      {".init", None, ELF::SHT_PROGBITS},
      {".fini", None, ELF::SHT_PROGBITS},
      {".interp", None, ELF::SHT_PROGBITS},
      {".got", None, ELF::SHT_PROGBITS},
      {".plt", None, ELF::SHT_PROGBITS},
      {".comment", None, ELF::SHT_PROGBITS},
      {".debug", None, ELF::SHT_PROGBITS},
      {".debug_line", None, ELF::SHT_PROGBITS},
      {".debug_info", None, ELF::SHT_PROGBITS},
      {".debug_abbrev", None, ELF::SHT_PROGBITS},
      {".debug_aranges", None, ELF::SHT_PROGBITS},
  };
  for (const auto &k : known)
    if (StringRef rest = name; rest.consume_front(k.name) &&
                               (rest.empty() || k.rest == Any ||
                                (k.rest == Dotted && rest.starts_with("."))))
      return k.type;
  // ".stabstr", ".stab.indexstr" and their like
  if (name.starts_with(".stab") && name.drop_front(5).ends_with("str"))
    return ELF::SHT_STRTAB;
  return ELF::SHT_NULL;
}

void GatheredTraits::addStatement(StringRef name, uint32_t given) {
  if (!made) {
    type = typeByName(name);
    traits = given;
  }
  made = true;
}

void GatheredTraits::addData(StringRef name, OutputType outputType) {
  uint32_t added = HasContents | Alloc | Load;
  switch (outputType) {
  case OutputType::Normal:
    break;
  case OutputType::ReadOnly:
    added |= ReadOnly;
    break;
  case OutputType::NoLoad:
    added = Alloc;
    break;
  default:
    added = HasContents;
    break;
  }
  if (!made)
    added |= ReadOnly;
  addStatement(name);
  traits |= added;
}

void GatheredTraits::addInput(StringRef name, OutputType outputType,
                              const SectionClass &section, bool kept) {
  const uint32_t own = inputTraits(section.type, section.flags);
  uint32_t added = own;
  bool altered = false; // the section is marked not to be loaded
  switch (outputType) {
  case OutputType::Normal:
    break;
  case OutputType::ReadOnly:
    added |= ReadOnly;
    break;
  case OutputType::NoLoad:
    added &= ~uint32_t(Load | HasContents);
    altered = true;
    break;
  default:
    added &= ~uint32_t(Alloc);
    break;
  }
  keep |= kept;
  const bool fresh = !made;
  addStatement(name);
  if (fresh)
    traits = added;
  if (!(added & ReadOnly))
    traits &= ~uint32_t(ReadOnly);
  traits |= hasInput ? added & ~uint32_t(ReadOnly) : added;
  if (hasInput)
    return;
  hasInput = true;
  if (type == ELF::SHT_PROGBITS || type == ELF::SHT_NOTE ||
      type == ELF::SHT_NOBITS)
    type = ELF::SHT_NULL;
  if (type == ELF::SHT_NULL && !altered && traits == own && !section.common)
    type = section.type;
}

/// Names in ADDR and LOADADDR.
static void collectReferences(const Expr *expr, StringSet<> &names) {
  forEachNode(expr, [&](const Expr &e) {
    if (e.kind == ExprKind::Addr || e.kind == ExprKind::LoadAddr)
      names.insert(e.name);
  });
}

/// Those in a statement that is no section.
static void collectReferences(const ScriptCommand *command,
                              StringSet<> &names) {
  if (command)
    forEachExpression(*command, [&](const Expr &e, ExprRole role) {
      if (role != ExprRole::Fill)
        collectReferences(&e, names);
    });
}

TraitGatherer::TraitGatherer(const Program &program, const Placement &placement,
                             const Liveness &liveness)
    : placement(placement), liveness(liveness) {
  for (const SectionStart &start : program.config.sectionStart)
    if (!is_contained(program.script.segmentStarts, start.segment))
      started.insert(start.section);
  mentionedBefore.resize(placement.outputs.size());
  for (const LayoutCommand &command : placement.layout) {
    collectReferences(command.command, referenced);
    if (command.output == kNone || placement.outputs[command.output].dropped)
      continue;
    const OutputSection &out = placement.outputs[command.output];
    if (referenced.contains(out.name))
      mentionedBefore.insert(command.output);
    for (const OutputItem &item : out.items)
      collectReferences(item.command, referenced);
  }
  // The addresses of a section count once it exists, which makes others exist.
  SmallVector<OutputId, 8> waiting;
  for (OutputId id : placement.outputs.ids())
    if (const OutputSectionCommand *c = placement.outputs[id].command)
      if (c->address || c->lma)
        waiting.push_back(id);
  for (bool more = true; more;) {
    more = false;
    erase_if(waiting, [&](OutputId id) {
      if (!gather(id).made)
        return false;
      const OutputSectionCommand &c = *placement.outputs[id].command;
      const unsigned before = referenced.size();
      collectReferences(c.address.get(), referenced);
      collectReferences(c.lma.get(), referenced);
      more |= referenced.size() != before;
      return true;
    });
  }
}

GatheredTraits TraitGatherer::gather(OutputId id) const {
  const OutputSection &out = placement.outputs[id];
  GatheredTraits g;
  if (out.dropped)
    return g;
  const OutputType outputType =
      out.command ? out.command->type : OutputType::Normal;
  // A section made by a symbol or ADDR() has the traits of its type at once.
  uint32_t given = 0;
  if (outputType == OutputType::ReadOnly)
    given = ReadOnly;
  else if (outputType == OutputType::NoLoad)
    given = NeverLoad;
  if (mentionedBefore.contains(id))
    g.addStatement(out.name, given);
  auto add = [&](SectionId member) {
    const SectionPlace &place = placement.sections[member];
    if (place.placed() && liveness.lives(member))
      g.addInput(out.name, outputType, placement.classOf(member), place.keep);
  };
  for (uint32_t i = 0; i < out.items.size(); ++i) {
    const OutputItem &item = out.items[i];
    if (item.command && item.command->kind == CommandKind::Data)
      g.addData(out.name, outputType);
    else if (item.command && (item.command->kind == CommandKind::Assignment ||
                              item.command->kind == CommandKind::Assert))
      g.addStatement(out.name, given);
    else if (item.command && item.command->kind == CommandKind::Fill)
      g.addStatement(out.name);
    auto possible = placement.possibleMembers.find({id, i});
    if (possible != placement.possibleMembers.end())
      for_each(possible->second, add);
    else
      for (uint32_t m = item.begin; m < item.end; ++m)
        add(out.members[m]);
  }
  // Every member of an overlay is asked for its load address.
  if (out.overlay || referenced.contains(out.name))
    g.addStatement(out.name, given);
  else if (started.contains(out.name))
    g.addStatement(out.name);
  return g;
}

} // namespace xlink
