//===- StackSources.cpp ---------------------------------------------------===//
//
// Problem: the callees of each function, and its frame. Compilers scatter them
// over sections, relocations and files beside the objects, and name functions
// in as many ways: by a global symbol, a section and an offset, an alias, an
// address that a script assigns, a name as the language has it.
//
// Method: every one of them becomes the place where the function begins, in the
// section that is in the output for it; the symbol that stands first there is
// the function's node. A relocation of a call or a branch that leads out of a
// function is a call: a tail call too, though its caller's frame may be gone,
// so that the sum is never too small. A branch to another place of one's own
// function is none. Where an object states the callees of a function,
// relocations of the function are passed over: there the address of a thread's
// code looks like a call. A function that data refers to, or code outside of
// calls, may be called by any code. Of several numbers for a frame the largest
// counts.
//
// Calls through pointers have no relocation: compilers' files state them, or
// the user does. Calls inside of a section whose relocations are not kept are
// not seen; such sections are listed.
//
// Cost: a binary search for each relocation of live code, and a look-up of each
// name in a question. Each pattern with wildcards looks at all names once.
//
//===----------------------------------------------------------------------===//
#include "input/StackFiles.h"
#include "layout/EnclosingSymbols.h"
#include "report/CallGraph.h"
#include "report/Reports.h"
#include "resolve/InputLoader.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace xlink {

using Node = CallGraph::Node;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Reads the files that compilers left beside objects.
static void readBeside(Program &program, vfs::FileSystem *fs,
                       Diagnostics &diag) {
  const std::pair<const char *, decltype(&readStackUsageFile)> kinds[] = {
      {"su", readStackUsageFile}, {"ci", readCallGraphFile}};
  std::vector<StackNotes> &list = program.stackInputs.notes;
  for (FileId file : program.files.ids()) {
    const ParsedObject &object = *program.files[file].object;
    if (!object.archive.empty() || object.isBinary || object.justSymbols)
      continue;
    for (auto [extension, read] : kinds) {
      SmallString<128> path(object.path);
      sys::path::replace_extension(path, extension);
      std::string error;
      if (const std::shared_ptr<MemoryBuffer> buffer =
              openPart(program, fs, path.str().str(), error)) {
        list.push_back({file, path.str().str()});
        read(buffer->getBuffer(), list.back(), diag);
      }
    }
  }
  if (list.empty())
    diag.warn(WarningGroup::Stack,
              "--stack-usage-files: there is no .su or .ci file beside any "
              "object",
              {"-fstack-usage of gcc and clang writes foo.su beside foo.o, "
               "-fcallgraph-info of gcc writes foo.ci"});
}

void readReportInputs(Program &program, vfs::FileSystem *fs,
                      Diagnostics &diag) {
  const Config &config = program.config;
  for (const std::string *path : {&config.sizeBudget, &config.baseline})
    if (!path->empty())
      program.readFiles.push_back({ReadFile::Part, *path, {}});
  if (!wantsStackUsage(config))
    return;
  if (config.stackUsageFiles)
    readBeside(program, fs, diag);
  if (config.stackCalls.empty())
    return;
  std::string error;
  if (const std::shared_ptr<MemoryBuffer> buffer =
          openPart(program, fs, config.stackCalls, error))
    program.stackInputs.calls =
        readStackCalls(config.stackCalls, buffer->getBuffer(), diag);
  else
    diag.error("cannot open the file of --stack-calls " + config.stackCalls +
               ": " + error);
}

//===----------------------------------------------------------------------===//
// Functions and calls
//===----------------------------------------------------------------------===//

namespace {

/// Adds functions, frames and calls to a graph.
class StackReader {
public:
  StackReader(const Link &link, CallGraph &graph, Diagnostics &diag)
      : link(link), program(link.program), graph(graph), diag(diag),
        enclosing(program, /*labels=*/true) {}

