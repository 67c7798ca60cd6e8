//===- Thunks.cpp - code between callers and functions --------------------===//
//
// Problem: one function can have a declaration in each of two languages, and
// the languages may pass different arguments for the same parameters. A linker
// that binds such a call makes a program that reads undefined values.
//
// Method: the type that a function's own object states is compared with that of
// every object that refers to it; the machine says whether code between them is
// needed, and gives its bytes. For each pair of a function and a way of calling
// it there is one section, all in one object that the linker makes: with a
// symbol for each, the reference to the function as a relocation, and
// statements about calls and stack words as a compiler would write them. So
// collection, relocation, expressions and reports need no special case. In the
// calling object, the symbol and thereby all its references are bound to the
// code instead: an address that is taken may be called too.
//
// Cost: one look at each stated type; relocations only of objects that need a
// thunk.
//
//===----------------------------------------------------------------------===//
#include "input/TypeString.h"
#include "sections/SyntheticSections.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/xxhash.h"
#include <deque>
#include <map>

using namespace llvm;

namespace xlink {

namespace {

/// The statement of a function's own object.
struct TypedCallee {
  FileId file;
  const TypeEntry *entry;
  TypeString type;
};

/// A function and a way of calling it.
struct PlannedThunk {
  SymbolId callee;
  std::string name; ///< of the code's symbol
  ThunkCode conversion;
};

/// The object that is made, and the memory of its names and bytes.
struct ThunkObject {
  ParsedObject object;
  std::deque<std::string> names;
  std::deque<std::vector<uint8_t>> bytes;
};

/// Suffix of the symbols that hold a function's stack words; empty: none.
static StringRef stackSuffix(const Target &target) {
  for (const ResourceSymbol &r : target.resourceSymbols)
    if (r.resource == Resource::StackWords)
      return r.suffix;
  return {};
}

struct ThunkBuilder {
  /// The functions that a file calls, each with its thunk.
  struct Redirection {
    FileId file;
    SymbolId callee;
    uint32_t thunk;
  };

  Program &program;
  DenseMap<SymbolId, TypedCallee> callees{};
  std::vector<PlannedThunk> thunks = {};
  std::map<std::pair<SymbolId, std::string>, uint32_t> byOutline = {};
  std::vector<Redirection> redirections = {};

  SymbolId globalOf(FileId f, uint32_t symbol) const {
    return program.symbolIds[program.files[f].symbolBase + symbol];
  }

  void findCallees() {
    for (FileId f : program.files.ids())
      for (const TypeEntry &entry : program.files[f].object->types) {
        if (entry.symbol == 0)
          continue;
        const SymbolId id = globalOf(f, entry.symbol);
        if (id == kNone)
          continue;
        const Symbol &s = program.symbols[id];
        if (s.kind != SymbolKind::Defined || s.file != f || s.scriptDefined)
          continue;
        TypeString::Fault fault;
        std::optional<TypeString> type = TypeString::parse(entry.type, fault);
        if (!type)
          continue;
        if (std::optional<CallShape> shape = type->callShape();
            shape && !shape->bounds().empty())
          callees.try_emplace(id, TypedCallee{f, &entry, std::move(*type)});
      }
  }

  /// The symbols that a file's relocations in memory name.
  DenseSet<uint32_t> referenced(FileId f) const {
    const InputFile &file = program.files[f];
    DenseSet<uint32_t> result;
    for (uint32_t i = 1; i < file.object->sections.size(); ++i) {
      const ParsedSection &section = file.object->sections[i];
      if (!(section.flags & ELF::SHF_ALLOC) ||
          program.sections[file.sectionBase + i].discarded)
        continue;
      for (uint32_t r = section.relocBegin; r < section.relocEnd; ++r)
        result.insert(file.object->relocations[r].symbol);
    }
    return result;
  }

