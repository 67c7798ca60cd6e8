//===- SectionSurvey.cpp --------------------------------------------------===//
//
// Problem: each input section goes to the first pattern that takes it. The
// descriptions of half a million sections do not fit into a cache, and every
// pass that reads them waits for memory.
//
// Method: one pass reads them, in several threads. It applies the rules and
// numbers the kinds of sections (SectionClass) in each thread's files. Behind
// the barrier these numbers become those of the link, in the order of the
// inputs, so that they are the same for any number of threads. Later passes
// read only the numbers.
//
// Cost: that of the rules; linear in sections; a logarithm of the kinds for
// each section that is not of the kind of the one before it.
//
//===----------------------------------------------------------------------===//
#include "placement/SectionSurvey.h"
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
      : program(program), rules(rules), some(some), placement(placement) {
    if (anyKeep)
      keeping = rules.indexOf(
          [](const PatternRule &rule) { return rule.description->keep; });
  }
  SectionSurvey run();

private:
  /// So many sections are worth a list of classes of their own.
  static constexpr uint32_t kPart = 1024;
  /// The sections of some files, or those that are made.
  struct Part {
    SectionId begin, end;
    std::vector<SectionClass> classes;
    bool anyNamed = false;
    uint64_t steps = 0;
  };
  void divide();
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

/// The rules' result for one section.
void Surveyor::ask(SectionId id, uint64_t &steps) {
  const InputSection &s = program.sections[id];
  SectionPlace &place = placement.sections[id];
  const uint32_t index = rules.first(s, false, steps);
  result.rule[id.index()] = index;
  // KEEP counts even where an earlier pattern places the section, or where its
  // own output section has stepped back.
  auto isKept = [&] {
    return keeping &&
           (program.config.gcSections || program.config.nonContiguousRegions ||
            s.parsed->size == 0) &&
           rules.anyTakes(*keeping, s, steps);
  };
  if (index == kNone) {
    place.keep = isKept();
    return;
  }
  const PatternRule &rule = rules[index];
  if (rule.output == kNone) {
    place.discarded = true;
    return;
  }
  place.output = rule.output;
  // An empty one keeps its output section.
  place.keep = rule.description->keep || isKept();
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

/// Makes numbers of the link's classes of those that each part has counted.
void Surveyor::numberClasses() {
  placement.classes.assign(1, SectionClass());
  ClassNumbers numbers(placement.classes);
  std::vector<uint32_t> of;
  for (const Part &part : parts) {
    of.assign(1, 0);
    for (const SectionClass &c : part.classes)
      of.push_back(numbers.number(c));
    // Mostly they are the same.
    bool same = true;
    for (uint32_t i = 0; i < of.size(); ++i)
      same &= of[i] == i;
    if (same)
      continue;
    for (SectionId id : idRange(part.begin, part.end))
      placement.sections[id].classIndex = of[placement.sections[id].classIndex];
  }
}

/// Makes parts of whole files: those are mostly alike, and so are their
/// classes.
void Surveyor::divide() {
  const SectionId made = madeSections(program);
  for (const InputFile &file : program.files) {
    const SectionId begin = file.sectionBase;
    if (parts.empty() || begin.index() - parts.back().begin.index() >= kPart) {
      if (!parts.empty())
        parts.back().end = begin;
      parts.emplace_back().begin = begin;
    }
  }
  if (!parts.empty())
    parts.back().end = made;
  Part &last = parts.emplace_back();
  last.begin = made;
  last.end = program.sections.next();
}

SectionSurvey Surveyor::run() {
  const size_t count = program.sections.size();
  placement.sections.extend(count);
  placement.sections[SectionId(0)] = SectionPlace();
  result.rule = std::make_unique_for_overwrite<uint32_t[]>(count);
  divide();
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
