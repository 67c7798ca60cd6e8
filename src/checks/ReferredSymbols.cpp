//===- ReferredSymbols.cpp - symbols that the program refers to -----------===//
//
// Problem: checks ask which symbols of the script code refers to, and which
// weak definitions are in use. A link has millions of relocations.
//
// Method: few symbols are asked for, and often none: those of a script are,
// where an input refers to them. A walk over the numbers of all files' symbols
// finds the files that name one of them; only their relocations are read. Made
// when the first check asks.
//
// Cost: four bytes for each symbol of each file; the relocations of the files
// that name a symbol of the script or a weak definition.
//
//===----------------------------------------------------------------------===//
#include "checks/ReferredSymbols.h"
#include "base/Diagnostics.h"
#include "model/ScriptVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

/// Whether the relocations of a section are references of code or data.
static bool refersForItself(const ParsedSection &section) {
  return (section.flags & ELF::SHF_ALLOC) &&
         !(section.flags & ELF::SHF_LINK_ORDER) && section.name != ".eh_frame";
}

void ReferredSymbols::readFile(const Program &program, const PartialLink &link,
                               FileId id) {
  const InputFile &file = program.files[id];
  for (uint32_t i = 1; i < file.object->sections.size(); ++i) {
    const SectionId section = file.sectionBase + i;
    const ParsedSection *parsed = program.sections[section].parsed;
    if (!parsed || !refersForItself(*parsed) || !link.placed(section))
      continue;
    for (uint32_t r = parsed->relocBegin; r < parsed->relocEnd; ++r) {
      const Relocation rel = file.object->relocations[r];
      const SymbolId symbol = program.symbolIds[file.symbolBase + rel.symbol];
      if (symbol == kNone || !watched.contains(symbol))
        continue;
      auto &list = bySymbol[symbol];
      if (list.empty() || list.back().section != section)
        list.push_back({section, rel.offset});
    }
  }
}

void ReferredSymbols::readStatements(const Link &link,
                                     const SymbolValues &values) {
  for (const OutputView &out : link.outputsInOrder())
    for (uint32_t k = 0; k < out.items.size(); ++k) {
      const ScriptCommand *command = out.items[k].command;
      if (!out.kept || !command || command->kind != CommandKind::Data)
        continue;
      const auto &data = static_cast<const DataCommand &>(*command);
      if (!data.value)
        continue;
      const ReferringPlace from{{}, 0, command};
      sorted.push_back({link.item(out.section, k).value, {}, from});
      forEachSymbol(data.value.get(), [&](StringRef name) {
        if (const SymbolId id = link.program.symbols.find(name); id != kNone)
          sorted.push_back({values.globals[id], id, from});
      });
    }
}

ReferredSymbols::ReferredSymbols(const Link &link, const SymbolValues &values) {
  const Program &program = link.program;
  watched.resize(program.symbols.size());
  bool any = !program.weakDefinitions.empty();
  for (SymbolId id : program.weakDefinitions)
    watched.insert(id);
  for (SymbolId id : program.assignable)
    if (program.symbols[id].referenced) {
      watched.insert(id);
      any = true;
    }
  for (FileId id : program.files.ids()) {
    if (!any)
      break;
    const InputFile &file = program.files[id];
    const auto symbols =
        ArrayRef(program.symbolIds)
            .slice(file.symbolBase, file.object->symbols.size());
    if (any_of(symbols, [&](SymbolId s) { return watched.contains(s); }))
      readFile(program, link, id);
  }
  for (SymbolId id : program.assignable)
    if (const ArrayRef<ReferringPlace> from = of(id);
        !from.empty() && link.symbol(id).isDefined())
      sorted.push_back({values.globals[id], id, from.front()});
  readStatements(link, values);
  llvm::stable_sort(sorted, [](const ReferredMark &a, const ReferredMark &b) {
    return a.value < b.value;
  });
}

