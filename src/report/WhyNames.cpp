//===- WhyNames.cpp -------------------------------------------------------===//
//
// Problem: a question may be a glob, and there may be a hundred thousand
// questions about as many symbols; their product is too much.
//
// Method: all names that something of the link goes by are written down once,
// when the first question comes. A plain one is looked up, a glob is compared
// with all.
//
// Cost: demangling each symbol's name and a map of all names; for a glob a
// comparison with each.
//
//===----------------------------------------------------------------------===//
#include "report/WhyNames.h"
#include "base/Demangle.h"
#include "report/MapFile.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

/// Of the target that was added last.
void WhyNames::addName(StringRef text) {
  names.push_back({text, uint32_t(targets.size() - 1)});
}

void WhyNames::addSymbol(const WhyTarget &target) {
  const StringRef name = target.name;
  targets.push_back(target);
  addName(name);
  std::string shown = demangled(name);
  if (shown == name)
    return;
  const StringRef all = save(shown);
  addName(all);
  // A space, or nothing, in front: that parenthesis opens no parameters.
  const size_t parameters = all.find('(');
  if (parameters != StringRef::npos && parameters != 0 &&
      all[parameters - 1] != ':' && all[parameters - 1] != ' ')
    addName(all.take_front(parameters));
}

void WhyNames::addSymbols() {
  for (SymbolId id : program.symbols.ids()) {
    const Symbol &s = program.symbols[id];
    WhyTarget target;
    target.symbol = id;
    target.name = s.name;
    if (s.kind == SymbolKind::Defined) {
      target.section = s.section;
      target.offset = s.value;
    }
    addSymbol(target);
  }
  for (FileId file : program.files.ids()) {
    const InputFile &f = program.files[file];
    for (const ParsedSymbol &s : f.object->symbols) {
      if (s.binding != ELF::STB_LOCAL || s.place != SymbolPlace::Section ||
          s.type == ELF::STT_SECTION || s.type == ELF::STT_FILE ||
          s.name.empty())
        continue;
      WhyTarget target;
      target.kind = WhyTarget::Local;
      target.section = f.sectionBase + s.section;
      target.offset = s.value;
      target.file = file;
      target.name = s.name;
      addSymbol(target);
    }
  }
}

void WhyNames::addSections() {
  for (SectionId id : program.sections.ids(1)) {
    const InputSection &s = program.sections[id];
    if (!s.parsed || !isReportedSection(*s.parsed))
      continue;
    WhyTarget target;
    target.kind = WhyTarget::Section;
    target.section = id;
    targets.push_back(target);
    addName(s.parsed->name);
    names.back().plainSection = true;
    addName(save(program.sectionName(id)));
    names.back().fullSection = names.back().hasPath = true;
  }
}

void WhyNames::addMembers() {
  DenseSet<FileId> lazy;
  for (const Inclusion &i : program.lazyInclusions)
    lazy.insert(i.file);
  for (FileId file : program.files.ids()) {
    const ParsedObject &object = *program.files[file].object;
    if (object.archive.empty() && !lazy.contains(file))
      continue;
    WhyTarget target;
    target.kind = WhyTarget::Member;
    target.file = file;
    targets.push_back(target);
    addName(object.path);
    names.back().hasPath = true;
    if (object.member() != object.path)
      addName(object.member());
  }
  for (uint32_t i = 0; i < program.unusedMembers.size(); ++i) {
    WhyTarget target;
    target.kind = WhyTarget::Unused;
    target.member = i;
    targets.push_back(target);
    StringRef path = program.unusedMembers[i].path;
    addName(path);
    names.back().hasPath = true;
    if (path.consume_back(")"))
      addName(path.rsplit('(').second);
  }
}

void WhyNames::collect() {
  if (!targets.empty())
    return;
  addSymbols();
  addSections();
  addMembers();
}

/// A name without the directories of the file in front, if there are any.
static StringRef withoutFolders(StringRef text) {
  // Members and sections may have a '/' in their names too.
  const size_t slash = text.take_front(text.find('(')).rfind('/');
  return slash == StringRef::npos ? text : text.drop_front(slash + 1);
}

/// The map of plain names, which globs do without. Those of files stand there
/// without their directories.
void WhyNames::index() {
  if (!exact.empty())
    return;
  for (uint32_t i = 0; i < names.size(); ++i)
    exact[names[i].hasPath ? withoutFolders(names[i].text) : names[i].text]
        .push_back(i);
}

