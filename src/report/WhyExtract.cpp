//===- WhyExtract.cpp -----------------------------------------------------===//
//
// Problem: a library brings a member that nobody wanted, because some other
// member refers to it, which another one wanted.
//
// Method: resolution has noted which symbol of which file asked for each member
// (Program::inclusions). A chain follows these notes back to an input that the
// command line names, or to an option; of each step the first reference is
// looked for among the relocations of its file.
//
// Cost: one look at the relocations of each file that asked for a member; see
// ChainCutter for the chains. lld's table takes a line for each member.
//
//===----------------------------------------------------------------------===//
#include "report/Why.h"
#include "report/WhyFate.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

namespace {

class Extractions {
public:
  explicit Extractions(WhyContext &context);

  /// The files that archives and --start-lib brought, in order.
  const std::vector<FileId> &members() const { return brought; }
  bool isMember(FileId file) const {
    return file != kNone && isBrought[file.index()];
  }
  /// Of what asked for a member: the first relocation, if one did.
  struct Use {
    SectionId section;
    std::optional<Relocation> relocation = std::nullopt;
  };
  Use useOf(const Inclusion &inclusion);
  /// Adds why a file takes part, step by step; `more` ends the first line.
  void addChain(WhyAnswer &answer, FileId file, const char *more = "");
  WhyAnswer of(FileId file);

private:
  Said step(FileId file);
  Said root(FileId file);

  WhyContext &context;
  const Program &program;
  ChainCutter cutter;
  std::vector<FileId> brought;
  BitVector isBrought;
  const std::vector<Inclusion> noted;
  /// Into `noted`, null: --whole-archive.
  IdVector<FileId, const Inclusion *> inclusions;
  DenseMap<FileId, DenseMap<SymbolId, Use>> uses;
};

} // namespace

/// Calls fn for each symbol of a file that can bring a member.
template <class Fn>
static void forEachStrong(const Program &program, FileId file, Fn fn) {
  const InputFile &f = program.files[file];
  for (uint32_t i = 1; i < f.object->symbols.size(); ++i)
    if (const SymbolId id = program.symbolIds[f.symbolBase + i];
        id != kNone && f.object->symbols[i].binding != ELF::STB_WEAK)
      fn(id);
}

/// All that the resolver noted, in the order of the link. It notes the first
/// file that mentions the symbol; where that does so only weakly, an option or
/// a later file has asked.
static std::vector<Inclusion> inclusionsOf(const Program &program) {
  std::vector<Inclusion> list = program.inclusions;
  list.insert(list.end(), program.lazyInclusions.begin(),
              program.lazyInclusions.end());
  llvm::stable_sort(list, [](const Inclusion &a, const Inclusion &b) {
    return a.file < b.file;
  });
  DenseMap<FileId, DenseSet<SymbolId>> strong;
  DenseMap<SymbolId, Inclusion *> doubtful;
  for (Inclusion &i : list) {
    if (i.by == kNone)
      continue;
    auto [it, fresh] = strong.try_emplace(i.by);
    if (fresh)
      forEachStrong(program, i.by,
                    [&, it = it](SymbolId id) { it->second.insert(id); });
    if (!it->second.contains(i.symbol))
      doubtful[i.symbol] = &i;
  }
  if (doubtful.empty())
    return list;
  for (auto [symbol, kind] : askersOf(program))
    if (auto it = doubtful.find(symbol); it != doubtful.end()) {
      it->second->by = FileId();
      doubtful.erase(it);
    }
  for (FileId file : program.files.ids())
    forEachStrong(program, file, [&](SymbolId id) {
      if (auto it = doubtful.find(id);
          it != doubtful.end() && file < it->second->file) {
        it->second->by = file;
        doubtful.erase(it);
      }
    });
  return list;
}

Extractions::Extractions(WhyContext &context)
    : context(context), program(context.program),
      cutter(context.program.files.size()),
      isBrought(unsigned(context.program.files.size())),
      noted(inclusionsOf(context.program)) {
  inclusions.assign(program.files.size(), nullptr);
  for (const Inclusion &i : noted)
    inclusions[i.file] = &i;
  for (FileId file : program.files.ids())
    if (inclusions[file] || !program.files[file].object->archive.empty()) {
      brought.push_back(file);
      isBrought.set(file.index());
    }
}

Extractions::Use Extractions::useOf(const Inclusion &i) {
  if (i.by == kNone)
    return {};
  auto [it, fresh] = uses.try_emplace(i.by);
  if (fresh) {
    const InputFile &file = program.files[i.by];
    for (uint32_t s = 1; s < file.object->sections.size(); ++s) {
      const ParsedSection &p = file.object->sections[s];
      for (uint32_t r = p.relocBegin; r < p.relocEnd; ++r) {
        const Relocation &rel = file.object->relocations[r];
        const SymbolId id = program.symbolIds[file.symbolBase + rel.symbol];
        if (id != kNone)
          it->second.try_emplace(id, Use{file.sectionBase + s, rel});
      }
    }
  }
  return it->second.lookup(i.symbol);
}

