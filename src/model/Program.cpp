//===- Program.cpp --------------------------------------------------------===//
#include "model/Program.h"
#include "base/Diagnostics.h"

using namespace llvm;

namespace xlink {

Wrapping::Wrapping(const std::vector<std::string> &symbols) {
  for (const std::string &symbol : symbols)
    meanings.try_emplace(symbol, "__wrap_" + symbol);
  // A name that is wrapped itself is that first (GNU ld).
  for (const std::string &symbol : symbols)
    meanings.try_emplace("__real_" + symbol, symbol);
}

StringRef Wrapping::meaning(StringRef name) const {
  const auto it = meanings.find(name);
  return it == meanings.end() ? name : StringRef(it->second);
}

RegionId Program::regionNamed(StringRef name) const {
  for (size_t i = 0; i < script.memory.size(); ++i)
    if (script.memory[i].name == name ||
        is_contained(script.memory[i].aliases, name))
      return RegionId(uint32_t(i));
  return kNone;
}

std::string Program::filePath(FileId file) const {
  return file == kNone ? "<internal>" : files[file].object->path;
}

std::string Program::fileName(FileId file) const {
  return printable(filePath(file));
}

std::string Program::sectionName(SectionId id) const {
  const InputSection &s = sections[id];
  return fileName(s.file) + ":(" + printable(s.parsed ? s.parsed->name : "") +
         ")";
}

std::string Program::place(SectionId id, uint64_t offset) const {
  const InputSection &s = sections[id];
  return fileName(s.file) + ":(" + printable(s.parsed ? s.parsed->name : "") +
         "+" + hex(offset + moreOf(id).cutAt) + ")";
}

StringRef Program::entryName() const {
  if (config.entry)
    return *config.entry;
  if (!script.entry.empty())
    return script.entry;
  const auto &usual = target->entries;
  return usual.empty() ? "_start" : usual.back();
}

std::string Program::shownName(StringRef name) const {
  return printable(config.demangle ? demangled(name) : name);
}

std::string Program::sourceLine(SectionId id, uint64_t offset) const {
  const InputSection &s = sections[id];
  if (!lines || s.file == kNone || !s.parsed)
    return "";
  return lines->lineOf(*files[s.file].object, s.index, offset);
}

std::string Program::atLine(SectionId id, uint64_t offset) const {
  const std::string line = sourceLine(id, offset);
  return line.empty() ? "" : " at " + line;
}

FileId Program::addFile(const std::shared_ptr<const ParsedObject> &object) {
  const FileId file = files.next();
  const SectionId firstSection = sections.next();
  const size_t firstSymbol = symbolIds.size();
  const std::vector<ParsedSection> &parsed = object->sections;
  files.push_back({object, firstSection, uint32_t(firstSymbol)});
  inputBytes += object->bytes;
  symbolIds.resize(firstSymbol + object->symbols.size());
  for (uint32_t i = 0; i < parsed.size(); ++i) {
    const ParsedSection &p = parsed[i];
    // SHF_EXCLUDE: for -r, in no program. The ID of an input is none of a
    // program, nor of an output that has one.
    const bool discarded =
        p.kind != SectionKind::Regular ||
        ((p.flags & ELF::SHF_EXCLUDE) && !config.relocatable) ||
        (isBuildId(p) &&
         (!config.relocatable || config.buildId != BuildIdKind::None));
    sections.push_back({&p, file, i, discarded});
  }
  return file;
}

SectionId Program::sectionOf(const InputFile &file, uint32_t symbol) const {
  if (const SymbolId id = symbolIds[file.symbolBase + symbol]; id != kNone)
    return symbols[id].kind == SymbolKind::Defined ? symbols[id].section
                                                   : SectionId();
  const ParsedSymbol &local = file.object->symbols[symbol];
  return local.place == SymbolPlace::Section ? file.sectionBase + local.section
                                             : SectionId();
}

SectionId Program::addMadeSection(StringRef name, uint32_t type, uint64_t flags,
                                  uint64_t align, std::vector<uint8_t> bytes,
                                  uint64_t size) {
  madeBytes.push_back(std::move(bytes));
  ParsedSection &p = madeSections.emplace_back();
  p.name = name;
  p.type = type;
  p.flags = flags;
  p.align = align;
  p.size = size;
  if (!madeBytes.back().empty())
    p.bytes = madeBytes.back().data();
  p.kind = SectionKind::Regular;
  const SectionId id = sections.next();
  sections.emplace_back().parsed = &p;
  return id;
}

std::string Program::besideOutput(StringRef name, StringRef ending) const {
  const size_t percent = name.find('%');
  if (percent == StringRef::npos)
    return name.str();
  const StringRef after = name.drop_front(percent + 1);
  return name.take_front(percent).str() + output.path +
         (after.empty() ? ending : after).str();
}

std::vector<SymbolId> Program::assignableInOrder() const {
  std::vector<SymbolId> ids(assignable.begin(), assignable.end());
  llvm::sort(ids);
  return ids;
}

bool isCommon(const InputSection &s) {
  return s.file != kNone && s.index == 0 && s.parsed;
}

} // namespace xlink
