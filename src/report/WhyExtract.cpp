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
#include "report/WhyExtract.h"
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
  /// Null: --whole-archive.
  const Inclusion *inclusion(FileId file) const { return inclusions[file]; }
  /// Of what asked for a member: the first relocation, if one did.
  struct Use {
    SectionId section;
    std::optional<Relocation> relocation = std::nullopt;
  };
  Use useOf(const Inclusion &inclusion);
  ChainCutter::Chain chainOf(FileId file);
  std::string stepText(FileId file);
  json::Object stepJson(FileId file);
  std::string rootText(FileId file);
  json::Object rootJson(FileId file);

private:
  WhyContext &context;
  const Program &program;
  ChainCutter cutter;
  std::vector<FileId> brought;
  BitVector isBrought;
  const std::vector<Inclusion> noted;
  IdVector<FileId, const Inclusion *> inclusions; ///< into `noted`
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

ChainCutter::Chain Extractions::chainOf(FileId file) {
  return cutter.cut(file.index(), [&](uint32_t i) {
    const Inclusion *by = inclusions[FileId(i)];
    return by ? by->by.index() : FileId().index();
  });
}

/// How a member came in that another file asked for.
std::string Extractions::stepText(FileId file) {
  const Inclusion &i = *inclusions[file];
  const std::string name = program.shownName(program.symbols[i.symbol].name);
  const Use use = useOf(i);
  std::string text;
  if (use.relocation) {
    LiveLink link;
    link.relocation = use.relocation;
    link.at = use.section;
    text = context.stepText(use.section, link);
  } else {
    text = program.fileName(i.by) + " names " + name;
  }
  return text + ": " + program.fileName(file) + " defines it";
}

json::Object Extractions::stepJson(FileId file) {
  const Inclusion &i = *inclusions[file];
  json::Object o{{"member", json::fixUTF8(program.filePath(file))},
                 {"neededBy", json::fixUTF8(program.filePath(i.by))},
                 {"symbol", json::fixUTF8(program.symbols[i.symbol].name)}};
  if (const Use use = useOf(i); use.relocation)
    context.addReference(o, use.section, *use.relocation);
  return o;
}

/// Why the first file of a chain takes part.
std::string Extractions::rootText(FileId file) {
  const Inclusion *i = inclusions[file];
  const std::string path = program.fileName(file);
  if (!i)
    return path + (isMember(file) ? " is in by --whole-archive"
                                  : " is an input of its own");
  const auto asker = context.askerOf(i->symbol);
  const std::string name = program.shownName(program.symbols[i->symbol].name);
  return (asker ? context.reasonText(*asker, {})
                : "an option or the script needs " + name) +
         ": " + path + " defines it";
}

json::Object Extractions::rootJson(FileId file) {
  const Inclusion *i = inclusions[file];
  json::Object o;
  if (!i)
    o["kind"] = isMember(file) ? "whole-archive" : "input";
  else if (const auto asker = context.askerOf(i->symbol))
    o = context.reasonJson(*asker, {});
  else
    o = json::Object{
        {"kind", "option"},
        {"symbol", json::fixUTF8(program.symbols[i->symbol].name)}};
  o["file"] = json::fixUTF8(program.filePath(file));
  return o;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

static constexpr unsigned kWantedExtract =
    WhyNames::Symbols | WhyNames::Members | WhyNames::Unused;

/// The file that a question is about; kNone: what it names is in none.
static FileId fileOf(const Program &program, const WhyTarget &target) {
  if (target.kind != WhyTarget::Global)
    return target.file;
  const Symbol &s = program.symbols[target.symbol];
  return s.isDefined() ? s.file : FileId();
}

/// The questions that are no files, or one about all members.
static std::vector<WhyContext::Question> questionsOf(WhyContext &context,
                                                     bool warn) {
  const Config &config = context.program.config;
  const std::vector<std::string> files = whyExtractFiles(context.program);
  std::vector<std::string> names;
  for (const std::string &name : config.whyExtractNames)
    if (!is_contained(files, name))
      names.push_back(name);
  return context.ask("--why-extract", names, kWantedExtract, warn);
}

static void addText(std::string &text, const Program &program,
                    Extractions &extractions, FileId file) {
  text += "why extracted: " + program.fileName(file) + "\n";
  const ChainCutter::Chain chain = extractions.chainOf(file);
  const FileId first(chain.steps.front());
  text +=
      "    " +
      (chain.continued ? program.fileName(first) + " takes part, as shown above"
                       : extractions.rootText(first)) +
      "\n";
  for (uint32_t i : ArrayRef(chain.steps).drop_front())
    text += "    " + extractions.stepText(FileId(i)) + "\n";
}

std::string whyExtractText(WhyContext &context) {
  const Program &program = context.program;
  Extractions extractions(context);
  Fates fates(context);
  std::string text;
  if (program.config.whyExtract)
    for (FileId file : extractions.members())
      addText(text, program, extractions, file);
  if (program.config.whyExtract && text.empty())
    text = "why extracted: no member of an archive takes part\n";
  for (const auto &[question, targets] : questionsOf(context, /*warn=*/true))
    for (const WhyTarget &target : targets) {
      const FileId file = fileOf(program, target);
      if (extractions.isMember(file))
        addText(text, program, extractions, file);
      else if (file != kNone)
        text += "why extracted: " + context.titleOf(target) + "\n    " +
                extractions.rootText(file) + ", no member of an archive\n";
      else
        text += "why extracted: " + context.titleOf(target) + "\n    it " +
                fates.of(target).text + "\n";
    }
  return text;
}

static json::Object answerJson(const Program &program, Extractions &extractions,
                               FileId file) {
  json::Object o{{"file", json::fixUTF8(program.filePath(file))}};
  const ChainCutter::Chain chain = extractions.chainOf(file);
  const FileId first(chain.steps.front());
  if (chain.continued)
    o["continues"] =
        json::Object{{"file", json::fixUTF8(program.filePath(first))}};
  else
    o["root"] = extractions.rootJson(first);
  json::Array steps;
  for (uint32_t i : ArrayRef(chain.steps).drop_front())
    steps.push_back(extractions.stepJson(FileId(i)));
  if (!steps.empty())
    o["chain"] = std::move(steps);
  return o;
}

void whyExtractJson(WhyContext &context, json::OStream &out) {
  const Program &program = context.program;
  Extractions extractions(context);
  Fates fates(context);
  out.array([&] {
    if (program.config.whyExtract)
      out.object([&] {
        out.attributeArray("answers", [&] {
          for (FileId file : extractions.members())
            out.value(answerJson(program, extractions, file));
        });
      });
    WhyContext::writeAnswers(out, questionsOf(context, /*warn=*/false),
                             [&](const WhyTarget &target) {
                               const FileId file = fileOf(program, target);
                               json::Object o;
                               if (file != kNone) {
                                 o = answerJson(program, extractions, file);
                               } else {
                                 o = context.jsonOf(target);
                                 fates.of(target).addTo(o);
                               }
                               if (target.isSymbol())
                                 o["symbol"] = json::fixUTF8(target.name);
                               return o;
                             });
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
