//===- StackSources.cpp ---------------------------------------------------===//
//
// Problem: who calls whom, and how large is each frame? Compilers scatter that
// over sections, relocations and files beside the objects, and name functions
// in as many ways: by a global symbol, a section and an offset, an alias, an
// address that a script assigns, a name as the language has it.
//
// Method: every one of them becomes the place where the function begins, in the
// section that is in the output for it; the symbol that stands first there is
// the function's node. A relocation of a call or a branch that leads out of a
// function is a call: a tail call too, though its caller's frame may be gone,
// so that the sum is never too small. A branch to another place of one's own
// function is none. Where an object states what a function calls, relocations
// of the function are passed over: there the address of a thread's code looks
// like a call. What data refers to, code outside of calls among it, may be
// called by anybody. Of what several sources say about a frame the largest
// number counts.
//
// Calls through pointers have no relocation. Where the machine tells which
// instructions make them, all live code is read. A jump to where a register
// says is the end of a function through a pointer, or a switch. It is the
// latter where it is counted from a place in its function, or where the
// instruction in front of it refers to a table of places in there. Where only
// data names such places, somewhere, it is taken for one, and counted.
//
// Where nobody keeps relocations of calls inside of a section, they are not
// seen; such sections are listed.
//
// Cost: a binary search for each relocation of live code, a look at each of its
// instructions where the machine tells of them, and a hash of what is asked for
// by name. Patterns with wildcards look at each name once.
//
//===----------------------------------------------------------------------===//
#include "report/StackSources.h"
#include "base/Demangle.h"
#include "input/StackFiles.h"
#include "input/StackSizes.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <set>
#include <tuple>

using namespace llvm;