  void addFunctions() {
    const Node stated = Node(graph.size());
    for (FileId file : program.files.ids())
      addFile(file);
    linkAliases(stated);
    for (FileId file : program.files.ids())
      readStackSizes(file);
  }

  void addCalls() {
    for (SectionId id : program.sections.ids(1))
      readRelocations(id);
    for (const StackNotes &notes : program.stackInputs.notes)
      readNotes(notes);
    readStatedCalls();
    addInnerBranches();
  }

private:
  using Place = PartialLink::InputByte; // section kNone: nowhere
  struct Name {
    StringRef name;
    std::string shown; ///< demangled
    Node node;
  };

  /// The same place in the section that a folded one is equal to.
  Place inForce(Place place) const {
    if (place.section != kNone)
      place.section = link.contributions.standIn(place.section);
    return place;
  }

  /// Where a symbol is. An addend counts where the symbol names a section: that
  /// of a call to a function may be the machine's.
  Place placeOf(const InputFile &file, uint32_t symbol, int64_t addend) const {
    const SymbolId id = program.symbolIds[file.symbolBase + symbol];
    if (id != kNone)
      return inForce(link.definitionOf(id));
    const ParsedSymbol &s = file.object->symbols[symbol];
    const bool isSection = s.type == ELF::STT_SECTION;
    return inForce({program.sectionOf(file, symbol),
                    s.value + (isSection ? uint64_t(addend) : 0)});
  }

  /// The function around a place, or only one that begins there.
  Node nodeAt(const Place &place, bool startOnly = false) {
    if (place.section == kNone || !link.placed(place.section))
      return kNone;
    const InputSection &s = program.sections[place.section];
    if (s.file == kNone || !s.parsed || !(s.parsed->flags & ELF::SHF_EXECINSTR))
      return kNone;
    const ParsedSymbol *found = enclosing.find(place.section, place.offset);
    if (!found || (startOnly && found->value != place.offset))
      return kNone;
    const ParsedObject &object = *program.files[s.file].object;
    const Node node =
        graph.addDefinition(s.file, uint32_t(found - object.symbols.data()));
    CallGraph::Symbol &info = graph[node];
    info.section = place.section;
    info.offset = found->value;
    return node;
  }

  /// The function that begins at an address.
  Node nodeAtAddress(uint64_t address) {
    if (byAddress.empty())
      for (const Name &name : names) {
        const CallGraph::Symbol &info = graph[name.node];
        byAddress.try_emplace(link.addressOf(info.section, info.offset),
                              name.node);
      }
    const auto it = byAddress.find(address);
    return it == byAddress.end() ? Node(kNone) : it->second;
  }

  Node functionOf(SymbolId id) {
    if (const Place place = inForce(link.definitionOf(id));
        place.section != kNone)
      return nodeAt(place, true);
    const BoundSymbol s = link.symbol(id);
    return s.isDefined() ? nodeAtAddress(link.addressOf(s)) : Node(kNone);
  }

  /// Calls fn(symbol, node) for each symbol of a file that names a function in
  /// the output.
  template <class Fn> void forEachFunction(FileId f, Fn fn) {
    const InputFile &file = program.files[f];
    for (const ParsedSymbol &s : file.object->symbols)
      if (s.place == SymbolPlace::Section && !s.name.empty() &&
          (s.type == ELF::STT_FUNC || s.type == ELF::STT_NOTYPE))
        if (const Node node =
                nodeAt({file.sectionBase + s.section, s.value}, true);
            node != kNone)
          fn(s, node);
  }

  void addFile(FileId f) {
    const InputFile &file = program.files[f];
    forEachFunction(f, [&](const ParsedSymbol &s, Node node) {
      if (s.type == ELF::STT_NOTYPE && s.name.starts_with(".L"))
        return;
      names.push_back({s.name, demangled(s.name), node});
      for (StringRef name : {names.back().name, StringRef(names.back().shown)})
        if (std::vector<Node> &nodes = graph.byName[name];
            nodes.empty() || nodes.back() != node)
          nodes.push_back(node);
      const CallGraph::Symbol &function = graph[node];
      if (function.file == f && &file.object->symbols[function.index] == &s)
        ++functionCounts[file.sectionBase + s.section];
    });
  }