/// How a member came in that another file asked for.
Said Extractions::step(FileId file) {
  const Inclusion &i = *inclusions[file];
  const StringRef name = program.symbols[i.symbol].name;
  const Use use = useOf(i);
  Said said{program.fileName(i.by) + " names " + program.shownName(name)};
  if (use.relocation) {
    LiveLink link;
    link.relocation = use.relocation;
    link.at = use.section;
    said = context.reference(use.section, link);
  }
  said.text += ": " + program.fileName(file) + " defines it";
  said.json["member"] = json::fixUTF8(program.filePath(file));
  said.json["neededBy"] = json::fixUTF8(program.filePath(i.by));
  said.json["symbol"] = json::fixUTF8(name);
  return said;
}

/// Why the first file of a chain takes part.
Said Extractions::root(FileId file) {
  const std::string path = program.fileName(file);
  Said said;
  if (const Inclusion *i = inclusions[file]) {
    const StringRef name = program.symbols[i->symbol].name;
    if (const auto asker = context.askerOf(i->symbol))
      said = context.reason(*asker, {});
    else
      said = {
          "an option or the script needs " + program.shownName(name),
          json::Object{{"kind", "option"}, {"symbol", json::fixUTF8(name)}}};
    said.text += ": " + path + " defines it";
  } else if (isMember(file)) {
    said = {path + " is in by --whole-archive",
            json::Object{{"kind", "whole-archive"}}};
  } else {
    said = {path + " is an input of its own", json::Object{{"kind", "input"}}};
  }
  said.json["file"] = json::fixUTF8(program.filePath(file));
  return said;
}

void Extractions::addChain(WhyAnswer &answer, FileId file, const char *more) {
  const ChainCutter::Chain chain = cutter.cut(file.index(), [&](uint32_t i) {
    const Inclusion *by = inclusions[FileId(i)];
    return by ? by->by.index() : FileId().index();
  });
  const FileId first(chain.steps.front());
  if (chain.continued) {
    answer.say(program.fileName(first) + " takes part, as shown above",
               "continues",
               json::Object{{"file", json::fixUTF8(program.filePath(first))}});
  } else {
    Said said = root(first);
    answer.say(said.text + more, "root", std::move(said.json));
  }
  for (uint32_t i : ArrayRef(chain.steps).drop_front()) {
    Said said = step(FileId(i));
    answer.add(said.text, "chain", std::move(said.json));
  }
}

WhyAnswer Extractions::of(FileId file) {
  WhyAnswer answer{
      "why extracted: " + program.fileName(file) + "\n",
      json::Object{{"file", json::fixUTF8(program.filePath(file))}}};
  addChain(answer, file);
  return answer;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

/// The file that a question is about; kNone: what it names is in none.
static FileId fileOf(const Program &program, const WhyTarget &target) {
  if (target.kind != WhyTarget::Global)
    return target.file;
  const Symbol &s = program.symbols[target.symbol];
  return s.isDefined() ? s.file : FileId();
}

void whyExtract(WhyContext &context) {
  const Program &program = context.program;
  const Config &config = program.config;
  Extractions extractions(context);
  Fates fates(context);
  const std::vector<std::string> files = whyExtractFiles(program);
  std::vector<std::string> names;
  for (const std::string &name : config.whyExtractNames)
    if (!is_contained(files, name))
      names.push_back(name);
  auto answer = [&](const WhyTarget &target) {
    const FileId file = fileOf(program, target);
    WhyAnswer answer;
    if (extractions.isMember(file)) {
      answer = extractions.of(file);
    } else {
      answer = context.begin("why extracted", target);
      if (file != kNone) {
        answer.json =
            json::Object{{"file", json::fixUTF8(program.filePath(file))}};
        extractions.addChain(answer, file, ", no member of an archive");
      } else {
        const Fate fate = fates.of(target);
        answer.line("it " + fate.text);
        fate.addTo(answer.json);
      }
    }
    if (target.isSymbol())
      answer.json["symbol"] = json::fixUTF8(target.name);
    return answer;
  };
  if (config.whyExtract)
    context.question("", [&] {
      for (FileId file : extractions.members())
        context.give(extractions.of(file));
    });
  if (config.whyExtract && context.text.empty())
    context.text = "why extracted: no member of an archive takes part\n";
  context.ask("--why-extract", names,
              WhyNames::Symbols | WhyNames::Members | WhyNames::Unused, answer);
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
      if (names->knowsInput(value))
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
  for (const Inclusion &i : inclusionsOf(program)) {
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
