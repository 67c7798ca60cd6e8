//===- Resolver.cpp -------------------------------------------------------===//
//
// Problem: of several definitions of a name one must win, archive members join
// only when something needs them, and of equal COMDAT groups one copy stays;
// the outcome must depend on the order of inputs alone.
//
// Method: objects are entered one after the other, while the loader parses
// further ones; messages wait until it is done. SymbolPrecedence.cpp decides
// between definitions. A strong reference to a name that an archive defines
// extracts the member at once, and the member's symbols are entered before the
// rest of the referring file's: depth first, on an explicit stack because
// chains of members can be as long as an archive. An archive defines names for
// all later inputs too.
//
// A name of an archive's index becomes a symbol only when something mentions
// it: indices have far more names than a link. Until its member is extracted it
// is Lazy, and the member stands in its value. The --why options and
// --undefined-glob have all names entered.
//
// References that --wrap redirects are entered under the name that they mean;
// all later passes know a reference by its symbol alone. --just-symbols brings
// files of absolute symbols without sections: they resolve like any others, but
// a second definition beside theirs is no conflict, as in GNU ld.
//
// Cost: one hash probe a global symbol, with the hash computed by the parser,
// and one more for each name; an entry in a table for each name of an index.
// The names of a member and the symbols of a section are listed once. A pass
// over the script's statements for each link of a chain of PROVIDEs.
//
//===----------------------------------------------------------------------===//
#include "resolve/Resolver.h"
#include "base/Grouped.h"
#include "resolve/ScriptSymbols.h"
#include "llvm/ADT/CachedHashString.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

using namespace llvm;

namespace xlink {

namespace {

/// An archive member, or a lazy object, that would define a name.
struct Provider {
  uint32_t input;  ///< index into the inputs
  uint32_t member; ///< in the archive; kNone: the lazy object itself
};

/// The key of a name in Member::names.
CachedHashStringRef keyOf(StringRef name, uint64_t hash) {
  return CachedHashStringRef(name, uint32_t(hash));
}

/// A lazy symbol has its provider in its value.
Provider providerOf(const Symbol &symbol) {
  return {uint32_t(symbol.value >> 32), uint32_t(symbol.value)};
}

void makeLazy(Symbol &symbol, Provider provider) {
  symbol.kind = SymbolKind::Lazy;
  symbol.value = uint64_t(provider.input) << 32 | provider.member;
}

/// The KEY of a section .gnu.linkonce.KIND.KEY.
StringRef linkOnceKey(StringRef name) {
  StringRef rest = name;
  rest.consume_front(".gnu.linkonce.");
  size_t dot = rest.find('.');
  return dot == StringRef::npos ? name : rest.drop_front(dot + 1);
}

/// Whether a --why option needs to know which inputs were taken.
bool asksForInputs(const Config &config) {
  return config.whyExtract || !config.whyExtractNames.empty() ||
         !config.whyLive.empty() || !config.whyDead.empty() ||
         !config.whyPlaced.empty();
}

/// Whether a symbol that is referenced has a definition, or will have one by
/// the script.
bool getsValue(const Program &program, const Symbol &s) {
  return s.isDefined() || s.scriptDefined || isProvided(program, s.name);
}

/// The names in the indices of archives, numbered in the order of the inputs.
/// An archive may have many more of them than the link has symbols.
class OfferedNames {
public:
  OfferedNames() = default;
  OfferedNames(const Parallel &parallel, ArrayRef<LoadedInput> inputs)
      : indices(inputs.size()), begins(inputs.size() + 1) {
    for (const auto &[i, input] : enumerate(inputs)) {
      if (input.archive && input.archive->hasIndex)
        indices[i] = input.archive->symbols;
      begins[i + 1] = begins[i] + uint32_t(indices[i].size());
    }
    hashes.resize(begins.back());
    for (const auto &[index, begin] : zip_first(indices, begins))
      parallel.forEach(index.size(), index.size() * 64, [&](size_t n) {
        hashes[begin + n] = xxh3_64bits(index[n].name());
      });
    mask = bit_floor(hashes.size() | 1) - 1;
    byHash = Grouped<uint32_t>(mask + 1, [&](auto fn) {
      for (const auto &[n, hash] : enumerate(hashes))
        fn(hash & mask, uint32_t(n));
    });
  }

