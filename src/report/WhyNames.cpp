//===- WhyNames.cpp -------------------------------------------------------===//
//
// Problem: a question may be a glob, and there may be a hundred thousand
// questions about as many symbols; their product is too much.
//
// Method: all names of symbols, sections and members are written down once. A
// plain question is looked up in a map, a glob is compared with all names.
//
// Cost: demangling each symbol's name and a map of all names; for a glob a
// comparison with each.
//
//===----------------------------------------------------------------------===//
#include "base/Demangle.h"
#include "report/MapFile.h"
#include "report/Why.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <set>

using namespace llvm;

namespace xlink {

/// A name without the directories of the file in front, if there are any.
static StringRef withoutFolders(StringRef text) {
  // Members and sections may have a '/' in their names too.
  const size_t slash = text.take_front(text.find('(')).rfind('/');
  return slash == StringRef::npos ? text : text.drop_front(slash + 1);
}

void WhyNames::addSymbol(WhyTarget target) {
  const uint32_t number = uint32_t(targets.size());
  targets.push_back(target);
  names.push_back({target.name, number});
  const std::string shown = demangled(target.name);
  if (shown == target.name)
    return;
  const StringRef all = StringRef(shown).copy(texts);
  names.push_back({all, number});
  // A space, or nothing, in front: that parenthesis opens no parameters.
  const size_t parameters = all.find('(');
  if (parameters != StringRef::npos && parameters != 0 &&
      all[parameters - 1] != ':' && all[parameters - 1] != ' ')
    names.push_back({all.take_front(parameters), number});
}

WhyNames::WhyNames(const Program &program) : program(program) {
  for (SymbolId id : program.symbols.ids()) {
    const Symbol &s = program.symbols[id];
    const bool defined = s.kind == SymbolKind::Defined;
    addSymbol({.symbol = id,
               .section = defined ? s.section : SectionId(),
               .offset = defined ? s.value : 0,
               .name = s.name});
  }
  for (FileId file : program.files.ids())
    for (const ParsedSymbol &s : program.files[file].object->symbols)
      if (s.binding == ELF::STB_LOCAL && s.place == SymbolPlace::Section &&
          s.type != ELF::STT_SECTION && s.type != ELF::STT_FILE &&
          !s.name.empty())
        addSymbol({.kind = WhyTarget::Local,
                   .section = program.files[file].sectionBase + s.section,
                   .offset = s.value,
                   .file = file,
                   .name = s.name});
  for (SectionId id : program.sections.ids(1)) {
    const InputSection &s = program.sections[id];
    if (!s.parsed || !isReportedSection(*s.parsed))
      continue;
    const uint32_t number = uint32_t(targets.size());
    targets.push_back({.kind = WhyTarget::Section, .section = id});
    names.push_back({s.parsed->name, number, false, /*plainSection=*/true});
    names.push_back({StringRef(program.sectionName(id)).copy(texts), number,
                     /*hasPath=*/true, false, /*fullSection=*/true});
  }
  auto addMember = [&](const WhyTarget &target, StringRef path,
                       StringRef member) {
    const uint32_t number = uint32_t(targets.size());
    targets.push_back(target);
    names.push_back({path, number, /*hasPath=*/true});
    if (member != path)
      names.push_back({member, number});
  };
  DenseSet<FileId> lazy;
  for (const Inclusion &i : program.lazyInclusions)
    lazy.insert(i.file);
  for (FileId file : program.files.ids())
    if (const ParsedObject &object = *program.files[file].object;
        !object.archive.empty() || lazy.contains(file))
      addMember({.kind = WhyTarget::Member, .file = file}, object.path,
                object.member());
  for (uint32_t i = 0; i < program.unusedMembers.size(); ++i) {
    const StringRef path = program.unusedMembers[i].path;
    addMember({.kind = WhyTarget::Unused, .member = i}, path,
              path.ends_with(")") ? path.drop_back().rsplit('(').second : path);
  }
  for (uint32_t i = 0; i < names.size(); ++i)
    exact[names[i].hasPath ? withoutFolders(names[i].text) : names[i].text]
        .push_back(i);
}

/// Whether a glob means a name: one of a file with or without directories, but
/// no member in a question about other things, and no name that an archive or a
/// PROVIDE offers and no file uses.
bool WhyNames::matches(const Name &name, StringRef glob,
                       unsigned wanted) const {
  if (name.text == glob)
    return true;
  const WhyTarget &target = targets[name.target];
  if ((name.fullSection && !glob.contains(":(")) ||
      (target.kind == WhyTarget::Unused && !(wanted & WhyTarget::Member)))
    return false;
  if (target.kind == WhyTarget::Global) {
    const Symbol &s = program.symbols[target.symbol];
    if (s.kind == SymbolKind::Undefined && !s.referenced && !s.scriptDefined)
      return false;
  }
  return globMatch({glob, true}, name.text) ||
         (name.hasPath && globMatch({glob, true}, withoutFolders(name.text)));
}

std::vector<WhyTarget> WhyNames::find(StringRef question,
                                      unsigned wanted) const {
  std::vector<const Name *> found;
  if (question.find_first_of("*?[") != StringRef::npos) {
    for (const Name &name : names)
      if (matches(name, question, wanted))
        found.push_back(&name);
  } else {
    // Names that are the question; where there are none, those of files that
    // have more directories in front of it.
    std::vector<const Name *> longer;
    const std::string behind = ("/" + question).str();
    for (StringRef key : {question, withoutFolders(question)})
      for (uint32_t i : exact.lookup(key))
        if (names[i].text == question)
          found.push_back(&names[i]);
        else if (names[i].hasPath && names[i].text.ends_with(behind))
          longer.push_back(&names[i]);
    if (found.empty())
      found = std::move(longer);
  }
  erase_if(found, [&](const Name *name) {
    return !(targets[name->target].kind & wanted);
  });
  if (found.empty() && (wanted & WhyTarget::SymbolsOtherwise))
    return find(question, WhyTarget::Symbols);
  const bool anySymbol = any_of(found, [&](const Name *name) {
    return targets[name->target].isSymbol();
  });
  std::set<uint32_t> order;
  for (const Name *name : found)
    if (!anySymbol || !name->plainSection || question.starts_with("."))
      order.insert(name->target);
  std::vector<WhyTarget> result;
  for (uint32_t i : order)
    result.push_back(targets[i]);
  return result;
}

std::string WhyNames::unknownText(StringRef question, unsigned wanted) {
  if (!find(question, WhyTarget::Member).empty())
    return "'" + question.str() +
           "' is a member that takes part; its symbols and sections can be "
           "asked about, and --why-extract tells of members";
  if (wanted & WhyTarget::SymbolsOtherwise)
    wanted |= WhyTarget::Symbols;
  if (!hints) {
    std::set<StringRef> candidates;
    for (const Name &name : names)
      if (targets[name.target].kind & wanted)
        candidates.insert(name.text);
    hints.emplace(std::vector<StringRef>(candidates.begin(), candidates.end()));
  }
  const std::string near = hints->near(question);
  return "nothing in this link is called '" + question.str() + "'" +
         (near.empty() ? "" : "; did you mean '" + near + "'?");
}

} // namespace xlink
