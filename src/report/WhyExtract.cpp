//===- WhyExtract.cpp -----------------------------------------------------===//
//
// Problem: a library brings a member that the program does not want, because
// some other member refers to it, which another one wanted.
//
// Method: resolution has noted which symbol of which file asked for each member
// (Program::inclusions). A chain follows these notes back to an input that the
// command line names, or to an option; of each step the first reference is
// looked for among the relocations of its file.
//
// Cost: a look at all symbols, and at the relocations of each file that asked
// for a member; see Chains. lld's table takes a line for each member.
//
//===----------------------------------------------------------------------===//
#include "report/Why.h"
#include <tuple>

using namespace llvm;

namespace xlink {

/// Which option or statement of the script asks for each symbol.
static DenseMap<SymbolId, LiveRoot::Kind> askersOf(const Program &program) {
  DenseMap<SymbolId, LiveRoot::Kind> askers;
  LiveGraph::forEachNamed(program, [&](LiveRoot::Kind kind, SymbolId id) {
    if (id != kNone)
      askers.try_emplace(id, kind);
  });
  return askers;
}

/// All that the resolver noted, in the order of the link. It notes the first
/// file that mentions the symbol; where that does so only weakly, an option or
/// a later file has asked.
static std::vector<Inclusion>
inclusionsOf(const Program &program,
             const DenseMap<SymbolId, LiveRoot::Kind> &askers) {
  std::vector<Inclusion> list = program.inclusions;
  llvm::append_range(list, program.lazyInclusions);
  llvm::stable_sort(list, [](const Inclusion &a, const Inclusion &b) {
    return a.file < b.file;
  });
  DenseMap<SymbolId, FileId> first; ///< the first file with a strong reference
  for (const Inclusion &i : list)
    first.try_emplace(i.symbol);
  DenseSet<std::pair<FileId, SymbolId>> strong;
  for (FileId id : program.files.ids()) {
    const InputFile &file = program.files[id];
    for (uint32_t i = 1; i < file.object->symbols.size(); ++i) {
      const SymbolId symbol = program.symbolIds[file.symbolBase + i];
      const auto it = symbol == kNone ? first.end() : first.find(symbol);
      if (it == first.end() || file.object->symbols[i].binding == ELF::STB_WEAK)
        continue;
      strong.insert({id, symbol});
      if (it->second == kNone)
        it->second = id;
    }
  }
  for (Inclusion &i : list) {
    if (i.by == kNone || strong.contains({i.by, i.symbol}))
      continue;
    const FileId later = first.lookup(i.symbol);
    if (askers.contains(i.symbol))
      i.by = FileId();
    else if (later != kNone && later < i.file)
      i.by = later;
  }
  return list;
}

namespace {

class Extractions {
public:
  explicit Extractions(WhyContext &context)
      : context(context), program(context.program),
        chains(program.files.size()), askers(askersOf(program)),
        noted(inclusionsOf(program, askers)), isMember(program.files.size()),
        inclusions(program.files.size()) {
    for (const Inclusion &i : noted)
      inclusions[i.file] = &i;
    for (FileId file : program.files.ids())
      if (inclusions[file] || !program.files[file].object->archive.empty()) {
        members.push_back({.kind = WhyTarget::Member, .file = file});
        isMember[file] = true;
      }
  }

  /// The files that archives and --start-lib brought, in order.
  std::vector<WhyTarget> members;

  /// Of a glob leaves one target for each member, with the symbols that match.
  /// Targets outside of members stay if all are.
  void prepare(StringRef question, std::vector<WhyTarget> &targets) {
    matching.clear();
    if (question.find_first_of("*?[") == StringRef::npos)
      return;
    const auto inMember = [&](const WhyTarget &target) {
      const FileId file = fileOf(target);
      return file != kNone && isMember[file];
    };
    if (none_of(targets, inMember))
      return;
    erase_if(targets, [&](const WhyTarget &target) {
      if (!inMember(target))
        return true;
      const auto [it, fresh] = matching.try_emplace(fileOf(target));
      if (target.isSymbol())
        it->second.push_back(target.name);
      return !fresh;
    });
  }