  size_t size() const { return hashes.size(); }
  uint64_t hash(uint32_t number) const { return hashes[number]; }
  /// The hashes of the names in the index of an input.
  ArrayRef<uint64_t> hashesOf(uint32_t input) const {
    return ArrayRef(hashes).slice(begins[input], indices[input].size());
  }
  /// The number of the first name in the index of an input.
  uint32_t beginOf(uint32_t input) const { return begins[input]; }
  Provider providerOf(uint32_t number) const {
    const uint32_t input = inputOf(number);
    return {input, indices[input][number - begins[input]].member};
  }
  /// Calls fn(number) for all that are this name, in order.
  template <class Fn> void forEach(StringRef name, uint64_t hash, Fn fn) const {
    if (hashes.empty())
      return;
    for (uint32_t n : byHash.of(hash & mask)) {
      if (hashes[n] != hash)
        continue;
      const uint32_t input = inputOf(n);
      if (indices[input][n - begins[input]].name() == name)
        fn(n);
    }
  }

private:
  uint32_t inputOf(uint32_t number) const {
    return uint32_t(upper_bound(begins, number) - begins.begin()) - 1;
  }

  std::vector<ArrayRef<ArchiveSymbol>> indices; ///< by input
  std::vector<uint32_t> begins; ///< by input: the number of its first name
  std::vector<uint64_t> hashes; ///< by number
  uint64_t mask = 0;            ///< of the bits of a hash that are its group
  Grouped<uint32_t> byHash;     ///< the numbers
};

class Resolver : public SymbolResolver {
public:
  Resolver(Program &program, InputLoader &loader, Diagnostics &reported)
      : program(program), loader(loader), reported(reported) {
    Diagnostics::Policy policy = reported.currentPolicy();
    policy.fatalWarnings = false; // they become errors when reported
    diagnostics.setPolicy(std::move(policy));
  }

  void begin(ArrayRef<LoadedInput> all, uint64_t bytes) override {
    inputs = all;
    inputBytes = bytes;
    offered = OfferedNames(program.parallel, all);
    mentioned.resize(offered.size());
    mentionRoots();
    for (SymbolId id : program.symbols.ids())
      mention(id);
  }

  void take(uint32_t i) override {
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
      makeRoom(*input.object);
      addFile(input.object);
      finishFiles();
    }
  }

  void finish() override {
    refuseSlimObjects();
    requireGlobs();
    chooseEntry();
    referenceScriptSymbols();
    if (asksForInputs(program.config))
      listUnused();
    for (StringRef name : program.symbolOrder)
      lookUp(name);

    IdSet<SymbolId> weak(program.symbols.size());
    program.symbols.forEach(program.parallel, [&](SymbolId id) {
      Symbol &s = program.symbols[id];
      if (s.kind == SymbolKind::Defined && s.binding == ELF::STB_WEAK &&
          !isInGroup(s))
        weak.insert(id);
      if (s.kind == SymbolKind::Lazy) {
        s.kind = SymbolKind::Undefined;
        s.value = 0;
      }
      if (s.kind == SymbolKind::Undefined)
        s.binding = s.strongReference ? ELF::STB_GLOBAL : ELF::STB_WEAK;
    });
    for (SymbolId id : program.symbols.ids())
      if (weak.contains(id))
        program.weakDefinitions.push_back(id);
    if (!program.config.relocatable &&
        !diagnostics.isDisabled(WarningGroup::WeakBeforeArchive))
      listStrongOffers();
    checkRequired();
    reported.append(std::move(diagnostics));
  }

private:
  /// Whether each file that uses it has such a definition: an inline function.
  bool isInGroup(const Symbol &s) const {
    const ParsedSection *section = program.sections[s.section].parsed;
    return (section && section->group != 0) || isMangled(s.name);
  }
  /// A member, or lazy object, of which a question or reference asked.
  struct Member {
    bool isLoaded = false, isExtracted = false;
    std::shared_ptr<const ParsedObject> object;
    /// The names that it defines, once that was asked.
    std::optional<DenseSet<CachedHashStringRef>> names;
  };
  /// A file whose symbols are being entered.
  struct OpenFile {
    FileId file;
    uint32_t next;
  };
  /// A symbol's slot is asked for when so many others come before it.
  static constexpr uint32_t kAhead = 24;
  /// Name, binding, type, visibility, other bits of st_other.
  using SymbolShape = std::tuple<StringRef, uint8_t, uint8_t, uint8_t, uint8_t>;
  /// Shapes of a file's symbols behind the section of each, sorted.
  using SectionShapes = std::vector<std::pair<uint32_t, SymbolShape>>;