  /// Names that statements use and that are not their function's first one.
  void linkAliases(Node end) {
    for (Node node = 0; node < end; ++node) {
      const CallGraph::Symbol &s = graph[node];
      if (s.isStatement || !s.defined)
        continue;
      const InputFile &file = program.files[s.file];
      const Node function = s.id != kNone
                                ? functionOf(s.id)
                                : nodeAt(placeOf(file, s.index, 0), true);
      if (function == kNone || function == node)
        continue;
      graph[node].isAlias = true;
      graph.addCall(node, function);
    }
  }

  void readStackSizes(FileId f) {
    const InputFile &file = program.files[f];
    const uint64_t sumBit = program.target->stackSizeWithCallees;
    for (uint32_t i = 1; i < file.object->sections.size(); ++i) {
      const ParsedSection &section = file.object->sections[i];
      if (!isStackSizes(section))
        continue;
      std::vector<StackSize> sizes;
      if (const auto error = xlink::readStackSizes(
              *file.object, section, program.addressSize(), sizes))
        diag.warn(WarningGroup::Stack,
                  program.place(file.sectionBase + i, error->offset) + ": " +
                      error->text,
                  {"functions that it would tell of count as unknown"});
      for (const StackSize &size : sizes) {
        const Relocation &rel = file.object->relocations[size.relocation];
        Place place = placeOf(file, rel.symbol, rel.addend);
        // It is a word of data: the addend is no machine's, whatever the
        // symbol.
        if (file.object->symbols[rel.symbol].type != ELF::STT_SECTION)
          place.offset += uint64_t(rel.addend);
        // Of a function that several objects define, the one in force speaks.
        const SymbolId id = program.symbolIds[file.symbolBase + rel.symbol];
        if (id != kNone && program.symbols[id].file != f)
          continue;
        const Node node = nodeAt(place);
        if (node == kNone)
          continue;
        CallGraph::Symbol &info = graph[node];
        auto &value = size.size & sumBit ? info.withCallees : info.frame;
        value = std::max(value.value_or(0), size.size & ~sumBit);
      }
    }
  }

  //===----------------------------------------------------------------------===//
  // Calls
  //===----------------------------------------------------------------------===//

  /// The function that a relocation of a call or a branch names; kNone: none.
  /// Where the row is also one of instructions that compute, its symbol is
  /// called only if it is code.
  Node calleeOf(FileId f, const Relocation &rel, const RelocationRow &row,
                const Place &place) {
    const InputFile &file = program.files[f];
    const SymbolId id = program.symbolIds[file.symbolBase + rel.symbol];
    Node node = kNone;
    bool computes = row.takesAddress || row.alsoJumps;
    if (place.section != kNone) {
      node = nodeAt(place);
      computes |= file.object->symbols[rel.symbol].name.empty();
    } else if (id == kNone) {
      return kNone;
    } else if (const BoundSymbol s = link.symbol(id); s.isDefined()) {
      node = nodeAtAddress(link.addressOf(s));
    } else {
      if (!s.strongReference)
        return kNone; // weak and undefined: the call is never reached
      computes = false;
    }
    return node != kNone || computes ? node : graph.nodeOf(f, rel.symbol);
  }

