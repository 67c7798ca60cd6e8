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
// Calls through pointers have no relocation: compilers' files tell of them, or
// the user does.
//
// Where nobody keeps relocations of calls inside of a section, they are not
// seen; such sections are listed.
//
// Cost: a binary search for each relocation of live code, and a look-up of each
// name that is asked for. Patterns with wildcards look at each name once.
//
//===----------------------------------------------------------------------===//
#include "report/StackSources.h"
#include "base/Demangle.h"
#include "input/StackFiles.h"
#include "input/StackSizes.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

using Node = CallGraph::Node;

//===----------------------------------------------------------------------===//
// Where functions are
//===----------------------------------------------------------------------===//

StackSources::StackSources(const Link &link, CallGraph &graph,
                           Diagnostics &diag)
    : link(link), graph(graph), diag(diag), rows(*link.program.target),
      enclosing(link.program, /*labels=*/true) {}

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
    return {link.contributions.standIn(s.section), s.value};
  }
  const ParsedSymbol &s = file.object->symbols[symbol];
  if (s.place != SymbolPlace::Section)
    return {};
  const bool isSection = s.type == ELF::STT_SECTION;
  return {link.contributions.standIn(file.sectionBase + s.section),
          s.value + (isSection ? uint64_t(addend) : 0)};
}

/// The function around a place, or only one that begins there.
Node StackSources::nodeAt(const Place &place, bool startOnly) {
  if (place.section == kNone || !link.placed(place.section))
    return kNone;
  const InputSection &s = link.program.sections[place.section];
  if (s.file == kNone || !s.parsed || !(s.parsed->flags & ELF::SHF_EXECINSTR))
    return kNone;
  const ParsedSymbol *found = enclosing.find(place.section, place.offset);
  if (!found || (startOnly && found->value != place.offset))
    return kNone;
  const ParsedObject &object = *link.program.files[s.file].object;
  const Node node =
      graph.addDefinition(s.file, uint32_t(found - object.symbols.data()));
  CallGraph::Symbol &info = factsOf(node);
  info.section = place.section;
  info.offset = found->value;
  return node;
}

/// The function that begins at an address.
Node StackSources::nodeAtAddress(uint64_t address) {
  if (byAddress.empty())
    for (const auto &[name, node] : names) {
      const CallGraph::Symbol &info = factsOf(node);
      byAddress.try_emplace(link.addressOf(info.section, info.offset), node);
    }
  const auto it = byAddress.find(address);
  return it == byAddress.end() ? Node(kNone) : it->second;
}

Node StackSources::functionOf(SymbolId id) {
  const BoundSymbol s = link.symbol(id);
  if (s.kind == SymbolKind::Defined)
    return nodeAt({link.contributions.standIn(s.section), s.value}, true);
  if (s.kind == SymbolKind::Output || s.kind == SymbolKind::Absolute)
    return nodeAtAddress(link.addressOf(s));
  return kNone;
}

//===----------------------------------------------------------------------===//
// Functions and frames
//===----------------------------------------------------------------------===//

/// The functions of a file that are in the output.
void StackSources::addFile(FileId file) {
  const InputFile &input = link.program.files[file];
  const ParsedObject &object = *input.object;
  for (uint32_t i = 1; i < object.symbols.size(); ++i) {
    const ParsedSymbol &s = object.symbols[i];
    if (s.place != SymbolPlace::Section || s.name.empty() ||
        (s.type != ELF::STT_FUNC && s.type != ELF::STT_NOTYPE) ||
        (s.type == ELF::STT_NOTYPE && s.name.starts_with(".L")))
      continue;
    const SectionId section = input.sectionBase + s.section;
    const Node node = nodeAt({section, s.value}, true);
    if (node == kNone)
      continue;
    names.emplace_back(s.name, node);
    const CallGraph::Symbol &function = graph[node];
    if (function.file == file && function.index == i)
      ++densities[section].functions;
  }
}

