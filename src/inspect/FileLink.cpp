//===- FileLink.cpp -------------------------------------------------------===//
#include "inspect/FileLink.h"
#include "base/ByteOrder.h"
#include "layout/AddressAssignment.h"
#include "model/ScriptVisitor.h"
#include "placement/SectionTraits.h"
#include "resolve/Resolver.h"
#include "resolve/ScriptSymbols.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <utility>

using namespace llvm;

namespace xlink {

FileLink::FileLink(const LinkedFile &file) : file(file) {
  config.threads = 1;
  program.target = file.target;
  program.output.path = file.name;
  program.sections.emplace_back().discarded = true; // none
}

//===----------------------------------------------------------------------===//
// The file as one input
//===----------------------------------------------------------------------===//

bool FileLink::isInside(const ElfSymbol &s) const {
  return s.isIn(file) && file.offsetOf(s) <= file.sections[s.section].size;
}

void FileLink::cutSections() {
  std::vector<std::vector<uint64_t>> cuts(file.sections.size());
  for (const ElfSymbol &s : file.symbols)
    if (isInside(s) && !s.isMark() && file.sections[s.section].isCode())
      // The lowest bit of a function's value may state its instruction set.
      cuts[s.section].push_back(file.offsetOf(s) & ~uint64_t(1));
  object->sections.emplace_back();
  parts.resize(file.sections.size());
  for (uint32_t i = 1; i < file.sections.size(); ++i) {
    const ElfSection &from = file.sections[i];
    if (!from.isLoaded() || from.size == 0)
      continue;
    std::vector<uint64_t> &begins = cuts[i];
    begins.push_back(0);
    sort(begins);
    begins.erase(llvm::unique(begins), begins.end());
    while (begins.back() >= from.size)
      begins.pop_back();
    parts[i] = {uint32_t(object->sections.size()), uint32_t(begins.size())};
    for (size_t k = 0; k < begins.size(); ++k) {
      ParsedSection &to = object->sections.emplace_back();
      to.name = from.name;
      to.flags = from.flags & ~uint64_t(ELF::SHF_EXCLUDE);
      to.type = from.type;
      to.align = k == 0 ? from.align : 1;
      to.kind = SectionKind::Regular;
      to.size = (k + 1 < begins.size() ? begins[k + 1] : from.size) - begins[k];
      if (!from.data.empty())
        to.bytes = from.data.data() + begins[k];
      if (begins[k] == 0)
        continue;
      to.hasMore = true;
      MoreOfSection &more = object->more.emplace_back();
      more.section = uint32_t(object->sections.size() - 1);
      more.cutAt = begins[k];
    }
  }
}

uint32_t FileLink::partAt(uint32_t section, uint64_t offset) const {
  const auto [first, count] = parts[section];
  if (count == 0)
    return kNoIndex;
  const auto all = seq(first, first + count);
  const auto behind = partition_point(
      all, [&](uint32_t part) { return object->moreOf(part).cutAt <= offset; });
  return *std::prev(behind);
}

void FileLink::addSymbols() {
  object->symbols.emplace_back();
  for (const ElfSymbol &from : file.symbols) {
    ParsedSymbol &to = object->symbols.emplace_back();
    to.name = from.name;
    to.value = from.value;
    to.size = from.size;
    to.binding = from.binding == ELF::STB_LOCAL || from.binding == ELF::STB_WEAK
                     ? from.binding
                     : uint8_t(ELF::STB_GLOBAL);
    to.type = from.type;
    to.visibility = from.visibility;
    if (from.section == LinkedFile::kUndefined)
      continue;
    to.place = SymbolPlace::Absolute;
    if (!isInside(from))
      continue;
    const uint64_t offset = file.offsetOf(from);
    if (const uint32_t part = partAt(from.section, offset); part != kNoIndex) {
      to.place = SymbolPlace::Section;
      to.section = part;
      to.value = offset - object->moreOf(part).cutAt;
    }
  }
}

void FileLink::addRelocations() {
  for (const ElfRelocation &from : file.relocations) {
    const uint32_t part = partAt(from.section, from.offset);
    if (part == kNoIndex)
      continue;
    ParsedSection &section = object->sections[part];
    const uint32_t index = uint32_t(object->relocations.size());
    if (section.relocBegin == section.relocEnd)
      section.relocBegin = index;
    section.relocEnd = index + 1;
    object->relocations.push_back(
        {from.offset - object->moreOf(part).cutAt, from.addend,
         from.symbol == kNoIndex ? 0 : from.symbol + 1, from.type});
  }
}

bool FileLink::isAssigned(const ElfSymbol &s) const {
  if (s.section == LinkedFile::kUndefined || s.name.empty() || s.size != 0 ||
      s.type != ELF::STT_NOTYPE || s.binding == ELF::STB_WEAK ||
      // HIDDEN makes it local.
      (s.binding == ELF::STB_LOCAL && s.visibility != ELF::STV_HIDDEN))
    return false;
  if (scripted)
    return assigned.contains(s.name);
  // Assemblers give functions no type.
  return !isInside(s) || !file.sections[s.section].isCode() ||
         file.offsetOf(s) == file.sections[s.section].size;
}

void FileLink::addWords() {
  /// Of a value: symbols, and the last part that has it. More symbols would
  /// tell a check no more.
  struct Watched {
    SmallVector<uint32_t, 1> symbols;
    uint32_t last = 0;
  };
  constexpr size_t kMostSymbols = 8;
  DenseMap<uint64_t, Watched> watched;
  for (uint32_t i = 0; i < file.symbols.size(); ++i)
    // The keys that the map keeps for itself are no addresses.
    if (const ElfSymbol &s = file.symbols[i];
        isAssigned(s) && s.value != 0 && s.value < UINT64_MAX - 1)
      if (auto &symbols = watched[s.value].symbols;
          symbols.size() < kMostSymbols)
        symbols.push_back(i + 1);
  const unsigned size = program.addressSize();
  const auto addWordsOf = [&](uint32_t part, uint64_t address) {
    ParsedSection &section = object->sections[part];
    section.relocBegin = uint32_t(object->relocations.size());
    const ArrayRef<uint8_t> data = section.data();
    for (uint64_t at = (0 - address) % size;
         at < data.size() && data.size() - at >= size; at += size) {
      const uint8_t *from = data.data() + at;
      const bool isBig = program.target->isBig;
      const uint64_t word =
          size == 8 ? read64(from, isBig) : uint64_t(read32(from, isBig));
      const auto it =
          word < UINT64_MAX - 1 ? watched.find(word) : watched.end();
      if (it == watched.end() || std::exchange(it->second.last, part) == part)
        continue;
      for (uint32_t symbol : it->second.symbols)
        object->relocations.push_back({at, 0, symbol, 0});
    }
    section.relocEnd = uint32_t(object->relocations.size());
  };
  for (uint32_t i = 1; i < parts.size() && !watched.empty(); ++i)
    for (uint32_t k = 0; k < parts[i].count; ++k) {
      const uint32_t part = parts[i].first + k;
      addWordsOf(part, file.sections[i].address + object->moreOf(part).cutAt);
    }
}

void FileLink::enterSymbols() {
  const FileId id = program.addFile(object);
  const InputFile &input = program.files[id];
  for (uint32_t i = 1; i < object->symbols.size(); ++i) {
    const ParsedSymbol &from = object->symbols[i];
    const ElfSymbol &symbol = file.symbols[i - 1];
    if (from.name.empty() ||
        (from.binding == ELF::STB_LOCAL && !isAssigned(symbol)))
      continue;
    const SymbolId name = program.symbols.insert(from.name);
    program.symbolIds[input.symbolBase + i] = name;
    Symbol &to = program.symbols[name];
    if (to.isDefined() || from.place == SymbolPlace::Undefined)
      continue;
    define(program, to, id, i);
    if (from.binding == ELF::STB_WEAK)
      program.weakDefinitions.push_back(name);
    if (isAssigned(symbol)) {
      program.makeAssignable(name);
      to.referenced = true; // perhaps: relocations and words tell
    }
    if (symbol.value == file.entry && from.place == SymbolPlace::Section &&
        program.entrySymbol == kNone)
      program.entrySymbol = name;
  }
}

//===----------------------------------------------------------------------===//
// Output sections and statements
//===----------------------------------------------------------------------===//

static ExprPtr numberExpr(uint64_t value) {
  auto expr = std::make_unique<Expr>();
  expr->number = value;
  return expr;
}

/// Memories, as far as sections show them: sections in one block of
/// addresses are in one memory.
void FileLink::describeMemory() {
  constexpr unsigned kBlock = 24; // 16 MB
  constexpr size_t kMost = 256;   // a search looks at all
  DenseSet<uint64_t> seen;
  for (const ElfSection &section : file.sections)
    for (uint64_t at : {section.address, file.loadAddressOf(section)}) {
      const uint64_t block = at >> kBlock;
      if (!section.isLoaded() || section.size == 0 || seen.size() == kMost ||
          !seen.insert(block).second)
        continue;
      MemoryCommand &memory = program.script.memory.emplace_back();
      const auto name = std::make_shared<const std::string>(
          "memory at " + hex(block << kBlock));
      program.script.buffers.push_back(name);
      memory.name = *name;
      memory.origin = numberExpr(block << kBlock);
      memory.length = numberExpr(uint64_t(1) << kBlock);
    }
}

/// A script that names each section and assigns each symbol, as far as the file
/// shows it.
void FileLink::describeSections() {
  std::vector<OutputSectionCommand *> commands(file.sections.size());
  Script &script = program.script;
  for (uint32_t i = 1; i < file.sections.size(); ++i)
    if (parts[i].count) {
      auto command = std::make_unique<OutputSectionCommand>();
      command->name = file.sections[i].name;
      commands[i] = command.get();
      script.commands.push_back(std::move(command));
    }
  for (const ElfSymbol &s : file.symbols) {
    if (!isAssigned(s))
      continue;
    auto assignment = std::make_unique<AssignmentCommand>();
    assignment->name = s.name;
    assignment->value = numberExpr(s.value);
    if (isInside(s) && commands[s.section])
      commands[s.section]->commands.push_back(std::move(assignment));
    else
      script.commands.push_back(std::move(assignment));
  }
}

void FileLink::placeSections() {
  StringMap<SmallVector<
      std::pair<const OutputSectionCommand *, const OverlayCommand *>, 1>>
      commands; // the first is the last
  forEachCommand(program.script,
                 ScriptVisitor{[&](const OutputSectionCommand &c) {
                                 if (!c.isDiscard() && !c.inOverlay)
                                   commands[c.name].push_back({&c, nullptr});
                               },
                               [&](const OverlayCommand &o) {
                                 for (const auto &c : o.sections)
                                   commands[c->name].push_back({c.get(), &o});
                               }});
  for (auto &entry : commands)
    std::reverse(entry.second.begin(), entry.second.end());
  const InputFile &input = program.files[FileId(0)];
  placement.sections.resize(program.sections.size());
  placement.classes.resize(1);
  for (uint32_t i = 1; i < file.sections.size(); ++i) {
    if (parts[i].count == 0)
      continue;
    const ElfSection &from = file.sections[i];
    const OutputId id = placement.outputs.next();
    OutputSection &out = placement.outputs.emplace_back();
    out.name = from.name.str();
    if (auto &list = commands[from.name]; !list.empty())
      std::tie(out.command, out.overlay) = list.pop_back_val();
    placement.classes.push_back({from.type, from.flags, from.entrySize,
                                 Alignment(from.align), false, false});
    for (uint32_t k = 0; k < parts[i].count; ++k) {
      const SectionId member = input.sectionBase + (parts[i].first + k);
      out.members.push_back(member);
      placement.sections[member].output = id;
      placement.sections[member].classIndex =
          uint32_t(placement.classes.size() - 1);
    }
    out.items.push_back({nullptr, 0, parts[i].count});
    if (out.command)
      for (const CommandPtr &command : out.command->commands)
        if (command->kind == CommandKind::Assignment)
          out.items.push_back({command.get(), parts[i].count, parts[i].count});
    placement.layout.push_back({nullptr, id});
    fileSections.push_back(i);
  }
  for (const CommandPtr &command : program.script.commands)
    if (command->kind == CommandKind::Assignment)
      placement.layout.push_back({command.get(), {}});
  placement.number();
}

/// Contributions, OutputInfo and Addresses, but for regions.
void FileLink::placeStatements() {
  contributions.sections.resize(program.sections.size());
  addresses.offsets.resize(program.sections.size());
  addresses.outputs.resize(placement.outputs.size());
  addresses.items.resize(placement.itemCount);
  addresses.statements.resize(placement.layout.size());
  addresses.symbols.resize(program.slotCount());
  addresses.waiting.resize(program.symbols.size());
  addresses.names.needed.resize(program.symbols.size());
  addresses.names.given.resize(program.symbols.size());
  info = nameOutputs({program, placement, contributions});
  for (OutputId id : placement.outputs.ids()) {
    const ElfSection &from = file.sections[fileSections[id.index()]];
    const OutputSection &out = placement.outputs[id];
    OutputSectionInfo &facts = info.outputs[id];
    facts.type = from.type;
    facts.flags = from.flags;
    facts.made = facts.kept = facts.holdsSections = true;
    facts.noload = out.command && out.command->type == OutputType::NoLoad;
    OutputPlace &place = addresses.outputs[id];
    place.address = from.address;
    place.loadAddress = file.loadAddressOf(from);
    place.size = from.size;
    place.align = Alignment(from.align);
    place.traits = inputTraits(from.type, from.flags);
    for (SectionId member : out.members) {
      contributions.sections[member].size =
          program.sections[member].parsed->size;
      addresses.offsets[member] = program.moreOf(member).cutAt;
    }
  }
  for (SymbolId id : program.assignable) {
    const Symbol &s = program.symbols[id];
    AssignedSymbol &to = addresses.symbols[s.slot];
    if (!s.isDefined())
      continue;
    to.kind = SymbolKind::Absolute;
    to.value = s.value;
    if (s.kind != SymbolKind::Defined)
      continue;
    to.kind = SymbolKind::Output;
    to.output = placement.sections[s.section].output;
    to.value += addresses.offsets[s.section];
  }
  // A PROVIDE that took no place, or a symbol that was stripped.
  const auto skip = [&](const ScriptCommand *command, StatementValue &value) {
    if (!command)
      return;
    const auto &a = static_cast<const AssignmentCommand &>(*command);
    const SymbolId id = program.symbols.find(a.name);
    value.skipped = id == kNone || program.symbols[id].slot == kNone ||
                    !program.symbols[id].isDefined();
  };
  for (size_t i = 0; i < placement.layout.size(); ++i)
    skip(placement.layout[i].command, addresses.statements[i]);
  for (const OutputSection &out : placement.outputs)
    for (uint32_t k = 0; k < out.items.size(); ++k)
      skip(out.items[k].command, addresses.items[out.firstItem + k]);
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

bool FileLink::holds(RegionId id, uint64_t address, uint64_t size) const {
  if (id == kNone)
    return false;
  const RegionPlace &r = addresses.regions[id];
  return !r.misread && r.origin <= Address(address) &&
         Address(address) + Size(size) <= r.end();
}

RegionId FileLink::regionOf(uint64_t address, uint64_t size) const {
  for (RegionId id : addresses.regions.ids())
    if (holds(id, address, size))
      return id;
  return kNone;
}

/// The script's regions where the file keeps to them, else those that hold the
/// sections. A section that none holds is in none: checks see that.
void FileLink::placeRegions() {
  for (OutputId id : placement.outputs.ids()) {
    const OutputSection &out = placement.outputs[id];
    OutputPlace &place = addresses.outputs[id];
    const SectionTail none;
    const SectionTail &tail =
        out.overlay   ? static_cast<const SectionTail &>(*out.overlay)
        : out.command ? static_cast<const SectionTail &>(*out.command)
                      : none;
    const uint64_t address = place.address.wrapped(),
                   load = place.loadAddress.wrapped();
    const RegionId named = info.regionNamed(tail.region),
                   loadNamed = info.regionNamed(tail.lmaRegion);
    place.region = holds(named, address, place.size)
                       ? named
                       : regionOf(address, place.size);
    if (holds(loadNamed, load, place.size))
      place.lmaRegion = loadNamed;
    else if (tail.lmaRegion.empty() && load != address &&
             !(out.command && out.command->lma))
      place.lmaRegion = regionOf(load, place.size); // inherited
    info.outputs[id].region = place.region;
    info.outputs[id].lmaRegion = place.lmaRegion;
  }
}

bool FileLink::build(bool hasScript, Diagnostics &diag) {
  scripted = hasScript;
  program.builtinScript = !hasScript;
  forEachCommand(program.script, [&](const AssignmentCommand &a) {
    if (!a.isDot())
      assigned.insert(a.name);
  });
  cutSections();
  addSymbols();
  if (hasRelocations())
    addRelocations();
  else
    addWords();
  object->path = file.name;
  object->machine = file.machine;
  enterSymbols();
  if (!hasScript) {
    describeMemory();
    describeSections();
  }
  placeSections();
  placeStatements();
  link.emplace(PartialLink{program, placement, contributions}, info, addresses);
  if (!evaluateRegions(*link, addresses, diag))
    return false;
  placeRegions();
  values.globals.resize(program.symbols.size());
  for (SymbolId id : program.symbols.ids())
    values.globals[id] = link->addressOf(link->symbol(id));
  whole.emplace(*link, values, /*ofFile=*/true);
  return true;
}

} // namespace xlink
