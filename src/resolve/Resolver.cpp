//===- Resolver.cpp -------------------------------------------------------===//
//
// Problem: of several definitions of a name one must win, archive members join
// only when something needs them, and of equal COMDAT groups one copy stays;
// the outcome must depend on the order of inputs alone.
//
// Method: objects are entered one after the other; those in front of the first
// archive, where no member can come in between, while others are parsed. Which
// definition counts is said in SymbolPrecedence.cpp. A strong reference to a
// name that an archive defines extracts the member at once, and the member's
// symbols are entered before the rest of the referring file's: depth first, on
// a stack of our own because chains of members can be as long as an archive. An
// archive defines names for all later inputs too.
//
// A name of an archive's index becomes a symbol only when something mentions
// it: LazySymbols keeps the others. Until its member is extracted it is Lazy,
// and the member stands in its value. Questions about members that were not
// extracted have all names entered.
//
// References that --wrap redirects are entered under the name that they mean;
// all later passes know a reference by its symbol alone. --just-symbols brings
// files of absolute symbols without sections: they resolve like any others, but
// a second definition beside theirs is no conflict, as in GNU ld.
//
// Cost: one hash probe a global symbol, with the hash computed by the parser,
// and two for each name of an index; of what is asked rarely (which names a
// member defines, which symbols a section has, which PROVIDEs a member needs)
// each answer is looked for once.
//
//===----------------------------------------------------------------------===//
#include "resolve/Resolver.h"
#include "resolve/ScriptSymbols.h"
#include "resolve/SymbolGlobs.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <utility>

using namespace llvm;