  void addRelocatedCall(SectionId id, const Relocation &rel,
                        const RelocationRow &row, Use use) {
    const FileId f = program.sections[id].file;
    const InputFile &file = program.files[f];
    const Place place = placeOf(file, rel.symbol, rel.addend);
    if (place.section == id)
      functionCounts.erase(id); // its assembler keeps such relocations
    if (place.section == id && place.offset == rel.offset)
      return; // a jump to itself ends the program
    const Node callee = calleeOf(f, rel, row, place);
    if (callee == kNone)
      return;
    const Node caller = nodeAt({id, rel.offset});
    if (caller == kNone) {
      ++graph.namelessCalls;
      graph[callee].addressTaken = true;
      return;
    }
    // A branch inside of a function is no call, nor is one to its beginning.
    const bool inner = place.offset != graph[callee].offset;
    if (caller == callee && (use == Use::Branch || inner))
      return;
    if (graph[caller].isStated) {
      graph[caller].calls = true;
      return;
    }
    if (use == Use::Branch && inner && place.section != kNone)
      innerBranches.emplace_back(caller, callee);
    else
      graph.addCall(caller, callee);
  }

  /// A branch into the middle of a function skips the code of its frame. Where
  /// the function leads to the branch, as it does to a part of its own that
  /// stands elsewhere, or to the end of the program, that is the way back and
  /// no call. Others count as calls.
  void addInnerBranches() {
    if (innerBranches.empty())
      return;
    std::vector<std::pair<Node, Node>> all = graph.stated;
    all.insert(all.end(), innerBranches.begin(), innerBranches.end());
    const Digraph::Components groups = Digraph(graph.size(), all).components();
    for (auto [from, to] : innerBranches)
      if (groups.of[from] == groups.of[to])
        ++graph.returningBranches;
      else
        graph.addCall(from, to);
  }

  void readRelocations(SectionId id) {
    const InputSection &s = program.sections[id];
    if (!s.parsed || s.file == kNone || !(s.parsed->flags & ELF::SHF_ALLOC) ||
        !link.placed(id))
      return;
    const bool isCode = s.parsed->flags & ELF::SHF_EXECINSTR;
    const bool unwinds = s.parsed->name == ".eh_frame";
    const InputFile &file = program.files[s.file];
    for (uint32_t r = s.parsed->relocBegin; r < s.parsed->relocEnd; ++r) {
      const Relocation &rel = file.object->relocations[r];
      const RelocationRow *row = findRelocation(*program.target, rel.type);
      if (!row || !row->hasField() || rel.symbol == 0 || unwinds ||
          !link.keepsByte(id, rel.offset))
        continue;
      const Use use = row->alsoJumps ? Use::Branch : row->use;
      if (isCode && (use == Use::Call || use == Use::Branch))
        addRelocatedCall(id, rel, *row, use);
      else if (const Node node =
                   nodeAt(placeOf(file, rel.symbol, rel.addend), true);
               node != kNone)
        graph[node].addressTaken = true; // kept, or passed on
    }
    if (functionCounts.lookup(id) > 1)
      graph.silentSections.push_back(id);
  }

  /// Adds the frames and calls of a compiler's file.
  void readNotes(const StackNotes &notes) {
    StringMap<Node> functions;          // by symbol
    StringMap<std::vector<Node>> plain; // by the common part of C++ names
    forEachFunction(notes.file, [&](const ParsedSymbol &s, Node node) {
      functions.try_emplace(s.name, node);
    });
    auto addFrame = [&](Node node, const NotedFunction &noted) {
      CallGraph::Symbol &info = graph[node];
      info.frame = std::max(info.frame.value_or(0), *noted.bytes);
      info.dynamic |= noted.dynamic;
    };
    for (const NotedFunction &noted : notes.functions) {
      if (const auto it = functions.find(noted.name); it != functions.end()) {
        addFrame(it->second, noted);
        graph[it->second].callsNoted |= notes.hasCalls;
        continue;
      }
      if (plain.empty())
        for (const auto &entry : functions)
          plain[plainFunctionName(demangled(entry.first()))].push_back(
              entry.second);
      // Overloads and copies share a name: each gets the largest frame.
      if (const std::string name = plainFunctionName(noted.name); !name.empty())
        for (Node node : plain.lookup(name))
          addFrame(node, noted);
    }
    for (const NotedCall &call : notes.calls) {
      const auto caller = functions.find(call.caller);
      if (caller == functions.end())
        continue; // it is not in the output
      if (call.indirect) {
        CallGraph::Symbol &info = graph[caller->second];
        if (!info.indirect)
          info.indirectPlace = call.place;
        info.indirect = true;
        continue;
      }
      Node callee = kNone;
      if (const auto it = functions.find(call.callee); it != functions.end())
        callee = it->second;
      else if (const SymbolId id = program.symbols.find(call.callee);
               id != kNone)
        callee = functionOf(id);
      if (callee != kNone)
        graph.addCall(caller->second, callee);
    }
  }