  WhyAnswer of(const WhyTarget &target) {
    const FileId file = fileOf(target);
    const Fate fate = file == kNone ? context.fateOf(target) : Fate();
    WhyAnswer answer =
        context.begin("why extracted",
                      file != kNone && isMember[file]
                          ? WhyTarget{.kind = WhyTarget::Member, .file = file}
                          : target,
                      fate);
    if (file == kNone) {
      answer.line("it " + fate.text);
    } else {
      answer.json = json::Object{{"file", pathOf(file)}};
      if (const std::vector<StringRef> names = matching.lookup(file);
          !names.empty())
        addMatching(answer, names);
      addChain(answer, file);
    }
    if (target.isSymbol())
      answer.json["symbol"] = jsonText(target.name);
    return answer;
  }

private:
  /// The file of a target; kNone: it is in none.
  FileId fileOf(const WhyTarget &target) const {
    if (target.kind != WhyTarget::Global)
      return target.file;
    const Symbol &s = program.symbols[target.symbol];
    return s.isDefined() ? s.file : FileId();
  }

  void addMatching(WhyAnswer &answer, ArrayRef<StringRef> names) const {
    constexpr size_t most = 5;
    json::Array all;
    std::string list;
    for (StringRef name : names) {
      if (all.size() < most)
        list += (list.empty() ? "" : ", ") + program.shownName(name);
      all.push_back(jsonText(name));
    }
    if (names.size() > most)
      list += " and " + std::to_string(names.size() - most) + " more";
    answer.line("defines " + list);
    answer.json["symbols"] = std::move(all);
  }

  /// Of the first reference to a symbol: the section, and the relocation.
  using Use = std::pair<SectionId, Relocation>;

  /// The first reference of a file to each symbol.
  const DenseMap<SymbolId, Use> &usesOf(FileId id) {
    auto [it, fresh] = uses.try_emplace(id);
    if (!fresh)
      return it->second;
    const InputFile &file = program.files[id];
    for (uint32_t s = 1; s < file.object->sections.size(); ++s) {
      const ParsedSection &p = file.object->sections[s];
      for (uint32_t r = p.relocBegin; r < p.relocEnd; ++r) {
        const Relocation &rel = file.object->relocations[r];
        const SymbolId symbol = program.symbolIds[file.symbolBase + rel.symbol];
        if (symbol != kNone)
          it->second.try_emplace(symbol, file.sectionBase + s, rel);
      }
    }
    return it->second;
  }

  /// How a member came in that another file asked for.
  Phrase step(FileId file) {
    const Inclusion &i = *inclusions[file];
    const StringRef name = program.symbols[i.symbol].name;
    Phrase phrase{program.fileName(i.by) + " names " + program.shownName(name)};
    const DenseMap<SymbolId, Use> &uses = usesOf(i.by);
    if (const auto use = uses.find(i.symbol); use != uses.end()) {
      LiveLink link;
      std::tie(link.at, link.relocation) = use->second;
      phrase = context.reference(link.at, link);
    }
    phrase.text += ": " + program.fileName(file) + " defines it";
    phrase.json["member"] = pathOf(file);
    phrase.json["neededBy"] = pathOf(i.by);
    phrase.json["symbol"] = jsonText(name);
    return phrase;
  }

  /// Why the first file of a chain takes part.
  Phrase root(FileId file) const {
    const std::string path = program.fileName(file);
    Phrase phrase;
    if (const Inclusion *i = inclusions[file]) {
      const StringRef name = program.symbols[i->symbol].name;
      if (const auto asker = askers.find(i->symbol); asker != askers.end())
        phrase = context.reason({asker->second, i->symbol}, {});
      else
        phrase = {"an option or the script needs " + program.shownName(name),
                  json::Object{{"kind", "option"}, {"symbol", jsonText(name)}}};
      phrase.text += ": " + path + " defines it";
    } else if (isMember[file]) {
      phrase = {path + " is in by --whole-archive",
                json::Object{{"kind", "whole-archive"}}};
    } else {
      phrase = {path + " is an input of its own",
                json::Object{{"kind", "input"}}};
    }
    phrase.json["file"] = pathOf(file);
    return phrase;
  }