namespace xlink {

//===----------------------------------------------------------------------===//
// Entering files
//===----------------------------------------------------------------------===//

/// Symbols of one section, as far as two copies of it must agree on them. Many
/// sections can be compared with the one of a group, so they are kept.
const std::vector<Resolver::SymbolShape> &
Resolver::shapesOf(SectionId section) {
  auto [known, first] = shapes.try_emplace(section.index());
  std::vector<SymbolShape> &result = known->second;
  if (!first)
    return result;
  const InputSection &s = program.sections[section];
  const ParsedObject &object = *program.files[s.file].object;
  auto [it, fresh] = symbolsBySection.try_emplace(s.file);
  auto &list = it->second; // (section, symbol), sorted
  if (fresh) {
    for (uint32_t i = 1; i < object.symbols.size(); ++i)
      if (const ParsedSymbol &sym = object.symbols[i];
          sym.place == SymbolPlace::Section && sym.type != ELF::STT_SECTION)
        list.push_back({sym.section, i});
    std::sort(list.begin(), list.end());
  }
  for (auto at = std::lower_bound(list.begin(), list.end(),
                                  std::make_pair(s.index, 0u));
       at != list.end() && at->first == s.index; ++at) {
    ++stepCount;
    const ParsedSymbol &sym = object.symbols[at->second];
    result.push_back(
        {sym.name, sym.binding, sym.type, sym.visibility, sym.other});
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// Whether two sections are copies of one thing: of one type, with symbols, and
/// with the same ones.
bool Resolver::sameSymbols(SectionId a, SectionId b) {
  if (program.sections[a].parsed->type != program.sections[b].parsed->type)
    return false;
  const std::vector<SymbolShape> &first = shapesOf(a);
  return !first.empty() && first == shapesOf(b);
}

/// The only section of a group, its relocations aside, or kNone.
SectionId Resolver::onlyMember(FileId file, const ParsedGroup &group) const {
  const InputFile &f = program.files[file];
  SectionId only = kNone;
  for (uint32_t member : group.members) {
    uint32_t type = f.object->sections[member].type;
    if (type == ELF::SHT_REL || type == ELF::SHT_RELA)
      continue;
    if (only != kNone)
      return kNone;
    only = f.sectionBase + member;
  }
  return only;
}

/// What the name of a section .gnu.linkonce.KIND.KEY is a copy of.
static StringRef linkOnceKey(StringRef name) {
  StringRef rest = name;
  rest.consume_front(".gnu.linkonce.");
  size_t dot = rest.find('.');
  return dot == StringRef::npos ? name : rest.drop_front(dot + 1);
}

void Resolver::claimGroup(FileId file, const ParsedGroup &group) {
  SectionId only = onlyMember(file, group);
  if (comdats.try_emplace(group.signature, only).second) {
    // A group of one section and an old compiler's copy of the same.
    if (only == kNone || linkOnceByKey.empty())
      return;
    auto it = linkOnceByKey.find(group.signature);
    if (it == linkOnceByKey.end() ||
        none_of(it->second, [&](SectionId s) { return sameSymbols(s, only); }))
      return;
  }
  for (uint32_t member : group.members)
    program.sections[program.files[file].sectionBase + member].discarded = true;
}

void Resolver::claimLinkOnce(SectionId section) {
  InputSection &s = program.sections[section];
  StringRef name = s.parsed->name, key = linkOnceKey(name);
  auto [it, fresh] = linkOnce.try_emplace(name, section);
  if (!fresh) {
    // The pieces of one section have its name.
    s.discarded =
        !s.parsed->isPiece || program.sections[it->second].file != s.file;
    return;
  }
  linkOnceByKey[key].push_back(section);
  auto group = comdats.find(key);
  if (group != comdats.end() && group->second != kNone &&
      sameSymbols(group->second, section))
    s.discarded = true;
  // Read-only data of a function that another file's copy stands in for, which
  // has no use for it.
  if (name.starts_with(".gnu.linkonce.r.")) {
    auto text = linkOnce.find((".gnu.linkonce.t." + key).str());
    if (text != linkOnce.end() && program.sections[text->second].file != s.file)
      s.discarded = true;
  }
}

/// Of groups with one signature one stays, and of sections .gnu.linkonce.* with
/// one name, within a file too (GNU ld).
void Resolver::claimGroups(FileId file) {
  const InputFile &f = program.files[file];
  const ParsedObject &object = *f.object;
  if (object.groups.empty() && !object.mayHaveLinkOnce)
    return;
  auto group = object.groups.begin();
  for (uint32_t i = 1; i < object.sections.size(); ++i) {
    const ParsedSection &section = object.sections[i];
    if (section.kind == SectionKind::Group) {
      if (group != object.groups.end() && group->section == i) {
        if (group->comdat)
          claimGroup(file, *group);
        ++group;
      }
    } else if (section.kind == SectionKind::Regular && section.group == 0 &&
               section.name.starts_with(".gnu.linkonce")) {
      claimLinkOnce(f.sectionBase + i);
    }
  }
}

void Resolver::addFile(const std::shared_ptr<const ParsedObject> &object) {
  const FileId file = program.addFile(object);
  claimGroups(file);
  stack.push_back({file, 1});
}

void Resolver::finishFrames() {
  while (!stack.empty()) {
    Frame &frame = stack.back();
    const InputFile &f = program.files[frame.file];
    if (frame.next >= f.object->symbols.size()) {
      stack.pop_back();
      continue;
    }
    FileId file = frame.file;
    uint32_t index = frame.next++;
    if (f.object->symbols[index].binding != ELF::STB_LOCAL)
      enterSymbol(file, index); // may push a member's frame
  }
}

/// A lazy symbol has its provider in its value.
static Provider providerOf(const Symbol &symbol) {
  return {uint32_t(symbol.value >> 32), uint32_t(symbol.value)};
}

static void makeLazy(Symbol &symbol, Provider provider) {
  symbol.kind = SymbolKind::Lazy;
  symbol.value = uint64_t(provider.input) << 32 | provider.member;
}

void Resolver::enterSymbol(FileId file, uint32_t index) {
  const InputFile &f = program.files[file];
  const ParsedSymbol &sym = f.object->symbols[index];
  const bool isReference = refers(program, file, sym);
  SymbolId id = isReference && !program.wrapping.empty()
                    ? enter(program.wrapping.meaning(sym.name))
                    : enter(sym.name, sym.hash);
  program.symbolIds[f.symbolBase + index] = id;
  Symbol &s = program.symbols[id];
  const bool isLazy = s.kind == SymbolKind::Lazy && !s.scriptDefined;
  const Provider provider = providerOf(s);
  // An archive member that really defines the name overrides COMMON (GNU ld,
  // and lld's --fortran-common).
  const bool extracts =
      isLazy &&
      (isReference
           ? !sym.expressionOnly && sym.binding != ELF::STB_WEAK
           : sym.place == SymbolPlace::Common && providerDefines(provider, s));
  resolveSymbol(program, s, file, index, [&](DuplicateKind kind) {
    const DuplicateDefinition duplicate{kind, s, file, index};
    if (early.going)
      early.duplicates.push_back(duplicate);
    else
      reportDuplicate(program, diagnostics, duplicate);
  });
  if (extracts)
    extract(provider, id, file);
}

/// The symbol of a name. A new one is lazy if an archive defines it.
SymbolId Resolver::enter(StringRef name, uint64_t hash) {
  const size_t known = program.symbols.size();
  const SymbolId id = program.symbols.insert(name, hash);
  if (id.index() == known)
    if (const std::optional<Provider> provider =
            lazySymbols.find(name, hash, offered))
      makeLazy(program.symbols[id], *provider);
  return id;
}

SymbolId Resolver::enter(StringRef name) {
  return enter(name, xxh3_64bits(name));
}

/// The symbol of a name that an input or an archive's index has, or kNone.
SymbolId Resolver::lookUp(StringRef name) {
  const uint64_t hash = xxh3_64bits(name);
  const SymbolId id = program.symbols.find(name, hash);
  return id == kNone && lazySymbols.find(name, hash, offered)
             ? enter(name, hash)
             : id;
}

//===----------------------------------------------------------------------===//
// Archives
//===----------------------------------------------------------------------===//

/// Loads the object of a provider, unless it was; null: it cannot be.
Resolver::Asked &Resolver::load(Provider provider) {
  Asked &result = asked[{provider.input, provider.member}];
  if (std::exchange(result.isLoaded, true))
    return result;
  const LoadedInput &input = inputs[provider.input];
  if (provider.member == kNone) {
    result.object = input.object;
  } else if (!input.members.empty()) {
    result.object = input.members[provider.member];
  } else {
    DiagnosticBuffer diag;
    result.object = loader.loadMember(*input.archive, provider.member,
                                      /*taken=*/true, diag);
    const uint64_t faults = diagnostics.faultCount();
    diagnostics.append(std::move(diag));
    program.inputsMissing |= diagnostics.faultCount() != faults;
  }
  return result;
}

bool Resolver::providerDefines(Provider provider, const Symbol &symbol) {
  auto nameOf = [](const auto &s) {
    return CachedHashStringRef(s.name, uint32_t(s.hash));
  };
  Asked &asked = load(provider);
  if (!asked.names) {
    asked.names.emplace();
    if (asked.object) {
      stepCount += asked.object->symbols.size();
      for (const ParsedSymbol &sym : asked.object->symbols)
        if (sym.binding == ELF::STB_GLOBAL &&
            (sym.place == SymbolPlace::Section ||
             sym.place == SymbolPlace::Absolute))
          asked.names->insert(nameOf(sym));
    }
  }
  return asked.names->contains(nameOf(symbol));
}

/// Whether a question needs to know what was taken and what was not.
static bool asksForInputs(const Config &config) {
  return config.whyExtract || !config.whyExtractNames.empty() ||
         !config.whyLive.empty() || !config.whyDead.empty() ||
         !config.whyPlaced.empty();
}

void Resolver::extract(Provider provider, SymbolId symbol, FileId by) {
  Asked &asked = load(provider);
  if (std::exchange(asked.isExtracted, true))
    return;
  if (const std::shared_ptr<const ParsedObject> object = asked.object) {
    if (program.config.trace)
      diagnostics.note(printable(object->path));
    if (provider.member == kNone) {
      if (asksForInputs(program.config))
        program.lazyInclusions.push_back({program.files.next(), by, symbol});
    } else {
      program.inclusions.push_back({program.files.next(), by, symbol});
      if (const auto &archive = inputs[provider.input].archive;
          archive && archive->thin && archive->hasIndex)
        program.readFiles.push_back(
            {ReadFile::Part, archive->members[provider.member].thinPath, {}});
    }
    addFile(object);
  }
}

/// Offers the symbols of an archive's index, one after the other.
void Resolver::offerIndex(uint32_t input) {
  const bool all =
      asksForInputs(program.config) || !program.config.undefinedGlobs.empty();
  const ArrayRef<ArchiveSymbol> symbols = inputs[input].archive->symbols;
  for (size_t i = 0; i < symbols.size(); ++i) {
    const StringRef name = symbols[i].name();
    const uint64_t hash = lazySymbols.hashOf(offered++);
    const SymbolId id = all ? program.symbols.insert(name, hash)
                            : program.symbols.find(name, hash);
    if (id == kNone)
      continue;
    offer(id, {input, symbols[i].member});
    finishFrames();
  }
}

/// Offers all that an object defines which was read for the sake of that.
void Resolver::offerObject(const ParsedObject &object, Provider provider) {
  for (const ParsedSymbol &sym : object.symbols)
    if (sym.binding != ELF::STB_LOCAL && sym.place != SymbolPlace::Undefined)
      offer(enter(sym.name, sym.hash), provider);
  finishFrames();
}

/// Offers a definition of a symbol that is taken if something needs it.
void Resolver::offer(SymbolId id, Provider provider) {
  Symbol &s = program.symbols[id];
  if (s.scriptDefined)
    return;
  if (s.kind == SymbolKind::Undefined) {
    makeLazy(s, provider);
    if (s.strongReference)
      extract(provider, id, s.file);
  } else if (s.kind == SymbolKind::Common && providerDefines(provider, s)) {
    extract(provider, id, s.file);
  }
}

//===----------------------------------------------------------------------===//
// Roots: command line and scripts
//===----------------------------------------------------------------------===//

void Resolver::require(StringRef name) {
  SymbolId id = enter(name);
  Symbol &s = program.symbols[id];
  s.referenced = true;
  if (s.kind == SymbolKind::Lazy && !s.scriptDefined) {
    extract(providerOf(s), id, kNone);
    finishFrames();
  }
}

/// --undefined-glob: every symbol there is that matches, as if -u named it.
void Resolver::requireGlobs() {
  SymbolGlobs globs(program.symbols);
  // Members that come in bring no name that the archive did not offer.
  globs.forEach(program.config.undefinedGlobs, [&](SymbolId id) {
    if (const Symbol &s = program.symbols[id]; s.kind != SymbolKind::Undefined)
      require(s.name);
  });
  stepCount += globs.steps();
}

/// Symbols that script expressions read are needed, PROVIDEd ones only when
/// their own name is. A PROVIDE may need another one, and so may a member that
/// comes in: in waves, each in the order of the script, until one needs nothing
/// new. A chain of PROVIDEs has as many waves as links, each of the statements
/// whose names the one before has mentioned, itself or in a member.
void Resolver::referenceScriptSymbols() {
  const ScriptReads reads(program);
  StringMap<SmallVector<uint32_t, 1>> provides; // by name
  std::vector<uint32_t> wave;
  for (uint32_t i = 0; i < reads.size(); ++i) {
    wave.push_back(i);
    if (std::optional<StringRef> name = reads.provides(i))
      provides[*name].push_back(i);
  }
  std::vector<bool> done(reads.size());
  StringSet<> required;
  while (!wave.empty()) {
    std::vector<StringRef> names;
    for (uint32_t i : wave) {
      ++stepCount;
      if (done[i] || !reads.takesPlace(program, i))
        continue;
      done[i] = true;
      names.insert(names.end(), reads[i].begin(), reads[i].end());
    }
    const size_t files = program.files.size();
    wave.clear();
    auto reference = [&](StringRef name) {
      ++stepCount;
      if (auto it = provides.find(name); it != provides.end())
        wave.insert(wave.end(), it->second.begin(), it->second.end());
    };
    for (StringRef name : names)
      if (required.insert(name).second) {
        require(name);
        reference(name);
      }
    for (FileId id : program.files.ids(files)) {
      const InputFile &file = program.files[id];
      for (uint32_t i = 0; i < file.object->symbols.size(); ++i)
        if (SymbolId named = program.symbolIds[file.symbolBase + i];
            named != kNone)
          reference(program.symbols[named].name);
    }
    llvm::sort(wave);
    wave.erase(std::unique(wave.begin(), wave.end()), wave.end());
  }
}

/// Whether a symbol that is referenced has a definition, or will have one by
/// the script.
static bool getsValue(const Program &program, const Symbol &s) {
  return s.isDefined() || s.scriptDefined || isProvided(program, s.name);
}

void Resolver::chooseEntry() {
  auto exists = [&](StringRef name) {
    require(name);
    return getsValue(program, program.symbols[program.symbols.find(name)]);
  };
  StringRef wanted = program.config.entry ? StringRef(*program.config.entry)
                                          : program.script.entry;
  // A part of a program begins nowhere; what -e names is a root.
  if (program.config.relocatable && !program.config.entry)
    return;
  if (!wanted.empty()) {
    if (exists(wanted))
      program.entrySymbol = program.symbols.find(wanted);
    return;
  }
  for (const char *name : program.target->entries) {
    // Trying a name must not leave a trace when nothing defines it.
    SymbolId id = lookUp(name);
    if (id == kNone)
      continue;
    const Symbol &s = program.symbols[id];
    if (!s.isDefined() && !s.scriptDefined && s.kind != SymbolKind::Lazy)
      continue;
    if (exists(name)) {
      program.entrySymbol = id;
      return;
    }
  }
}

/// GCC marks objects without machine code by a common symbol. To link one would
/// mean to leave out its functions without a word.
void Resolver::refuseSlimObjects() {
  const SymbolId slim = program.symbols.find("__gnu_lto_slim");
  if (slim == kNone || program.symbols[slim].file == kNone)
    return;
  for (FileId f : program.files.ids()) {
    const InputFile &file = program.files[f];
    for (uint32_t i = 1; i < file.object->symbols.size(); ++i)
      if (program.symbolIds[file.symbolBase + i] == slim) {
        diagnostics.error(
            program.fileName(f) +
                ": holds no machine code, only what GCC's -flto reads",
            {"compile with -fno-lto, or with -ffat-lto-objects"});
        program.inputsMissing = true;
        break;
      }
  }
}

/// --require-defined.
void Resolver::checkRequired() {
  for (const std::string &name : program.config.requireDefined) {
    const Symbol &s = program.symbols[program.symbols.find(name)];
    if (!getsValue(program, s))
      diagnostics.error("required symbol not defined: " +
                        program.shownName(name));
  }
}

/// The members, and objects behind --start-lib, that nothing asked for.
void Resolver::listUnused() {
  auto isTaken = [&](uint32_t input, uint32_t member) {
    const auto it = asked.find({input, member});
    return it != asked.end() && it->second.isExtracted;
  };
  auto namesOf = [](const ParsedObject &object) {
    std::vector<StringRef> names;
    for (const ParsedSymbol &sym : object.symbols)
      if (sym.binding != ELF::STB_LOCAL && sym.place != SymbolPlace::Undefined)
        names.push_back(sym.name);
    return names;
  };
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    const LoadedInput &input = inputs[i];
    if (input.object && input.lazy && !isTaken(i, kNone))
      program.unusedMembers.push_back(
          {input.object->path, namesOf(*input.object)});
    if (!input.archive)
      continue;
    const Archive &archive = *input.archive;
    std::vector<std::vector<StringRef>> names(archive.members.size());
    for (const ArchiveSymbol &sym : archive.symbols)
      names[sym.member].push_back(sym.name());
    for (uint32_t m = 0; m < archive.members.size(); ++m) {
      if (isTaken(i, m))
        continue;
      if (m < input.members.size() && input.members[m])
        names[m] = namesOf(*input.members[m]);
      program.unusedMembers.push_back(
          {archive.path + "(" + archive.members[m].name + ")",
           std::move(names[m])});
    }
  }
}

/// Enters the inputs that were not taken early.
void Resolver::enterInputs() {
  for (uint32_t i = early.inputs; i < inputs.size(); ++i) {
    const LoadedInput &input = inputs[i];
    if (input.archive && input.archive->hasIndex) {
      offerIndex(i);
    } else if (input.archive) {
      for (uint32_t m = 0; m < input.members.size(); ++m)
        if (input.members[m])
          offerObject(*input.members[m], {i, m});
    } else if (input.object && input.lazy) {
      offerObject(*input.object, {i, kNone});
    } else if (input.object) {
      addFile(input.object);
      finishFrames();
    }
  }
}

/// Room for an object, and when there is none left, for as much as all will
/// take if they are like those so far: to grow in small steps would copy most
/// of it several times. But few objects say little of all.
void Resolver::makeRoom(const ParsedObject &object) {
  const size_t sections = program.sections.size() + object.sections.size();
  const size_t symbols = program.symbolIds.size() + object.symbols.size();
  if (sections <= program.sections.capacity() &&
      symbols <= program.symbolIds.capacity())
    return;
  constexpr double kMost = 64, kSpare = 1.125;
  const double times =
      std::clamp(double(early.bytes) / double(early.taken + 1), 1.0, kMost);
  auto roomFor = [&](size_t count) {
    return size_t(double(count) * kSpare * times) + 1;
  };
  program.sections.reserve(roomFor(sections));
  program.symbolIds.reserve(roomFor(symbols));
  const size_t names = roomFor(symbols) / 2;
  if (names > program.symbols.size())
    program.symbols.reserve(names - program.symbols.size());
}

/// Names that are needed before any file mentions them.
void Resolver::mentionRoots() {
  if (program.sections.empty())
    program.sections.emplace_back(); // id 0 is nobody's
  program.sections[SectionId(0)].discarded = true;
  declareScriptSymbols(program);
  auto need = [&](StringRef name) {
    Symbol &s = program.symbols[program.symbols.insert(name)];
    s.referenced = s.strongReference = true;
  };
  for (const std::string &name : program.config.undefined)
    need(name);
  for (const std::string &name : program.config.requireDefined)
    need(name);
  for (StringRef name : program.script.externs)
    need(name);
  if (program.config.entry || !program.script.entry.empty())
    need(program.config.entry ? StringRef(*program.config.entry)
                              : program.script.entry);
}

void Resolver::begin(uint64_t bytes) {
  early.going = true;
  early.bytes = bytes;
  mentionRoots();
}

void Resolver::take(const std::shared_ptr<const ParsedObject> &object) {
  ++early.inputs;
  if (!object)
    return;
  early.taken += object->bytes;
  makeRoom(*object);
  addFile(object);
  finishFrames();
}

void Resolver::run(std::vector<LoadedInput> list) {
  inputs = std::move(list);
  early.going = false;
  for (const DuplicateDefinition &duplicate : early.duplicates)
    reportDuplicate(program, diagnostics, duplicate);
  for (uint32_t i = 0; i < inputs.size(); ++i)
    if (const Archive *archive = inputs[i].archive.get();
        archive && archive->hasIndex)
      lazySymbols.addIndex(i, archive->symbols);
  lazySymbols.build(program.parallel);
  enterInputs();
  refuseSlimObjects();
  requireGlobs();
  chooseEntry();
  referenceScriptSymbols();
  if (asksForInputs(program.config))
    listUnused();
  for (StringRef name : program.symbolOrder)
    lookUp(name);

  program.symbols.forEach(program.parallel, [&](SymbolId id) {
    Symbol &s = program.symbols[id];
    if (s.kind == SymbolKind::Lazy) {
      s.kind = SymbolKind::Undefined;
      s.value = 0;
    }
    if (s.kind == SymbolKind::Undefined)
      s.binding = s.strongReference ? ELF::STB_GLOBAL : ELF::STB_WEAK;
  });
  checkRequired();
}

/// --sort-common. Each file's symbols stand together all the same. Of what is
/// aligned to 16 bytes and more nothing is gained by sorting, so GNU ld takes
/// it for equal when it begins with the largest alignment; the other way round
/// that is what is aligned to 32 bytes and more.
static void sortCommons(const Program &program, std::vector<SymbolId> &ids) {
  const SortCommon order = program.config.sortCommon;
  if (order == SortCommon::None)
    return;
  const bool descending = order == SortCommon::Descending;
  auto rank = [&](SymbolId id) {
    const uint64_t align = std::max<uint64_t>(program.symbols[id].value, 1);
    return descending ? -int(std::min<uint64_t>(align, 16))
                      : int(std::min<uint64_t>(align, 32));
  };
  std::stable_sort(ids.begin(), ids.end(),
                   [&](SymbolId a, SymbolId b) { return rank(a) < rank(b); });
}

/// With GNU ld a file's COMMON symbols are one section, aligned as the
/// strictest of them. That shows where another one comes first, by
/// --sort-common; in an order that nobody asks for the output need not spend
/// the room.
static void alignFirst(Program &program, ArrayRef<SymbolId> ids) {
  if (program.config.sortCommon != SortCommon::Ascending)
    return;
  DenseMap<FileId, SymbolId> first;
  for (SymbolId id : ids) {
    const Symbol &s = program.symbols[id];
    uint64_t &align =
        program.symbols[first.try_emplace(s.file, id).first->second].value;
    align = std::max(align, s.value);
  }
}

void allocateCommon(Program &program, Diagnostics &diag) {
  if (program.script.inhibitCommonAllocation)
    diag.warn(WarningGroup::Script,
              "INHIBIT_COMMON_ALLOCATION has no effect: in a program "
              "common symbols need space");
  const StringSet<> replaced = namesReplacedByScript(program);
  std::vector<SymbolId> commons =
      program.symbols.select(program.parallel, [&](const Symbol &s) {
        return s.kind == SymbolKind::Common && !replaced.contains(s.name);
      });
  sortCommons(program, commons);
  alignFirst(program, commons);
  for (SymbolId id : commons) {
    Symbol &s = program.symbols[id];
    SectionId section = program.addMadeSection(
        "COMMON", ELF::SHT_NOBITS, ELF::SHF_ALLOC | ELF::SHF_WRITE,
        std::max<uint64_t>(s.value, 1), {}, s.size);
    program.sections[section].file = s.file;
    s.kind = SymbolKind::Defined;
    s.section = section;
    s.value = 0;
  }
}

} // namespace xlink