/// Names that statements use and that are not their function's first one.
void StackSources::linkAliases(Node end) {
  for (Node node = 0; node < end; ++node) {
    const CallGraph::Symbol &s = graph[node];
    if (s.isStatement || !s.defined)
      continue;
    const InputFile &file = link.program.files[s.file];
    const Node function = s.id != kNone
                              ? functionOf(s.id)
                              : nodeAt(placeOf(file, s.index, 0), true);
    if (function == kNone || function == node)
      continue;
    factsOf(node).isAlias = true;
    graph.addCall(node, function);
  }
}

void StackSources::readStackSizes(FileId f) {
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
      const Node node = nodeAt(place);
      if (node == kNone)
        continue;
      CallGraph::Symbol &info = factsOf(node);
      auto &value = size.size & sumBit ? info.withCallees : info.frame;
      value = std::max(value.value_or(0), size.size & ~sumBit);
    }
  }
}

/// The functions of a file by the names that its symbols have, in the output.
const StringMap<Node> &StackSources::functionsOf(FileId f) {
  auto [it, fresh] = byFile.try_emplace(f);
  StringMap<Node> &map = it->second;
  if (!fresh)
    return map;
  const InputFile &file = link.program.files[f];
  for (const ParsedSymbol &s : file.object->symbols)
    if (s.place == SymbolPlace::Section && !s.name.empty() &&
        (s.type == ELF::STT_FUNC || s.type == ELF::STT_NOTYPE))
      if (const Node node =
              nodeAt({file.sectionBase + s.section, s.value}, true);
          node != kNone)
        map.try_emplace(s.name, node);
  return map;
}