ArrayRef<ReferredMark> ReferredSymbols::marksIn(uint64_t begin,
                                                uint64_t end) const {
  const auto below = [](uint64_t value) {
    return [value](const ReferredMark &m) { return m.value < value; };
  };
  const auto first = partition_point(sorted, below(begin)),
             last = partition_point(sorted, below(std::max(begin, end)));
  return ArrayRef(sorted).slice(size_t(first - sorted.begin()),
                                size_t(last - first));
}

IdSet<SymbolId> mentioned(const Program &program,
                          const IdSet<SymbolId> &candidates) {
  IdSet<SymbolId> found(program.symbols.size());
  for (FileId id : program.files.ids()) {
    const InputFile &file = program.files[id];
    bool defines = false;
    for (uint32_t i = 1; i < file.object->symbols.size(); ++i) {
      const SymbolId symbol = program.symbolIds[file.symbolBase + i];
      if (symbol == kNone || !candidates.contains(symbol))
        continue;
      if (program.symbols[symbol].file == id)
        defines = true;
      else
        found.insert(symbol);
    }
    if (!defines)
      continue;
    for (const ParsedSection &section : file.object->sections) {
      if (!refersForItself(section))
        continue;
      for (uint32_t r = section.relocBegin; r < section.relocEnd; ++r) {
        const uint32_t index = file.object->relocations[r].symbol;
        const SymbolId symbol = program.symbolIds[file.symbolBase + index];
        if (symbol != kNone && candidates.contains(symbol))
          found.insert(symbol);
      }
    }
  }
  return found;
}

bool callsLibrary(const Program &program, SectionId id) {
  const InputSection &s = program.sections[id];
  const ParsedObject &object = *program.files[s.file].object;
  for (uint32_t r = s.parsed->relocBegin; r < s.parsed->relocEnd; ++r) {
    const StringRef name = object.symbols[object.relocations[r].symbol].name;
    if (name.contains("mem") || name.contains("bzero"))
      return true;
  }
  return false;
}

MarkName readMarkName(StringRef name) {
  MarkName mark;
  for (char c : name.lower())
    if (isAlnum(c))
      mark.stem += c;
  static constexpr std::pair<StringLiteral, MarkName::Side> words[] = {
      {"start", MarkName::Start}, {"begin", MarkName::Start},
      {"base", MarkName::Start},  {"first", MarkName::Start},
      {"head", MarkName::Start},  {"list", MarkName::Start},
      {"end", MarkName::End},     {"stop", MarkName::End},
      {"limit", MarkName::End},   {"last", MarkName::End},
      {"tail", MarkName::End}};
  size_t last = 0, length = 0; // of the word that comes last
  for (const auto &[word, side] : words)
    if (const size_t at = StringRef(mark.stem).rfind(word);
        at != StringRef::npos && at + word.size() > last + length) {
      mark.side = side;
      last = at;
      length = word.size();
    }
  mark.stem.erase(last, length);
  if (mark.side == MarkName::None && mark.stem.size() > 1 &&
      (mark.stem[0] == 's' || mark.stem[0] == 'e')) {
    mark.side = mark.stem[0] == 's' ? MarkName::Start : MarkName::End;
    mark.stem.erase(0, 1);
  }
  return mark;
}

bool isNamedLikeAll(const Program &program, MarkName::Side side,
                    const ReferredMark &mark) {
  const MarkName name = readMarkName(program.symbols[mark.symbol].name);
  return name.side == side &&
         is_contained({"bss", "data", "zero", "zi"}, name.stem);
}

std::string markText(const Program &program, const ReferredMark &mark) {
  return mark.symbol == kNone
             ? hex(mark.value)
             : "'" + program.shownName(program.symbols[mark.symbol].name) +
                   "' = " + hex(mark.value);
}

std::string placeOf(const Program &program, const ReferringPlace &reference) {
  if (reference.section == kNone)
    return StringRef(locationText(reference.statement->where))
        .rtrim(": ")
        .str();
  return program.place(reference.section, reference.offset) +
         program.atLine(reference.section, reference.offset);
}

} // namespace xlink