  void readCaller(FileId f) {
    const InputFile &file = program.files[f];
    DenseSet<uint32_t> used;
    DenseSet<SymbolId> seen;
    for (const TypeEntry &entry : file.object->types) {
      if (entry.symbol == 0)
        continue;
      auto it = callees.find(globalOf(f, entry.symbol));
      if (it == callees.end() || it->second.file == f ||
          !seen.insert(it->first).second)
        continue;
      const TypedCallee &callee = it->second;
      TypeString::Fault fault;
      std::optional<TypeString> type = TypeString::parse(entry.type, fault);
      std::optional<CallShape> shape;
      if (type)
        shape = type->callShape();
      if (!shape)
        continue; // no function: not called; the types are diagnosed
      ThunkCode conversion = program.target->thunkMaker->convert(
          *shape, *callee.type.callShape(), program.state);
      if (conversion.code.empty() && !conversion.failure)
        continue;
      if (used.empty())
        used = referenced(f);
      if (!used.contains(entry.symbol))
        continue;
      if (conversion.failure) {
        program.missingThunks.push_back({f, entry.symbol,
                                         conversion.failure->parameter,
                                         std::move(conversion.failure->reason),
                                         &entry, callee.entry, callee.file});
        continue;
      }
      const std::string outline = type->outline();
      auto [thunk, isNew] =
          byOutline.try_emplace({it->first, outline}, uint32_t(thunks.size()));
      if (isNew)
        thunks.push_back({it->first,
                          program.target->thunkMaker->name(
                              program.symbols[it->first].name, outline),
                          std::move(conversion)});
      redirections.push_back({f, it->first, thunk->second});
    }
  }

  uint32_t addSymbol(ThunkObject &made, StringRef name, SymbolPlace place,
                     uint8_t type, uint32_t section) {
    ParsedSymbol &symbol = made.object.symbols.emplace_back();
    symbol.name = made.names.emplace_back(name.str());
    symbol.hash = xxh3_64bits(symbol.name);
    symbol.place = place;
    symbol.binding = ELF::STB_GLOBAL;
    symbol.type = type;
    symbol.section = section;
    return uint32_t(made.object.symbols.size() - 1);
  }

  void addStatement(ThunkObject &made, ExprOp op, uint32_t result,
                    ExprOperand first, ExprOperand second) const {
    for (const ExprOperator &known : program.target->exprOperators)
      if (known.op == op) {
        made.object.expressions.push_back(
            {known.number, op, result, {first, second, {}}});
        return;
      }
  }

  void addThunk(ThunkObject &made, const PlannedThunk &thunk) {
    const ThunkCode &conversion = thunk.conversion;
    const StringRef callee = program.symbols[thunk.callee].name;
    const uint32_t index = uint32_t(made.object.sections.size());
    ParsedSection &section = made.object.sections.emplace_back();
    section.name = ".text";
    section.type = ELF::SHT_PROGBITS;
    section.flags = ELF::SHF_ALLOC | ELF::SHF_EXECINSTR;
    section.setData(made.bytes.emplace_back(conversion.code));
    section.align = conversion.align;
    section.kind = SectionKind::Regular;
    section.relocBegin = uint32_t(made.object.relocations.size());

    const uint32_t code =
        addSymbol(made, thunk.name, SymbolPlace::Section, ELF::STT_FUNC, index);
    made.object.symbols[code].size = section.size;
    const uint32_t function =
        addSymbol(made, callee, SymbolPlace::Undefined, ELF::STT_NOTYPE, 0);
    Relocation reference;
    reference.offset = conversion.reference.offset;
    reference.type = conversion.reference.type;
    reference.addend = conversion.reference.addend;
    reference.symbol = function;
    made.object.relocations.push_back(reference);
    section.relocEnd = uint32_t(made.object.relocations.size());

    const ExprOperand words{ExprOperand::Constant, conversion.stackWords, {}};
    auto symbol = [](uint32_t i) {
      return ExprOperand{ExprOperand::Symbol, i, {}};
    };
    addStatement(made, ExprOp::Calls, code, symbol(function), {});
    addStatement(made, ExprOp::StackWords, code, words, {});
    const StringRef suffix = stackSuffix(*program.target);
    const std::string total = (callee + suffix).str();
    if (suffix.empty() || program.symbols.find(total) == kNone)
      return;
    const uint32_t result =
        addSymbol(made, thunk.name + suffix.str(), SymbolPlace::Absolute,
                  ELF::STT_NOTYPE, 0);
    const uint32_t needs =
        addSymbol(made, total, SymbolPlace::Undefined, ELF::STT_NOTYPE, 0);
    addStatement(made, ExprOp::Add, result, symbol(needs), words);
  }