  /// Adds why a file takes part, step by step.
  void addChain(WhyAnswer &answer, FileId file) {
    const auto [chain, continued] =
        chains.endingAt(file.index(), [&](uint32_t i, bool) {
          const Inclusion *by = inclusions[FileId(i)];
          return by ? by->by.index() : FileId().index();
        });
    const FileId first(chain.front());
    if (continued) {
      answer.say({program.fileName(first) + " takes part, as shown above",
                  json::Object{{"file", pathOf(first)}}},
                 "continues");
    } else {
      Phrase phrase = root(first);
      if (!isMember[file])
        phrase.text += ", no member of an archive";
      answer.say(std::move(phrase), "root");
    }
    for (uint32_t i : ArrayRef(chain).drop_front())
      answer.add(step(FileId(i)), "chain");
  }

  json::Value pathOf(FileId file) const {
    return jsonText(program.filePath(file));
  }

  WhyContext &context;
  const Program &program;
  Chains chains;
  const DenseMap<SymbolId, LiveRoot::Kind> askers;
  const std::vector<Inclusion> noted;
  IdVector<FileId, bool> isMember;
  /// Into `noted`, null: --whole-archive.
  IdVector<FileId, const Inclusion *> inclusions;
  DenseMap<FileId, DenseMap<SymbolId, Use>> uses;
  /// Of the question: the symbols of each member that match its glob.
  DenseMap<FileId, std::vector<StringRef>> matching;
};

/// The kinds of names that --why-extract takes.
constexpr unsigned kExtractTargets =
    WhyTarget::Symbols | WhyTarget::Member | WhyTarget::Unused;

} // namespace

void whyExtract(WhyContext &context) {
  const Config &config = context.program.config;
  Extractions extractions(context);
  auto answer = [&](const WhyTarget &target) { return extractions.of(target); };
  if (config.whyExtract) {
    context.answerAll("", extractions.members, answer);
    if (context.text.empty())
      context.text = "why extracted: no member of an archive takes part\n";
  }
  const std::vector<std::string> files = whyExtractFiles(context.program);
  std::vector<std::string> names = config.whyExtractNames;
  erase_if(names,
           [&](const std::string &name) { return is_contained(files, name); });
  context.ask("--why-extract", names, kExtractTargets, answer,
              [&](StringRef question, std::vector<WhyTarget> &targets) {
                extractions.prepare(question, targets);
              });
}

//===----------------------------------------------------------------------===//
// lld's table
//===----------------------------------------------------------------------===//

std::vector<std::string> whyExtractFiles(const Program &program) {
  std::vector<std::string> files;
  std::optional<WhyNames> names;
  for (const std::string &value : program.config.whyExtractNames) {
    if (value != "-") {
      if (StringRef(value).find_first_of("*?[") != StringRef::npos)
        continue;
      if (!names)
        names.emplace(program);
      if (!names->find(value, kExtractTargets).empty())
        continue;
    }
    if (!is_contained(files, value))
      files.push_back(value);
  }
  return files;
}

std::string whyExtractTable(const Program &program) {
  std::string text = "reference\textracted\tsymbol\n";
  const DenseMap<SymbolId, LiveRoot::Kind> askers = askersOf(program);
  for (const Inclusion &i : inclusionsOf(program, askers)) {
    std::string by = "<internal>";
    if (i.by != kNone)
      by = program.fileName(i.by);
    else if (auto it = askers.find(i.symbol); it != askers.end())
      by = it->second == LiveRoot::Entry           ? "--entry"
           : it->second == LiveRoot::UndefinedGlob ? "--undefined-glob"
                                                   : by;
    text += by + "\t" + program.fileName(i.file) + "\t" +
            program.shownName(program.symbols[i.symbol].name) + "\n";
  }
  return text;
}

} // namespace xlink