void StackSources::readNotedFrames(const StackNotes &notes) {
  const StringMap<Node> &functions = functionsOf(notes.file);
  StringMap<std::vector<Node>> plain; // made for the first name of C++
  auto note = [&](Node node, const NotedFunction &noted) {
    CallGraph::Symbol &info = factsOf(node);
    info.frame = std::max(info.frame.value_or(0), *noted.bytes);
    info.dynamic |= noted.dynamic;
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

void StackSources::addFunctions() {
  const Node stated = Node(graph.size());
  for (FileId file : link.program.files.ids())
    addFile(file);
  linkAliases(stated);
  for (FileId file : link.program.files.ids())
    readStackSizes(file);
  for (const StackNotes &notes : link.program.stackInputs.notes)
    readNotedFrames(notes);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Whom a relocation of a call or a branch names; kNone: nobody. Where the row
/// is also one of instructions that compute, what is no code is not called.
Node StackSources::calleeOf(FileId f, const Relocation &rel,
                            const RelocationRow &row) {
  const InputFile &file = link.program.files[f];
  const ParsedSymbol &parsed = file.object->symbols[rel.symbol];
  const bool computes = row.takesAddress || row.alsoJumps;
  if (const Place place = placeOf(file, rel.symbol, rel.addend);
      place.section != kNone) {
    const Node node = nodeAt(place);
    if (node != kNone || parsed.name.empty() || computes)
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
    if (node != kNone || computes)
      return node;
  }
  return graph.nodeOf(f, rel.symbol);
}

void StackSources::addRelocatedCall(SectionId id, const Relocation &rel,
                                    const RelocationRow &row, Use use) {
  const FileId f = link.program.sections[id].file;
  const InputFile &file = link.program.files[f];
  const Place place = placeOf(file, rel.symbol, rel.addend);
  if (place.section == id)
    densities[id].keepsLocal = true;
  if (place.section == id && place.offset == rel.offset)
    return; // a jump to itself ends the program
  const Node callee = calleeOf(f, rel, row);
  if (callee == kNone)
    return;
  const Node caller = nodeAt({id, rel.offset});
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
void StackSources::addInnerBranches() {
  if (innerBranches.empty())
    return;
  std::vector<std::pair<Node, Node>> all = graph.stated;
  all.insert(all.end(), innerBranches.begin(), innerBranches.end());
  const Digraph::Components groups = Digraph(graph.size(), all).components();
  for (auto [from, to] : innerBranches)
    if (groups.of[from] == groups.of[to])
      ++returning;
    else
      graph.addCall(from, to);
}

void StackSources::readRelocations(SectionId id) {
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
    const Use use = row->alsoJumps ? Use::Branch : row->use;
    if (isCode && (use == Use::Call || use == Use::Branch))
      addRelocatedCall(id, rel, *row, use);
    else if (const Node node =
                 nodeAt(placeOf(file, rel.symbol, rel.addend), true);
             node != kNone)
      factsOf(node).addressTaken = true; // kept, or passed on
  }
  if (const auto it = densities.find(id); it != densities.end() &&
                                          it->second.functions > 1 &&
                                          !it->second.keepsLocal)
    silent.push_back(id);
}

//===----------------------------------------------------------------------===//
// Notes of compilers
//===----------------------------------------------------------------------===//

void StackSources::readNotedCalls(const StackNotes &notes) {
  if (!notes.hasCalls)
    return;
  const StringMap<Node> &functions = functionsOf(notes.file);
  for (const NotedFunction &noted : notes.functions)
    if (const auto it = functions.find(noted.name); it != functions.end())
      factsOf(it->second).callsNoted = true;
  for (const NotedCall &call : notes.calls) {
    const auto caller = functions.find(call.caller);
    if (caller == functions.end())
      continue; // nobody needs it
    if (call.indirect) {
      CallGraph::Symbol &info = factsOf(caller->second);
      if (!info.indirect)
        info.indirectPlace = call.place;
      info.indirect = true;
      continue;
    }
    Node callee = kNone;
    if (const auto it = functions.find(call.callee); it != functions.end())
      callee = it->second;
    else if (const SymbolId id = link.program.symbols.find(call.callee);
             id != kNone)
      callee = functionOf(id);
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
    for (const auto &[key, node] : names) {
      add(key, node);
      add(shownNames.emplace_back(demangled(key)), node);
    }
  const auto it = byName.find(name);
  return it == byName.end() ? ArrayRef<Node>() : ArrayRef<Node>(it->second);
}

/// The node of the functions of a name, or else of those that it matches as a
/// pattern: of several a set, so that there are as many calls as names, not as
/// pairs. kNone: there are none.
Node StackSources::matching(StringRef pattern) {
  auto [known, fresh] = byPattern.try_emplace(pattern, kNone);
  if (!fresh)
    return known->second;
  std::vector<Node> nodes = named(pattern).vec();
  if (nodes.empty() && pattern.find_first_of("*?[") != StringRef::npos)
    for (size_t i = 0; i < names.size(); ++i)
      if (globMatch({pattern, true}, names[i].first) ||
          globMatch({pattern, true}, shownNames[i]))
        nodes.push_back(names[i].second);
  if (nodes.size() < 2)
    return known->second = nodes.empty() ? Node(kNone) : nodes.front();
  auto [set, isNew] = sets.try_emplace(nodes, kNone);
  if (isNew) {
    set->second = graph.addSet();
    for (Node node : nodes)
      graph.addCall(set->second, node);
  }
  return known->second = set->second;
}

void StackSources::readStatedCalls() {
  const StackInputs &inputs = link.program.stackInputs;
  DenseSet<std::pair<Node, Node>> seen;
  for (const StatedCalls &calls : inputs.calls) {
    auto missing = [&](StringRef what, const char *verb) {
      diag.warn(WarningGroup::Stack,
                inputs.callsPath + ":" + std::to_string(calls.line) +
                    ": no function " + verb + " '" + what.str() + "'");
    };
    const std::vector<Node> callers = named(calls.caller).vec();
    if (callers.empty())
      missing(calls.caller, "of the program is called");
    for (Node caller : callers)
      factsOf(caller).callsStated = true;
    for (StringRef pattern : calls.callees) {
      const Node callee = matching(pattern);
      if (callee == kNone)
        missing(pattern, "of the program matches");
      else
        for (Node caller : callers)
          if (seen.insert({caller, callee}).second)
            graph.addCall(caller, callee);
    }
  }
}

void StackSources::addCalls() {
  for (SectionId id : link.program.sections.ids(1))
    readRelocations(id);
  for (const StackNotes &notes : link.program.stackInputs.notes)
    readNotedCalls(notes);
  readStatedCalls();
  addInnerBranches();
}

} // namespace xlink
