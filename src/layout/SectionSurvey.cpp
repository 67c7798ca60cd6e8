//===- SectionSurvey.cpp --------------------------------------------------===//
//
// Problem: each input section goes to the first pattern that takes it. The
// descriptions of half a million sections do not fit into a cache, and every
// pass that reads them waits for memory again.
//
// Method: one pass reads them, several threads a file each. It asks the rules
// and numbers the different kinds of sections that a file has; each section
// gets the number (SectionClass). Behind the barrier the numbers of all files
// become those of the link, in the order of the inputs, so that they are the
// same for any number of threads. Later passes read the numbers alone.
//
// Cost: linear in sections, apart from what rules cost; a logarithm of the
// kinds for each section that is not of the kind of the one before it.
//
//===----------------------------------------------------------------------===//
#include "layout/SectionSurvey.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <optional>

using namespace llvm;

namespace xlink {

SectionId madeSections(const Program &program) {
  if (program.files.empty())
    return SectionId(1);
  const InputFile &last = program.files.back();
  return last.sectionBase + uint32_t(last.object->sections.size());
}

InputOrder::InputOrder(const Program &program) : program(program) {
  for (SectionId id : idRange(madeSections(program), program.sections.next())) {
    const FileId file = program.sections[id].file;
    if (file == kNone) {
      last.push_back(id);
      continue;
    }
    if (extra.empty())
      extra = IdVector<FileId, std::vector<SectionId>>(program.files.size());
    extra[file].push_back(id);
  }
}

namespace {

SectionClass classify(const InputSection &s) {
  const ParsedSection &p = *s.parsed;
  return {p.type,  p.flags,     p.entsize,
          p.align, isCommon(s), p.name == ".eh_frame"};
}

/// Numbers classes as they come.
class ClassNumbers {
public:
  explicit ClassNumbers(std::vector<SectionClass> &list) : list(list) {}
  uint32_t number(const SectionClass &c) {
    if (last < list.size() && list[last] == c)
      return last;
    auto [it, fresh] = numbers.try_emplace(c, uint32_t(list.size()));
    if (fresh)
      list.push_back(c);
    return last = it->second;
  }

private:
  std::vector<SectionClass> &list;
  std::map<SectionClass, uint32_t> numbers;
  uint32_t last = kNone;
};

class Surveyor {
public:
  Surveyor(const Program &program, const PatternRules &rules, bool anyKeep,
           const PatternIndex *some, Placement &placement)
      : program(program), rules(rules), some(some), placement(placement),
        parts(program.files.size() + 1) {
    if (anyKeep)
      keeping = rules.indexOf(
          [](const PatternRule &rule) { return rule.description->keep; });
  }
  SectionSurvey run();

private:
  /// The sections of a file, or those that are made.
  struct Part {
    SectionId begin, end;
    std::vector<SectionClass> classes;
    bool anyNamed = false;
    uint64_t steps = 0;
  };
  void look(Part &part);
  void ask(SectionId id, uint64_t &steps);
  void numberClasses();

  const Program &program;
  const PatternRules &rules;
  std::optional<PatternIndex> keeping; ///< the rules with KEEP, if any
  const PatternIndex *const some;
  Placement &placement;
  SectionSurvey result;
  std::vector<Part> parts;
};

} // namespace

/// What the rules say of one section.
void Surveyor::ask(SectionId id, uint64_t &steps) {
  const InputSection &s = program.sections[id];
  SectionPlace &place = placement.sections[id];
  const uint32_t index = rules.first(s, false, steps);
  result.rule[id.index()] = index;
  if (index == kNone)
    return;
  const PatternRule &rule = rules[index];
  if (rule.output == kNone) {
    place.discarded = true;
    return;
  }
  place.output = rule.output;
  // KEEP counts even where an earlier pattern places the section.
  // An empty one keeps its output section.
  place.keep = rule.description->keep ||
               (keeping &&
                (program.config.gcSections ||
                 program.config.nonContiguousRegions || s.parsed->size == 0) &&
                rules.anyTakes(*keeping, s, steps));
}

void Surveyor::look(Part &part) {
  ClassNumbers numbers(part.classes);
  for (SectionId id : idRange(part.begin, part.end)) {
    const InputSection &s = program.sections[id];
    SectionPlace &place = placement.sections[id] = SectionPlace();
    result.rule[id.index()] = kNone;
    place.discarded = s.discarded;
    if (s.discarded || !s.parsed)
      continue;
    place.classIndex = 1 + numbers.number(classify(s));
    ask(id, part.steps);
    if (some)
      rules.forEachNaming(*some, s, part.steps,
                          [&](uint32_t) { part.anyNamed = true; });
  }
}

/// Makes numbers of the link's classes of those that each file has counted.
void Surveyor::numberClasses() {
  placement.classes.assign(1, SectionClass());
  ClassNumbers numbers(placement.classes);
  std::vector<uint32_t> of;
  for (const Part &part : parts) {
    of.assign(1, 0);
    for (const SectionClass &c : part.classes)
      of.push_back(numbers.number(c));
    // The files of a program are mostly alike.
    bool same = true;
    for (uint32_t i = 0; i < of.size(); ++i)
      same &= of[i] == i;
    if (same)
      continue;
    for (SectionId id : idRange(part.begin, part.end))
      placement.sections[id].classIndex = of[placement.sections[id].classIndex];
  }
}

SectionSurvey Surveyor::run() {
  const size_t count = program.sections.size();
  placement.sections.extend(count);
  placement.sections[SectionId(0)] = SectionPlace();
  result.rule = std::make_unique_for_overwrite<uint32_t[]>(count);
  for (FileId f : program.files.ids()) {
    Part &part = parts[f.index()];
    part.begin = program.files[f].sectionBase;
    part.end = part.begin + uint32_t(program.files[f].object->sections.size());
  }
  parts.back().begin = madeSections(program);
  parts.back().end = program.sections.next();
  program.parallel.forEach(parts.size(), count * sizeof(ParsedSection),
                           [&](size_t i) { look(parts[i]); });
  numberClasses();
  for (const Part &part : parts) {
    result.steps += part.steps;
    result.anyNamed |= part.anyNamed;
  }
  return std::move(result);
}

SectionSurvey surveySections(const Program &program, const PatternRules &rules,
                             bool anyKeep, const PatternIndex *some,
                             Placement &placement) {
  return Surveyor(program, rules, anyKeep, some, placement).run();
}

} // namespace xlink