  /// The node of the functions of a name, or else of those that it matches as a
  /// pattern: of several a set, so that there are as many calls as names, not
  /// as pairs. kNone: there are none.
  Node matching(StringRef pattern) {
    auto [known, fresh] = byPattern.try_emplace(pattern, kNone);
    if (!fresh)
      return known->second;
    std::vector<Node> nodes = graph.byName.lookup(pattern);
    if (nodes.empty() && pattern.find_first_of("*?[") != StringRef::npos)
      for (const Name &name : names)
        if (globMatch({pattern, true}, name.name) ||
            globMatch({pattern, true}, name.shown))
          nodes.push_back(name.node);
    if (nodes.size() < 2)
      return known->second = nodes.empty() ? Node(kNone) : nodes.front();
    known->second = graph.addSet();
    for (Node node : nodes)
      graph.addCall(known->second, node);
    return known->second;
  }

  void readStatedCalls() {
    for (const StatedCalls &calls : program.stackInputs.calls) {
      auto missing = [&](StringRef name, const char *verb) {
        diag.warn(WarningGroup::Stack, calls.place + ": no function " + verb +
                                           " '" + name.str() + "'");
      };
      const std::vector<Node> callers = graph.byName.lookup(calls.caller);
      if (callers.empty())
        missing(calls.caller, "of the program is called");
      for (Node caller : callers)
        graph[caller].callsStated = true;
      for (StringRef pattern : calls.callees) {
        const Node callee = matching(pattern);
        if (callee == kNone)
          missing(pattern, "of the program matches");
        for (Node caller : callers)
          if (callee != kNone)
            graph.addCall(caller, callee);
      }
    }
  }

  const Link &link;
  const Program &program;
  CallGraph &graph;
  Diagnostics &diag;
  EnclosingSymbols enclosing;
  std::vector<Name> names;   ///< of live functions, aliases among them
  StringMap<Node> byPattern; ///< see matching()
  /// Made when first needed. LLVM's maps have no place for an address of -1.
  std::unordered_map<uint64_t, Node> byAddress;
  DenseMap<SectionId, uint32_t> functionCounts;
  std::vector<std::pair<Node, Node>> innerBranches; ///< into the middle
};

} // namespace

/// The larger of a statement in words and of a compiler's number of bytes.
static void toBytes(StatedValue &stated, const std::optional<uint64_t> &bytes,
                    uint64_t word) {
  if (stated.kind == StatedValue::Value)
    stated.value *= word;
  if (bytes && stated.kind != StatedValue::Unresolved) {
    stated.value = std::max(stated.value, *bytes);
    stated.kind = StatedValue::Value;
  }
}

CallGraph stackGraph(const Link &link, const SymbolValues &values,
                     Diagnostics &diag) {
  CallGraph graph(link, values);
  StackReader reader(link, graph, diag);
  reader.addFunctions();
  graph.readTotals();
  reader.addCalls();
  graph.settle();
  const uint64_t word = link.program.addressSize();
  for (Node node = 0; node < graph.size(); ++node) {
    CallGraph::Symbol &function = graph[node];
    constexpr size_t words = size_t(Resource::StackWords);
    toBytes(function.own[words], function.frame, word);
    toBytes(function.total[words], function.withCallees, word);
  }
  return graph;
}

} // namespace xlink