namespace xlink {

using Node = CallGraph::Node;

//===----------------------------------------------------------------------===//
// Where functions are
//===----------------------------------------------------------------------===//

const FunctionFinder::Label *
FunctionFinder::labelBefore(FileId file, uint32_t section, uint64_t offset) {
  auto [it, fresh] = labels.try_emplace(file);
  std::vector<Label> &list = it->second;
  if (fresh) {
    const ParsedObject &object = *program.files[file].object;
    for (uint32_t i = 1; i < object.symbols.size(); ++i) {
      const ParsedSymbol &s = object.symbols[i];
      if (s.place == SymbolPlace::Section && s.type == ELF::STT_NOTYPE &&
          !s.name.empty() && !s.name.starts_with(".L") &&
          !s.name.starts_with("$") &&
          (object.sections[s.section].flags & ELF::SHF_EXECINSTR))
        list.push_back({s.section, s.value, i});
    }
    // Of several at one place the first of the table counts: it comes last.
    sort(list, [](const Label &a, const Label &b) {
      return std::tie(a.section, a.offset, b.symbol) <
             std::tie(b.section, b.offset, a.symbol);
    });
  }
  auto next =
      std::upper_bound(list.begin(), list.end(), std::pair(section, offset),
                       [](const auto &place, const Label &label) {
                         return place < std::pair(label.section, label.offset);
                       });
  if (next == list.begin() || std::prev(next)->section != section)
    return nullptr;
  return &*std::prev(next);
}

std::optional<FunctionFinder::Found> FunctionFinder::find(SectionId section,
                                                          uint64_t offset) {
  const InputSection &s = program.sections[section];
  if (s.file == kNone || !s.parsed || !(s.parsed->flags & ELF::SHF_EXECINSTR))
    return std::nullopt;
  const ParsedObject &object = *program.files[s.file].object;
  const ParsedSymbol *symbol = enclosing.find(section, offset);
  if (symbol && symbol->type == ELF::STT_FUNC)
    return Found{s.file, uint32_t(symbol - object.symbols.data()),
                 symbol->value};
  if (const Label *label = labelBefore(s.file, s.index, offset))
    return Found{s.file, label->symbol, label->offset};
  return std::nullopt;
}

StackSources::StackSources(const Link &link, Diagnostics &diag)
    : link(link), diag(diag), rows(*link.program.target), finder(link.program) {
}

StackFacts &StackSources::factsOf(Node node) {
  if (node >= factList.size())
    factList.resize(node + 1);
  return factList[node];
}

/// Where a symbol is. An addend counts where the symbol names a section: that
/// of a call to a function may be the machine's.
StackSources::Place StackSources::placeOf(const InputFile &file,
                                          uint32_t symbol,
                                          int64_t addend) const {
  const SymbolId id = link.program.symbolIds[file.symbolBase + symbol];
  if (id != kNone) {
    const BoundSymbol s = link.symbol(id);
    if (s.kind != SymbolKind::Defined)
      return {};
    return {link.contents.standIn(s.section), s.value};
  }
  const ParsedSymbol &s = file.object->symbols[symbol];
  if (s.place != SymbolPlace::Section)
    return {};
  const bool isSection = s.type == ELF::STT_SECTION;
  return {link.contents.standIn(file.sectionBase + s.section),
          s.value + (isSection ? uint64_t(addend) : 0)};
}

/// The function around a place, or only one that begins there.
Node StackSources::nodeAt(CallGraph &graph, const Place &place,
                          bool startOnly) {
  if (place.section == kNone || !link.placed(place.section))
    return kNone;
  const auto found = finder.find(place.section, place.offset);
  if (!found || (startOnly && found->begin != place.offset))
    return kNone;
  const Node node = graph.addDefinition(found->file, found->symbol);
  StackFacts &facts = factsOf(node);
  facts.section = place.section;
  facts.offset = found->begin;
  return node;
}

/// The function that begins at an address.
Node StackSources::nodeAtAddress(uint64_t address) {
  if (byAddress.empty())
    for (const auto &[name, node] : names) {
      const StackFacts &facts = factsOf(node);
      byAddress.try_emplace(link.addressOf(facts.section, facts.offset), node);
    }
  const auto it = byAddress.find(address);
  return it == byAddress.end() ? Node(kNone) : it->second;
}

Node StackSources::functionOf(CallGraph &graph, SymbolId id) {
  const BoundSymbol s = link.symbol(id);
  if (s.kind == SymbolKind::Defined)
    return nodeAt(graph, {link.contents.standIn(s.section), s.value}, true);
  if (s.kind == SymbolKind::Output || s.kind == SymbolKind::Absolute)
    return nodeAtAddress(link.addressOf(s));
  return kNone;
}

//===----------------------------------------------------------------------===//
// Functions and frames
//===----------------------------------------------------------------------===//

/// The functions of a file that are in the output.
void StackSources::addFile(CallGraph &graph, FileId file) {
  const InputFile &input = link.program.files[file];
  const ParsedObject &object = *input.object;
  for (uint32_t i = 1; i < object.symbols.size(); ++i) {
    const ParsedSymbol &s = object.symbols[i];
    if (s.place != SymbolPlace::Section || s.name.empty() ||
        (s.type != ELF::STT_FUNC && s.type != ELF::STT_NOTYPE) ||
        (s.type == ELF::STT_NOTYPE && s.name.starts_with(".L")))
      continue;
    const SectionId section = input.sectionBase + s.section;
    const Node node = nodeAt(graph, {section, s.value}, true);
    if (node == kNone)
      continue;
    names.emplace_back(s.name, node);
    const CallGraph::Symbol &function = graph[node];
    if (function.file == file && function.index == i)
      ++densities[section].functions;
  }
}

/// Names that statements use and that are not their function's first one.
void StackSources::linkAliases(CallGraph &graph, Node end) {
  for (Node node = 0; node < end; ++node) {
    const CallGraph::Symbol &s = graph[node];
    if (s.isStatement || !s.defined)
      continue;
    const InputFile &file = link.program.files[s.file];
    const Node function = s.id != kNone
                              ? functionOf(graph, s.id)
                              : nodeAt(graph, placeOf(file, s.index, 0), true);
    if (function == kNone || function == node)
      continue;
    factsOf(node).isAlias = true;
    graph.addCall(node, function);
  }
}

void StackSources::readStackSizes(CallGraph &graph, FileId f) {
  const InputFile &file = link.program.files[f];
  const uint64_t sumBit = link.program.target->stackSizeWithCallees;
  for (uint32_t i = 1; i < file.object->sections.size(); ++i) {
    const ParsedSection &section = file.object->sections[i];
    if (!isStackSizes(section))
      continue;
    std::vector<StackSize> sizes;
    if (const auto error = xlink::readStackSizes(
            *file.object, section, link.program.addressSize(), sizes))
      diag.warn(WarningGroup::Stack,
                link.program.place(file.sectionBase + i, error->offset) + ": " +
                    error->text,
                {"functions that it would tell of count as unknown"});
    for (const StackSize &size : sizes) {
      const Relocation &rel = file.object->relocations[size.relocation];
      Place place = placeOf(file, rel.symbol, rel.addend);
      // It is a word of data: the addend is no machine's, whatever the symbol.
      if (file.object->symbols[rel.symbol].type != ELF::STT_SECTION)
        place.offset += uint64_t(rel.addend);
      // Of a function that several objects define, the one in force speaks.
      const SymbolId id = link.program.symbolIds[file.symbolBase + rel.symbol];
      if (id != kNone && link.program.symbols[id].file != f)
        continue;
      const Node node = nodeAt(graph, place);
      if (node == kNone)
        continue;
      StackFacts &facts = factsOf(node);
      auto &value = size.size & sumBit ? facts.withCallees : facts.frame;
      value = std::max(value.value_or(0), size.size & ~sumBit);
    }
  }
}

/// The functions of a file by the names that its symbols have, in the output.
const StringMap<Node> &StackSources::functionsOf(CallGraph &graph, FileId f) {
  auto [it, fresh] = byFile.try_emplace(f);
  StringMap<Node> &map = it->second;
  if (!fresh)
    return map;
  const InputFile &file = link.program.files[f];
  for (const ParsedSymbol &s : file.object->symbols)
    if (s.place == SymbolPlace::Section && !s.name.empty() &&
        (s.type == ELF::STT_FUNC || s.type == ELF::STT_NOTYPE))
      if (const Node node =
              nodeAt(graph, {file.sectionBase + s.section, s.value}, true);
          node != kNone)
        map.try_emplace(s.name, node);
  return map;
}

void StackSources::readNotedFrames(CallGraph &graph, const StackNotes &notes) {
  const StringMap<Node> &functions = functionsOf(graph, notes.file);
  StringMap<std::vector<Node>> plain; // made for the first name of C++
  auto note = [&](Node node, const NotedFunction &noted) {
    StackFacts &facts = factsOf(node);
    facts.frame = std::max(facts.frame.value_or(0), *noted.bytes);
    facts.dynamic |= noted.dynamic;
  };
  for (const NotedFunction &noted : notes.functions) {
    if (const auto it = functions.find(noted.name); it != functions.end()) {
      note(it->second, noted);
      continue;
    }
    if (plain.empty())
      for (const auto &entry : functions)
        plain[plainFunctionName(demangled(entry.first()))].push_back(
            entry.second);
    // Overloads and copies share a name: each gets the largest frame.
    if (const std::string name = plainFunctionName(noted.name); !name.empty())
      if (const auto it = plain.find(name); it != plain.end())
        for (Node node : it->second)
          note(node, noted);
  }
}

void StackSources::addFunctions(CallGraph &graph) {
  const Node stated = Node(graph.size());
  for (FileId file : link.program.files.ids())
    addFile(graph, file);
  linkAliases(graph, stated);
  for (FileId file : link.program.files.ids())
    readStackSizes(graph, file);
  for (const StackNotes &notes : link.program.stackInputs.notes)
    readNotedFrames(graph, notes);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Whom a relocation of a call or a branch names; kNone: nobody. Where the row
/// is also one of instructions that compute, what is no code is not called.
Node StackSources::calleeOf(CallGraph &graph, FileId f, const Relocation &rel,
                            const RelocationRow &row) {
  const InputFile &file = link.program.files[f];
  const ParsedSymbol &parsed = file.object->symbols[rel.symbol];
  if (const Place place = placeOf(file, rel.symbol, rel.addend);
      place.section != kNone) {
    const Node node = nodeAt(graph, place);
    if (node != kNone || parsed.name.empty() || row.takesAddress)
      return node;
    return graph.nodeOf(f, rel.symbol);
  }
  const SymbolId id = link.program.symbolIds[file.symbolBase + rel.symbol];
  if (id == kNone)
    return kNone;
  const BoundSymbol s = link.symbol(id);
  if (!s.isDefined() && !s.strongReference)
    return kNone; // weak, and nobody defines it: the call is never reached
  if (s.isDefined()) {
    const Node node = nodeAtAddress(link.addressOf(s));
    if (node != kNone || row.takesAddress)
      return node;
  }
  return graph.nodeOf(f, rel.symbol);
}

void StackSources::addRelocatedCall(CallGraph &graph, SectionId id,
                                    const Relocation &rel,
                                    const RelocationRow &row, Use use) {
  const FileId f = link.program.sections[id].file;
  const InputFile &file = link.program.files[f];
  const Place place = placeOf(file, rel.symbol, rel.addend);
  if (place.section == id)
    densities[id].keepsLocal = true;
  const Node callee = calleeOf(graph, f, rel, row);
  if (callee == kNone)
    return;
  const Node caller = nodeAt(graph, {id, rel.offset});
  if (caller == kNone) {
    ++nameless;
    factsOf(callee).addressTaken = true;
    return;
  }
  // A branch inside of a function is no call, nor is one to its beginning.
  const bool inner = place.offset != factsOf(callee).offset;
  if (caller == callee && (use == Use::Branch || inner))
    return;
  if (graph.isStated(caller)) {
    factsOf(caller).calls = true;
    return;
  }
  if (use == Use::Branch && inner && place.section != kNone)
    innerBranches.emplace_back(caller, callee);
  else
    graph.addCall(caller, callee);
}

/// A branch into the middle of a function skips what makes its frame. Where the
/// function leads to the branch, as it does to a part of its own that stands
/// elsewhere, or to what ends the program, that is the way back and no call.
/// Others count as calls.
void StackSources::addInnerBranches(CallGraph &graph) {
  if (innerBranches.empty())
    return;
  std::vector<std::pair<Node, Node>> all = graph.addedCalls().vec();
  all.insert(all.end(), innerBranches.begin(), innerBranches.end());
  const CallEdges::Components groups =
      CallEdges(graph.size(), all).components([](Node) { return false; });
  for (auto [from, to] : innerBranches)
    if (groups.of[from] == groups.of[to])
      ++returning;
    else
      graph.addCall(from, to);
}

/// Somebody keeps the address of a place, which is a function's or in one.
void StackSources::takeAddress(CallGraph &graph, const Place &place,
                               bool fromJump) {
  const bool startOnly = link.program.target->flow.empty();
  if (const Node node = nodeAt(graph, place, startOnly); node != kNone) {
    StackFacts &facts = factsOf(node);
    if (facts.offset == place.offset)
      facts.addressTaken = true;
    else
      facts.labelsTaken |= !fromJump;
  }
}

void StackSources::readRelocations(CallGraph &graph, SectionId id) {
  const InputSection &s = link.program.sections[id];
  if (!s.parsed || s.file == kNone || !(s.parsed->flags & ELF::SHF_ALLOC) ||
      !link.placed(id))
    return;
  const bool isCode = s.parsed->flags & ELF::SHF_EXECINSTR;
  const bool unwinds = s.parsed->name == ".eh_frame";
  const InputFile &file = link.program.files[s.file];
  for (uint32_t r = s.parsed->relocBegin; r < s.parsed->relocEnd; ++r) {
    const Relocation &rel = file.object->relocations[r];
    const RelocationRow *row = rows.find(rel.type);
    if (!row || !row->hasField() || rel.symbol == 0 || unwinds ||
        !link.keepsByte(id, rel.offset))
      continue;
    const Flow flow = isCode ? flowAt(id, rel.offset) : Flow::Onward;
    // Instructions that compute may have the relocation of a jump.
    const Use use = row->use != Use::Address ? row->use
                    : flow == Flow::Call     ? Use::Call
                    : flow == Flow::Jump     ? Use::Branch
                                             : row->use;
    if (isCode && (use == Use::Call || use == Use::Branch))
      addRelocatedCall(graph, id, rel, *row, use);
    else
      takeAddress(graph, placeOf(file, rel.symbol, rel.addend),
                  flow == Flow::RegisterJump);
  }
  if (const auto it = densities.find(id); it != densities.end() &&
                                          it->second.functions > 1 &&
                                          !it->second.keepsLocal)
    silent.push_back(id);
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

bool StackSources::isRead(SectionId id) const {
  const InputSection &s = link.program.sections[id];
  return !link.program.target->flow.empty() && s.parsed && s.file != kNone &&
         (s.parsed->flags & ELF::SHF_EXECINSTR) && !s.parsed->isNoBits();
}

/// What the instruction at a place does, as far as the machine tells.
Flow StackSources::flowAt(SectionId id, uint64_t offset) const {
  const Target &target = *link.program.target;
  if (!isRead(id) || offset % target.instructionBytes)
    return Flow::Onward;
  const ArrayRef<uint8_t> data = link.program.sections[id].parsed->data();
  if (offset > data.size() || target.instructionBytes > data.size() - offset)
    return Flow::Onward;
  uint64_t instruction = 0;
  for (uint32_t i = target.instructionBytes; i-- > 0;)
    instruction = instruction << 8 | data[offset + i];
  return flowOf(target.flow, instruction);
}

/// The file of a section that has relocations.
const InputFile &StackSources::fileOf(SectionId id) const {
  return link.program.files[link.program.sections[id].file];
}

/// The relocations of an instruction or a word.
SmallVector<Relocation, 2> StackSources::relocationsAt(SectionId id,
                                                       uint64_t offset) const {
  SmallVector<Relocation, 2> found;
  const InputSection &s = link.program.sections[id];
  if (!s.parsed || s.file == kNone)
    return found;
  const Relocations &all = fileOf(id).object->relocations;
  const uint32_t end = s.parsed->relocEnd;
  uint32_t at =
      *partition_point(seq(s.parsed->relocBegin, end),
                       [&](uint32_t i) { return all[i].offset < offset; });
  for (; at != end && all[at].offset == offset; ++at)
    found.push_back(all[at]);
  return found;
}

/// Whether what stands at an offset refers to a place in a function; `inner`:
/// not to its beginning.
bool StackSources::namesPlaceIn(CallGraph &graph, Node function, SectionId id,
                                uint64_t offset, bool inner) {
  return any_of(relocationsAt(id, offset), [&](const Relocation &rel) {
    const Place place = placeOf(fileOf(id), rel.symbol, rel.addend);
    return nodeAt(graph, place) == function &&
           !(inner && place.offset == factsOf(function).offset);
  });
}

/// Whether an instruction refers to data that has a place of its function in
/// it: that is where a switch loads from what its jump goes to.
bool StackSources::followsTable(CallGraph &graph, Node function, SectionId id,
                                uint64_t offset) {
  return any_of(relocationsAt(id, offset), [&](const Relocation &rel) {
    const Place table = placeOf(fileOf(id), rel.symbol, rel.addend);
    return table.section != kNone && !isRead(table.section) &&
           namesPlaceIn(graph, function, table.section, table.offset, true);
  });
}

/// Notes the instructions of a section that go where registers say.
void StackSources::readCode(CallGraph &graph, SectionId id) {
  if (!link.placed(id) || !isRead(id))
    return;
  const uint64_t size = link.program.sections[id].parsed->data().size();
  const uint32_t step = link.program.target->instructionBytes;
  for (uint64_t offset = 0; offset < size; offset += step) {
    const Flow flow = flowAt(id, offset);
    const bool jump = flow == Flow::RegisterJump;
    if ((flow != Flow::PointerCall && !jump) || !link.keepsByte(id, offset))
      continue;
    const Node caller = nodeAt(graph, {id, offset});
    if (caller == kNone)
      ++nameless;
    else if (!jump ||
             !(namesPlaceIn(graph, caller, id, offset, false) ||
               (offset != 0 && followsTable(graph, caller, id, offset - step))))
      pointerCalls.push_back({caller, offset, jump});
  }
}

/// Of other jumps nobody can say whether they end their functions or belong to
/// switches. Where no data names a place in the function, they end it.
void StackSources::addPointerCalls(const CallGraph &graph) {
  for (const PointerCall &call : pointerCalls) {
    StackFacts &facts = factsOf(call.caller);
    if (graph.isStated(call.caller)) {
      facts.calls = true;
    } else if (call.jump && facts.labelsTaken) {
      switches += !facts.stated;
    } else if (!facts.indirect) {
      facts.indirect = true;
      facts.indirectAt = call.offset;
    }
  }
}

//===----------------------------------------------------------------------===//
// Notes of compilers
//===----------------------------------------------------------------------===//

void StackSources::readNotedCalls(CallGraph &graph, const StackNotes &notes) {
  if (!notes.hasCalls)
    return;
  const StringMap<Node> &functions = functionsOf(graph, notes.file);
  for (const NotedFunction &noted : notes.functions)
    if (const auto it = functions.find(noted.name); it != functions.end())
      factsOf(it->second).callsNoted = true;
  for (const NotedCall &call : notes.calls) {
    const auto caller = functions.find(call.caller);
    if (caller == functions.end())
      continue; // nobody needs it
    if (call.indirect) {
      StackFacts &facts = factsOf(caller->second);
      if (!facts.indirect)
        facts.indirectPlace = call.place;
      facts.indirect = true;
      continue;
    }
    Node callee = kNone;
    if (const auto it = functions.find(call.callee); it != functions.end())
      callee = it->second;
    else if (const SymbolId id = link.program.symbols.find(call.callee);
             id != kNone)
      callee = functionOf(graph, id);
    if (callee != kNone)
      graph.addCall(caller->second, callee);
  }
}

//===----------------------------------------------------------------------===//
// Names that users give
//===----------------------------------------------------------------------===//

ArrayRef<Node> StackSources::named(StringRef name) {
  auto add = [&](StringRef key, Node node) {
    std::vector<Node> &nodes = byName[key];
    if (nodes.empty() || nodes.back() != node)
      nodes.push_back(node);
  };
  if (byName.empty())
    for (const auto &[key, node] : names)
      add(key, node);
  if (const auto it = byName.find(name); it != byName.end())
    return it->second;
  if (!hasShownNames)
    for (const auto &[key, node] : names)
      if (const std::string shown = demangled(key); shown != key)
        add(shown, node);
  hasShownNames = true;
  const auto it = byName.find(name);
  return it == byName.end() ? ArrayRef<Node>() : ArrayRef<Node>(it->second);
}

/// The functions of a name.
StackSources::NamedSets::value_type &
StackSources::callersNamed(StringRef name) {
  auto [it, fresh] = byCaller.try_emplace(name);
  if (fresh)
    it->second = &*namedSets.try_emplace(named(name).vec()).first;
  return *it->second;
}

/// Those of a name, or else those that it matches as a pattern.
StackSources::NamedSets::value_type &StackSources::matching(StringRef pattern) {
  auto [it, fresh] = byPattern.try_emplace(pattern);
  if (!fresh)
    return *it->second;
  std::vector<Node> nodes = named(pattern).vec();
  if (nodes.empty() && pattern.find_first_of("*?[") != StringRef::npos) {
    if (shownNames.empty())
      for (const auto &[name, node] : names)
        shownNames.push_back(demangled(name));
    for (size_t i = 0; i < names.size(); ++i)
      if (globMatch({pattern, true}, names[i].first) ||
          globMatch({pattern, true}, shownNames[i]))
        nodes.push_back(names[i].second);
  }
  it->second = &*namedSets.try_emplace(std::move(nodes)).first;
  return *it->second;
}

/// Calls fn(callers, callees) for each call that --stack-calls states, each
/// pair of sets once.
template <class Fn> void StackSources::forEachStatedCall(Fn fn) {
  using Set = NamedSets::value_type;
  std::set<std::pair<const Set *, const Set *>> seen;
  for (const StatedCalls &calls : link.program.stackInputs.calls) {
    Set &callers = callersNamed(calls.caller);
    for (StringRef pattern : calls.callees)
      if (Set &callees = matching(pattern);
          seen.emplace(&callers, &callees).second)
        fn(callers, callees);
  }
}

/// The node of several functions.
Node StackSources::nodeOfSet(CallGraph &graph, NamedSets::value_type &set) {
  if (set.second.node == kNone)
    set.second.node = graph.addSet();
  return set.second.node;
}

/// A set of callees that several callers have, and one of callers, is a node of
/// the graph: there are as many calls as names in the sets, not as pairs.
void StackSources::readStatedCalls(CallGraph &graph) {
  const StackInputs &inputs = link.program.stackInputs;
  for (const StatedCalls &calls : inputs.calls) {
    auto missing = [&](StringRef what, const char *verb) {
      diag.warn(WarningGroup::Stack,
                inputs.callsPath + ":" + std::to_string(calls.line) +
                    ": no function " + verb + " '" + what.str() + "'");
    };
    const std::vector<Node> &callers = callersNamed(calls.caller).first;
    if (callers.empty())
      missing(calls.caller, "of the program is called");
    for (StringRef pattern : calls.callees)
      if (matching(pattern).first.empty())
        missing(pattern, "of the program matches");
    for (Node caller : callers)
      factsOf(caller).stated = true;
  }
  using Set = NamedSets::value_type;
  forEachStatedCall([&](Set &, Set &callees) { ++callees.second.users; });
  NamedSets callersOf; // their nodes call
  DenseSet<Node> filled;
  forEachStatedCall([&](Set &callers, Set &callees) {
    std::vector<Node> from = callers.first, to = callees.first;
    if (from.size() > 1) {
      Set &all = *callersOf.try_emplace(from).first;
      const Node node = nodeOfSet(graph, all);
      if (filled.insert(node).second)
        for (Node caller : from)
          graph.addCall(caller, node);
      from = {node};
    }
    if (to.size() > 1 && callees.second.users > 1) {
      const Node node = nodeOfSet(graph, callees);
      if (filled.insert(node).second)
        for (Node callee : to)
          graph.addCall(node, callee);
      to = {node};
    }
    for (Node caller : from)
      for (Node callee : to)
        graph.addCall(caller, callee);
  });
  for (Node node : filled)
    factsOf(node).isAlias = true;
}

void StackSources::addCalls(CallGraph &graph) {
  for (SectionId id : link.program.sections.ids(1)) {
    readRelocations(graph, id);
    readCode(graph, id);
  }
  for (const StackNotes &notes : link.program.stackInputs.notes)
    readNotedCalls(graph, notes);
  readStatedCalls(graph);
  addPointerCalls(graph);
  addInnerBranches(graph);
  factList.resize(graph.size());
}

} // namespace xlink
