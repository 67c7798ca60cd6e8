//===- DroppedTable.cpp - tables that --gc-sections drops -----------------===//
//
// Problem: the hardware reads a vector table, no code refers to it: without
// KEEP,
// --gc-sections drops it, and the program never starts. So it does with a table
// that parts of the program register themselves in, and that code walks from
// one symbol of the script to another: commands, drivers, tests.
//
// Method: the dropped section is one that a statement of its own puts first in
// the region where the program begins, or that is called like a vector table,
// while the entry stays. Tables in other RAM are made by the program. The
// statement of a walked table stands between two symbols of the script that
// code refers to, called like a start and an end of one thing (readMarkName).
//
// Silent: sections that are cleared or copied lose unused members, and so do
// those of functions, those that hold constants of all kinds, those that are
// called like a memory, and variables of which others are in use.
//
// Cost: linear in statements and input sections, with --gc-sections.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "checks/ReferredSymbols.h"
#include "layout/Checks.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <utility>

using namespace llvm;

namespace xlink {

/// Whether a statement names sections one by one, and no kind of them.
static bool namesSections(const ScriptCommand *command) {
  if (!command || command->kind != CommandKind::InputDescription)
    return false;
  const auto &d = static_cast<const InputDescription &>(*command);
  return !d.patterns.empty() && all_of(d.patterns, [](const SectionPattern &p) {
    return !p.name.wild && !p.isCommon();
  });
}

/// The first input section of a statement that --gc-sections dropped, if it
/// dropped all of them.
static SectionId firstDropped(const Link &link, const OutputView &out,
                              const OutputItem &item) {
  SectionId first;
  for (uint32_t i = item.begin; i < item.end; ++i) {
    const SectionId id = out.members[i];
    if (!takesMemory(link.program.sections[id]))
      continue;
    if (link.placed(id))
      return {};
    first = first == kNone ? id : first;
  }
  return first;
}

/// Whether a statement takes code, or one of the usual sections of a program:
/// no table that code walks has these.
static bool takesUsual(const InputDescription &statement) {
  return any_of(statement.patterns, [](const SectionPattern &p) {
    const StringRef kind = plainPrefix(p.name.text).rtrim('.');
    return kind.empty() || p.isCommon() || familyOf(kind) == ".text" ||
           kind.starts_with(".gnu.linkonce") || kind.starts_with(".lit") ||
           kind.starts_with(".glue") ||
           is_contained({".rodata", ".data", ".bss", ".sdata", ".sbss",
                         ".srodata", ".sdata2", ".data.rel.ro", ".rodata1",
                         ".data1", ".tdata", ".ARM.exidx", ".ARM.extab",
                         ".gcc_except_table", ".eh_frame"},
                        kind);
  });
}

/// Whether a section is called like a memory, where a program puts variables or
/// functions: .dram2.coredump.
static bool isNamedLikeMemory(StringRef name) {
  return is_contained({"ram", "iram", "dram", "sram", "tcm", "itcm", "dtcm",
                       "ccm", "rtc", "noinit"},
                      name.ltrim('.').take_while(isAlpha));
}

namespace {

/// Looks for tables between two symbols, in the order of the output.
struct WalkedTables {
  const FinishedLink &finished;
  Findings &found;
  const Link &link = finished.link;
  SymbolId start = {};      ///< the last symbol
  bool startsWhole = false; ///< no section stands in front of it
  /// Sections between it and here that --gc-sections dropped.
  SectionId first = {};
  size_t count = 0;
  bool keeps = false;   ///< another statement there has KEEP: the rest may go
  bool isRange = false; ///< a statement there takes all kinds of sections
  bool isUsed = false;  ///< a variable there stays