  /// Enters the made object's symbols. An existing definition of a name is that
  /// code.
  void bindSymbols(FileId f) {
    const InputFile &file = program.files[f];
    for (uint32_t i = 1; i < file.object->symbols.size(); ++i) {
      const ParsedSymbol &symbol = file.object->symbols[i];
      const SymbolId id = program.symbols.insert(symbol.name, symbol.hash);
      program.symbolIds[file.symbolBase + i] = id;
      Symbol &s = program.symbols[id];
      s.referenced = true;
      if (symbol.place == SymbolPlace::Undefined || s.isDefined() ||
          s.scriptDefined)
        continue;
      const bool inSection = symbol.place == SymbolPlace::Section;
      s.kind = inSection ? SymbolKind::Defined : SymbolKind::Absolute;
      if (inSection)
        s.section = file.sectionBase + symbol.section;
      s.binding = symbol.binding;
      s.type = symbol.type;
      s.size = symbol.size;
      s.file = f;
      s.index = i;
    }
  }

  /// Binds the callers' symbols of the function and of its stack words to the
  /// code's.
  void redirect() {
    const StringRef suffix = stackSuffix(*program.target);
    size_t next = 0;
    while (next < redirections.size()) {
      const FileId f = redirections[next].file;
      DenseMap<SymbolId, SymbolId> instead;
      for (; next < redirections.size() && redirections[next].file == f;
           ++next) {
        const PlannedThunk &thunk = thunks[redirections[next].thunk];
        instead[thunk.callee] = program.symbols.find(thunk.name);
        if (suffix.empty())
          continue;
        const StringRef callee = program.symbols[thunk.callee].name;
        const SymbolId words = program.symbols.find((callee + suffix).str());
        const SymbolId more = program.symbols.find(thunk.name + suffix.str());
        if (words != kNone && more != kNone)
          instead[words] = more;
      }
      const InputFile &file = program.files[f];
      for (uint32_t i = 1; i < file.object->symbols.size(); ++i)
        if (auto it = instead.find(program.symbolIds[file.symbolBase + i]);
            it != instead.end() &&
            file.object->symbols[i].place == SymbolPlace::Undefined)
          program.symbolIds[file.symbolBase + i] = it->second;
    }
    for (const PlannedThunk &thunk : thunks)
      program.thunks.push_back(
          {program.symbols.find(thunk.name), thunk.callee});
  }

  void run() {
    findCallees();
    if (callees.empty())
      return;
    for (FileId f : program.files.ids())
      readCaller(f);
    if (thunks.empty())
      return;
    auto made = std::make_shared<ThunkObject>();
    ParsedObject &object = made->object;
    object.path = program.fileName(kNone);
    object.machine = program.state.machine;
    object.flags = program.state.flags;
    object.osabi = program.state.osabi;
    object.sections.resize(1);
    object.symbols.resize(1);
    for (const PlannedThunk &thunk : thunks)
      addThunk(*made, thunk);
    program.owners.push_back(made);
    bindSymbols(program.addFile({made, &made->object}));
    redirect();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// The object
//===----------------------------------------------------------------------===//

void makeThunks(Program &program) {
  if (program.target->thunkMaker)
    ThunkBuilder{program}.run();
}

//===----------------------------------------------------------------------===//
// Code that cannot be made
//===----------------------------------------------------------------------===//

void checkThunks(const Link &link, Diagnostics &diag) {
  const Program &program = link.program;
  for (const MissingThunk &missing : program.missingThunks) {
    const InputFile &file = program.files[missing.file];
    auto firstUse = [&]() -> std::optional<std::string> {
      for (uint32_t i = 1; i < file.object->sections.size(); ++i) {
        const ParsedSection &section = file.object->sections[i];
        const SectionId id = file.sectionBase + i;
        if (!(section.flags & ELF::SHF_ALLOC) || !link.placed(id))
          continue;
        for (uint32_t r = section.relocBegin; r < section.relocEnd; ++r)
          if (const Relocation &rel = file.object->relocations[r];
              rel.symbol == missing.symbol && link.keepsByte(id, rel.offset))
            return program.place(id, rel.offset);
      }
      return std::nullopt;
    };
    const std::optional<std::string> place = firstUse();
    if (!place)
      continue;
    auto declared = [&](FileId f, const TypeEntry &entry) {
      TypeString::Fault fault;
      return program.fileName(f) + ": " +
             TypeString::parse(entry.type, fault)->declare(entry.name);
    };
    diag.error(*place + ": the bound of parameter " +
                   std::to_string(missing.parameter) + " of '" +
                   program.shownName(missing.callee->name) +
                   "' is not passed where the function expects it",
               {declared(missing.definedIn, *missing.callee),
                declared(missing.file, *missing.caller),
                "no code between them can pass it: " + missing.reason});
  }
}

} // namespace xlink