  SymbolId enter(StringRef name) { return enter(name, xxh3_64bits(name)); }

  // Entering files.

  /// The symbols of one section, as far as two copies of it must agree on them.
  ArrayRef<SectionShapes::value_type> shapesOf(SectionId section) {
    const InputSection &s = program.sections[section];
    auto [known, fresh] = shapes.try_emplace(s.file.index());
    SectionShapes &all = known->second;
    if (fresh) {
      for (const ParsedSymbol &sym :
           drop_begin(program.files[s.file].object->symbols))
        if (sym.place == SymbolPlace::Section && sym.type != ELF::STT_SECTION)
          all.push_back(
              {sym.section,
               {sym.name, sym.binding, sym.type, sym.visibility, sym.other}});
      llvm::sort(all);
    }
    // Where those of the first sections, so many, end.
    const auto endOf = [&](uint32_t sections) {
      return size_t(
          partition_point(
              all, [&](const auto &shape) { return shape.first < sections; }) -
          all.begin());
    };
    const size_t begin = endOf(s.index);
    return ArrayRef(all).slice(begin, endOf(s.index + 1) - begin);
  }

  /// Whether two sections are copies of one thing: of one type, with symbols,
  /// and with the same ones.
  bool sameSymbols(SectionId a, SectionId b) {
    if (program.sections[a].parsed->type != program.sections[b].parsed->type)
      return false;
    const auto first = shapesOf(a), second = shapesOf(b);
    return !first.empty() &&
           std::equal(first.begin(), first.end(), second.begin(), second.end(),
                      [](const auto &x, const auto &y) {
                        return x.second == y.second;
                      });
  }