/// Names that are the question; where there are none, those of files that have
/// more directories in front of it.
void WhyNames::findPlain(StringRef question,
                         function_ref<void(const Name &)> take) {
  index();
  std::vector<const Name *> same, longer;
  auto look = [&](StringRef key, bool ofFiles) {
    auto it = exact.find(key);
    if (it == exact.end())
      return;
    for (uint32_t i : it->second) {
      const Name &name = names[i];
      if (name.hasPath != ofFiles)
        continue;
      if (name.text == question)
        same.push_back(&name);
      else if (ofFiles && name.text.ends_with(question) &&
               name.text.drop_back(question.size()).ends_with("/"))
        longer.push_back(&name);
    }
  };
  look(question, /*ofFiles=*/false);
  look(withoutFolders(question), /*ofFiles=*/true);
  for (const Name *name : same.empty() ? longer : same)
    take(*name);
}

/// Whether a name matches a glob, one of a file with or without directories.
bool WhyNames::matches(const Name &name, StringRef glob) {
  return globMatch({glob, true}, name.text) ||
         (name.hasPath && globMatch({glob, true}, withoutFolders(name.text)));
}

static unsigned wantedBit(WhyTarget::Kind kind) {
  switch (kind) {
  case WhyTarget::Global:
  case WhyTarget::Local:
    return WhyNames::Symbols;
  case WhyTarget::Section:
    return WhyNames::Sections;
  case WhyTarget::Member:
    return WhyNames::Members;
  case WhyTarget::Unused:
    return WhyNames::Unused;
  }
  return 0;
}

/// Whether it is a name that an archive or a PROVIDE offers and nobody uses, or
/// a member where nobody asked for members: a glob does not mean those.
bool WhyNames::isIdle(const WhyTarget &target, unsigned wanted) const {
  if (target.kind == WhyTarget::Unused)
    return !(wanted & Members);
  if (target.kind != WhyTarget::Global)
    return false;
  const Symbol &s = program.symbols[target.symbol];
  return s.kind == SymbolKind::Undefined && !s.referenced && !s.scriptDefined;
}

std::vector<WhyTarget> WhyNames::find(StringRef question, unsigned wanted) {
  if (wanted & SymbolsOtherwise) {
    std::vector<WhyTarget> others = find(question, wanted & ~SymbolsOtherwise);
    return others.empty() ? find(question, Symbols) : others;
  }
  collect();
  std::vector<const Name *> found;
  auto take = [&](const Name &name) {
    if (wantedBit(targets[name.target].kind) & wanted)
      found.push_back(&name);
  };
  if (question.find_first_of("*?[") == StringRef::npos) {
    findPlain(question, take);
  } else {
    const bool ofFile = question.contains(":(");
    for (const Name &name : names)
      if (name.text == question ||
          ((ofFile || !name.fullSection) &&
           !isIdle(targets[name.target], wanted) && matches(name, question)))
        take(name);
  }
  const bool anySymbol = any_of(
      found, [&](const Name *n) { return targets[n->target].isSymbol(); });
  if (anySymbol && !question.starts_with("."))
    erase_if(found, [](const Name *n) { return n->plainSection; });
  std::vector<uint32_t> order;
  order.reserve(found.size());
  for (const Name *name : found)
    order.push_back(name->target);
  llvm::sort(order);
  order.erase(std::unique(order.begin(), order.end()), order.end());
  std::vector<WhyTarget> result;
  result.reserve(order.size());
  for (uint32_t i : order)
    result.push_back(targets[i]);
  return result;
}

std::string WhyNames::unknownText(StringRef question, unsigned wanted) {
  if (!find(question, Members).empty())
    return "'" + question.str() +
           "' is a member that takes part; its symbols and sections can be "
           "asked about, and --why-extract tells of members";
  collect();
  if (wanted & SymbolsOtherwise)
    wanted |= Symbols;
  if (!hints) {
    index();
    std::vector<StringRef> candidates;
    for (const auto &entry : exact)
      if (any_of(entry.second, [&](uint32_t i) {
            return wantedBit(targets[names[i].target].kind) & wanted;
          }))
        for (uint32_t i : entry.second)
          candidates.push_back(names[i].text);
    llvm::sort(candidates);
    candidates.erase(std::unique(candidates.begin(), candidates.end()),
                     candidates.end());
    hints.emplace(std::move(candidates));
  }
  const std::string near = hints->near(question);
  return "nothing in this link is called '" + question.str() + "'" +
         (near.empty() ? "" : "; did you mean '" + near + "'?");
}

} // namespace xlink