  /// `isEdge`: outside of output sections, or in front of all inputs of one or
  /// behind them.
  void assign(const ScriptCommand *command, bool isEdge) {
    if (!command || command->kind != CommandKind::Assignment)
      return;
    const auto &a = static_cast<const AssignmentCommand &>(*command);
    const SymbolId id = link.program.symbols.find(a.name);
    if (a.isDot() || id == kNone)
      return;
    if (count != 0 && start != kNone && !keeps && !isRange &&
        !(isUsed && isVariable(first)))
      report(id, startsWhole && isEdge);
    start = id;
    startsWhole = isEdge;
    first = {};
    count = 0;
    keeps = isRange = isUsed = false;
  }
  void take(const OutputView &out, const OutputItem &item) {
    if (!item.command || item.command->kind != CommandKind::InputDescription)
      return;
    const auto &statement =
        static_cast<const InputDescription &>(*item.command);
    keeps |= statement.keep;
    isRange |= takesUsual(statement);
    for (uint32_t i = item.begin; i < item.end && !isRange; ++i) {
      const SectionId id = out.members[i];
      const InputSection &section = link.program.sections[id];
      if (!takesMemory(section) || section.parsed->isNoBits() ||
          isNamedLikeMemory(section.parsed->name) ||
          (section.parsed->flags & ELF::SHF_EXECINSTR) ||
          link.placement.sections[id].discarded)
        continue;
      isUsed |= link.placed(id) && isVariable(id);
      if (!link.placed(id))
        first = count++ == 0 ? id : first;
    }
  }

private:
  bool isVariable(SectionId id) const {
    return link.program.sections[id].parsed->flags & ELF::SHF_WRITE;
  }
  /// Whether start-up code has to copy a section, and needs no more of it than
  /// the program uses.
  bool isCopied(SectionId id) const {
    const OutputSectionCommand *c =
        link.placement.outputs[link.placement.sections[id].output].command;
    return isVariable(id) || (c && (c->lma || !c->lmaRegion.empty()));
  }
  void report(SymbolId end, bool isWhole) const {
    const Program &program = link.program;
    const StringRef from = program.symbols[start].name,
                    to = program.symbols[end].name;
    const MarkName low = readMarkName(from), high = readMarkName(to);
    if (low.side != MarkName::Start || high.side != MarkName::End ||
        low.stem != high.stem || (isWhole && isCopied(first)))
      return;
    const ReferredSymbols &references = finished.references();
    if (references.of(start).empty() || references.of(end).empty())
      return;
    found.add([&] {
      return Message{
          program.sectionName(first) +
              " is dropped by --gc-sections: nothing refers to it, but code "
              "walks from '" +
              program.shownName(from) + "' to '" + program.shownName(to) +
              "', between which it would stand",
          {"referred to by " + placeOf(program, references.of(start).front()),
           countOf(count, "section is", "sections are") + " missing there",
           "write KEEP(*(" + program.sections[first].parsed->name.str() +
               ")) in the script"}};
    });
  }
};

} // namespace

static void checkWalkedTables(const FinishedLink &finished, Findings &found) {
  WalkedTables tables{finished, found};
  const Link &link = finished.link;
  for (const LayoutCommand &command : link.placement.layout) {
    tables.assign(command.command, /*isEdge=*/true);
    if (command.output == kNone)
      continue;
    const OutputView out = link.output(command.output);
    const auto isInput = [](const OutputItem &item) {
      return !item.command ||
             item.command->kind == CommandKind::InputDescription;
    };
    const auto inputs = size_t(count_if(out.items, isInput));
    size_t before = 0;
    for (const OutputItem &item : out.items) {
      tables.assign(item.command, before == 0 || before == inputs);
      tables.take(out, item);
      before += isInput(item);
    }
  }
}

void checkDroppedTables(const FinishedLink &finished, Findings &found) {
  const Link &link = finished.link;
  const Program &program = link.program;
  const SectionId entry = program.entrySymbol == kNone
                              ? SectionId()
                              : link.definitionOf(program.entrySymbol).section;
  if (!program.config.gcSections || program.builtinScript || entry == kNone ||
      !link.placed(entry))
    return;
  checkWalkedTables(finished, found);
  const RegionId start = link.info.outputs[link.section(entry).output].region;
  bool begun = false; // the region has a section
  for (const OutputView &out : link.outputsInOrder()) {
    const RegionId region = link.info.outputs[out.id].region;
    if (region != start && region != kNone &&
        (program.script.memory[region.index()].flags & ELF::SHF_WRITE))
      continue;
    for (const OutputItem &item : out.items) {
      if (item.begin == item.end)
        continue;
      const bool isFirst =
          region == start && region != kNone && !std::exchange(begun, true);
      const SectionId id = firstDropped(link, out, item);
      if (id == kNone)
        continue;
      const ParsedSection &section = *program.sections[id].parsed;
      const StringRef name = section.name, family = familyOf(name);
      // Functions and variables that are not used may well come first.
      const bool first = isFirst && namesSections(item.command) &&
                         !(section.flags & ELF::SHF_WRITE) &&
                         family != ".text" && family != ".rodata";
      if (!first && !isNamedLikeVectors(name))
        continue;
      found.add([&] {
        Message m{(item.command ? locationText(item.command->where) : "") +
                  program.sectionName(id) +
                  " is dropped by --gc-sections: nothing refers to it, and no "
                  "KEEP names it"};
        if (first)
          m.notes.push_back("it would stand first in region '" +
                            program.script.memory[region.index()].name.str() +
                            "'");
        m.notes.push_back("write KEEP(*(" + name.str() +
                          ")) if the hardware reads it");
        return m;
      });
    }
  }
}

} // namespace xlink