  /// The only section of a group, its relocations aside, or kNone.
  SectionId onlyMember(FileId file, const ParsedGroup &group) const {
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

  void claimGroup(FileId file, const ParsedGroup &group) {
    SectionId only = onlyMember(file, group);
    if (comdats.try_emplace(group.signature, only).second) {
      // A group of one section and an old compiler's copy of the same.
      if (only == kNone || linkOnceByKey.empty())
        return;
      auto it = linkOnceByKey.find(group.signature);
      if (it == linkOnceByKey.end() || none_of(it->second, [&](SectionId s) {
            return sameSymbols(s, only);
          }))
        return;
    }
    for (uint32_t member : group.members)
      program.sections[program.files[file].sectionBase + member].discarded =
          true;
  }

  void claimLinkOnce(SectionId section) {
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
    // Read-only data of a function that another file's copy stands in for,
    // which has no use for it.
    if (name.starts_with(".gnu.linkonce.r.")) {
      auto text = linkOnce.find((".gnu.linkonce.t." + key).str());
      if (text != linkOnce.end() &&
          program.sections[text->second].file != s.file)
        s.discarded = true;
    }
  }

  /// Of groups with one signature one stays, and of sections .gnu.linkonce.*
  /// with one name, within a file too (GNU ld).
  void claimGroups(FileId file) {
    const InputFile &f = program.files[file];
    const ParsedObject &object = *f.object;
    if (object.groups.empty() && !object.mayHaveGnuSections)
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

  void addFile(const std::shared_ptr<const ParsedObject> &object) {
    const FileId file = program.addFile(object);
    claimGroups(file);
    stack.push_back({file, 1});
  }

  /// Asks memory for the slot of the symbol at `at`; of symbols in front of it,
  /// with slots that have arrived, for the Symbol and its name.
  LLVM_ATTRIBUTE_ALWAYS_INLINE void fetch(ArrayRef<ParsedSymbol> all,
                                          size_t at) const {
    const auto guess = [&](size_t distance) -> const Symbol * {
      return at > distance && at - distance < all.size()
                 ? program.symbols.guess(all[at - distance].hash)
                 : nullptr;
    };
    if (at < all.size())
      program.symbols.prefetch(all[at].hash);
    if (const Symbol *symbol = guess(kAhead / 3))
      __builtin_prefetch(symbol, /*rw=*/1);
    if (const Symbol *symbol = guess(kAhead * 2 / 3))
      __builtin_prefetch(symbol->name.data());
  }

  /// Enters the symbols of all files on the stack, and of members that these
  /// extract.
  void finishFiles() {
    while (!stack.empty()) {
      OpenFile &top = stack.back();
      const FileId file = top.file;
      const std::vector<ParsedSymbol> &symbols =
          program.files[file].object->symbols;
      if (top.next >= symbols.size()) {
        stack.pop_back();
        continue;
      }
      const uint32_t index = top.next++;
      for (uint32_t at = index == 1 ? 1 : index + kAhead; at <= index + kAhead;
           ++at)
        fetch(symbols, at);
      if (symbols[index].binding != ELF::STB_LOCAL)
        enterSymbol(file, index); // may push a member
    }
  }

  void enterSymbol(FileId file, uint32_t index) {
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
        (isReference ? !sym.expressionOnly && sym.binding != ELF::STB_WEAK
                     : sym.place == SymbolPlace::Common &&
                           providerDefines(provider, s));
    resolveSymbol(program, s, file, index, diagnostics);
    if (extracts)
      extract(provider, id, file);
  }

  /// Makes a new symbol lazy if an archive so far defines it, and notes where
  /// others do.
  void mention(SymbolId id) {
    Symbol &s = program.symbols[id];
    offered.forEach(s.name, s.hash, [&](uint32_t number) {
      if (number >= offers)
        mentioned[number] = true;
      else if (s.kind == SymbolKind::Undefined)
        makeLazy(s, offered.providerOf(number));
    });
  }

  /// The symbol of a name.
  SymbolId enter(StringRef name, uint64_t hash) {
    const size_t known = program.symbols.size();
    const SymbolId id = program.symbols.insert(name, hash);
    if (id.index() == known)
      mention(id);
    return id;
  }

  /// The symbol of a name that an input or an archive's index has, or kNone.
  SymbolId lookUp(StringRef name) {
    const uint64_t hash = xxh3_64bits(name);
    bool isOffered = false;
    offered.forEach(name, hash,
                    [&](uint32_t number) { isOffered |= number < offers; });
    return isOffered ? enter(name, hash) : program.symbols.find(name, hash);
  }

  // Archives.

  /// Loads the object of a provider, unless it was; null: it cannot be.
  Member &load(Provider provider) {
    Member &result = members[{provider.input, provider.member}];
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

  bool providerDefines(Provider provider, const Symbol &symbol) {
    Member &member = load(provider);
    if (!member.names) {
      member.names.emplace();
      if (member.object)
        for (const ParsedSymbol &sym : member.object->symbols)
          if (sym.binding == ELF::STB_GLOBAL &&
              (sym.place == SymbolPlace::Section ||
               sym.place == SymbolPlace::Absolute))
            member.names->insert(keyOf(sym.name, sym.hash));
    }
    return member.names->contains(keyOf(symbol.name, symbol.hash));
  }

  /// Adds the object of `provider`, which defines `symbol`, for the reference
  /// of file `by` (kNone: of no file).
  void extract(Provider provider, SymbolId symbol, FileId by) {
    Member &member = load(provider);
    const std::shared_ptr<const ParsedObject> &object = member.object;
    if (std::exchange(member.isExtracted, true) || !object)
      return;
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

  /// Offers the symbols of an archive's index, one after the other.
  void offerIndex(uint32_t input) {
    const bool all =
        asksForInputs(program.config) || !program.config.undefinedGlobs.empty();
    offers = offered.beginOf(input);
    for (const ArchiveSymbol &symbol : inputs[input].archive->symbols) {
      const uint32_t number = offers++;
      if (!all && !mentioned[number])
        continue;
      offer(program.symbols.insert(symbol.name(), offered.hash(number)),
            {input, symbol.member});
      finishFiles();
    }
  }

  /// Offers all definitions of an object that was parsed for them.
  void offerObject(const ParsedObject &object, Provider provider) {
    for (const ParsedSymbol &sym : object.symbols)
      if (sym.binding != ELF::STB_LOCAL && sym.place != SymbolPlace::Undefined)
        offer(enter(sym.name, sym.hash), provider);
    finishFiles();
  }

  /// Offers a definition of a symbol that is taken if something needs it.
  void offer(SymbolId id, Provider provider) {
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

  // Roots: command line and scripts.

  void require(StringRef name) {
    SymbolId id = enter(name);
    Symbol &s = program.symbols[id];
    s.referenced = true;
    if (s.kind == SymbolKind::Lazy && !s.scriptDefined) {
      extract(providerOf(s), id, kNone);
      finishFiles();
    }
  }

  /// --undefined-glob: every symbol there is that matches, as if -u named it.
  void requireGlobs() {
    // Members that come in bring no name that the archive did not offer.
    forEachMatch(program.symbols, program.config.undefinedGlobs,
                 [&](SymbolId id) {
                   if (const Symbol &s = program.symbols[id];
                       s.kind != SymbolKind::Undefined)
                     require(s.name);
                 });
  }

  /// Symbols that script expressions read are needed, PROVIDEd ones only when
  /// their own name is. A PROVIDE may need another one, and so may a member
  /// that comes in: in waves, each in the order of the script, until one needs
  /// nothing new.
  void referenceScriptSymbols() {
    std::vector<ScriptReads> statements = readsOfScript(program);
    StringSet<> required;
    for (bool any = true; any;) {
      std::vector<StringRef> names;
      llvm::erase_if(statements, [&](const ScriptReads &reads) {
        if (!reads.takesPlace(program))
          return false;
        append_range(names, reads.names);
        return true;
      });
      any = !names.empty();
      for (StringRef name : names)
        if (required.insert(name).second)
          require(name);
    }
  }

  void chooseEntry() {
    auto exists = [&](StringRef name) {
      require(name);
      return getsValue(program, program.symbols[program.symbols.find(name)]);
    };
    StringRef wanted = program.config.entry ? StringRef(*program.config.entry)
                                            : program.script.entry;
    // A part of a program begins nowhere; the symbol of -e is a root.
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

  /// GCC marks objects without machine code by a common symbol. To link one
  /// would mean to leave out its functions without a word.
  void refuseSlimObjects() {
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
  void checkRequired() {
    for (const std::string &name : program.config.requireDefined) {
      const Symbol &s = program.symbols[program.symbols.find(name)];
      if (!getsValue(program, s))
        diagnostics.error("required symbol not defined: " +
                          program.shownName(name));
    }
  }

  /// Whether -l found an archive.
  bool isLibrary(StringRef path) const {
    return none_of(program.config.inputs, [&](const InputItem &item) {
      return item.kind == InputItem::File && item.text == path;
    });
  }

  /// Notes a member with a strong definition that the symbol, which is weak,
  /// could have had. An archive may have both, and so may several of -l.
  bool noteStrong(const Archive &archive, const ArchiveSymbol &offer,
                  SymbolId id) {
    const Symbol &s = program.symbols[id];
    const std::string &own = program.files[s.file].object->archive;
    if (offer.name() != s.name || own == archive.path ||
        (!own.empty() && isLibrary(own) && isLibrary(archive.path)))
      return false;
    DiagnosticBuffer unread; // the link does not need the member
    const auto object =
        loader.loadMember(archive, offer.member, /*taken=*/false, unread);
    bool offers = false, hasOthers = false;
    if (object)
      for (const ParsedSymbol &sym : object->symbols) {
        if (sym.binding != ELF::STB_GLOBAL || sym.place != SymbolPlace::Section)
          continue;
        offers |= sym.name == s.name;
        const SymbolId named = program.symbols.find(sym.name);
        hasOthers |=
            sym.type == ELF::STT_FUNC &&
            (named == kNone || program.symbols[named].binding != ELF::STB_WEAK);
      }
    if (offers)
      program.strongOffers.push_back(
          {id, archive.path + "(" + archive.members[offer.member].name + ")",
           hasOthers});
    return offers;
  }

  /// Program::strongOffers: of each name the first.
  void listStrongOffers() {
    DenseMap<uint64_t, SymbolId> weak; // by hash without a bit: two are its own
    for (SymbolId id : program.weakDefinitions)
      weak.try_emplace(program.symbols[id].hash >> 1, id);
    for (uint32_t i = 0; i < inputs.size() && !weak.empty(); ++i) {
      if (!inputs[i].archive || !inputs[i].archive->hasIndex)
        continue;
      const Archive &archive = *inputs[i].archive;
      for (const auto &[offer, hash] :
           zip_first(archive.symbols, offered.hashesOf(i))) {
        const auto it = weak.find(hash >> 1);
        if (it != weak.end() && noteStrong(archive, offer, it->second))
          weak.erase(it);
      }
    }
  }

  /// The members, and objects behind --start-lib, that no reference took.
  void listUnused() {
    auto isTaken = [&](uint32_t input, uint32_t member) {
      const auto it = members.find({input, member});
      return it != members.end() && it->second.isExtracted;
    };
    auto namesOf = [](const ParsedObject &object) {
      std::vector<StringRef> names;
      for (const ParsedSymbol &sym : object.symbols)
        if (sym.binding != ELF::STB_LOCAL &&
            sym.place != SymbolPlace::Undefined)
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

  /// Makes room for an object, and where there is none for as much more as the
  /// bytes of all let expect: to grow a large table costs as much as to fill
  /// it.
  void makeRoom(const ParsedObject &object) {
    takenBytes += object.bytes;
    const size_t known = definitions; // among the symbols already
    definitions += object.definitions;
    const size_t sections = program.sections.size() + object.sections.size();
    const size_t symbols = program.symbolIds.size() + object.symbols.size();
    const size_t names = program.symbols.size();
    constexpr double kMost = 64, kSpare = 1.125;
    const double times =
        kSpare *
        std::clamp(double(inputBytes) / double(takenBytes + 1), 1., kMost);
    const auto roomFor = [=](size_t n) { return size_t(double(n) * times); };
    const auto grow = [](auto &table, size_t needed, size_t room) {
      if (needed > table.capacity())
        table.reserve(room);
    };
    grow(program.sections, sections, roomFor(sections));
    grow(program.symbolIds, symbols, roomFor(symbols));
    grow(program.symbols, names + object.definitions,
         names + std::max(roomFor(definitions) - known, names / 8));
  }

  /// Names that are needed before any file mentions them.
  void mentionRoots() {
    if (program.sections.empty())
      program.sections.emplace_back(); // id 0 stands for no section
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

  Program &program;
  InputLoader &loader;
  Diagnostics &reported;
  Diagnostics diagnostics; ///< to be reported
  ArrayRef<LoadedInput> inputs;
  uint64_t inputBytes = 0, takenBytes = 0;                 ///< of objects
  size_t definitions = 0;                                  ///< in those taken
  DenseMap<std::pair<uint32_t, uint32_t>, Member> members; ///< by Provider
  OfferedNames offered;
  uint32_t offers = 0;         ///< names of `offered` that have been offered
  std::vector<bool> mentioned; ///< by number: others that something mentions
  std::vector<OpenFile> stack;
  StringMap<SectionId> comdats;  ///< the only member, or kNone
  StringMap<SectionId> linkOnce; ///< .gnu.linkonce.*, by name
  StringMap<std::vector<SectionId>> linkOnceByKey;
  std::map<uint32_t, SectionShapes> shapes; ///< of files with compared sections
};

} // namespace

std::unique_ptr<SymbolResolver>
makeResolver(Program &program, InputLoader &loader, Diagnostics &diagnostics) {
  return std::make_unique<Resolver>(program, loader, diagnostics);
}

//===----------------------------------------------------------------------===//
// COMMON
//===----------------------------------------------------------------------===//

/// --sort-common. Each file's symbols stand together all the same. Alignments
/// from 16 bytes on are equal when the largest comes first, those from 32 bytes
/// on when the smallest does (GNU ld).
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
/// strictest of them. That shows where --sort-common puts another one first.
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
  std::vector<SymbolId> commons;
  for (SymbolId id : program.symbols.ids())
    if (const Symbol &s = program.symbols[id];
        s.kind == SymbolKind::Common && !replaced.contains(s.name))
      commons.push_back(id);
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
