//===- HandMade.cpp -------------------------------------------------------===//
#include "support/HandMade.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace xlink::test {

uint64_t sectionFlags(StringRef letters) {
  using namespace llvm::ELF;
  uint64_t flags = 0;
  for (char c : letters)
    flags |= c == 'a'   ? SHF_ALLOC
             : c == 'w' ? SHF_WRITE
             : c == 'x' ? SHF_EXECINSTR
             : c == 'M' ? SHF_MERGE
             : c == 'S' ? SHF_STRINGS
                        : SHF_TLS;
  return flags;
}

HandObject::HandObject(std::string path) : object(new ParsedObject) {
  object->owner = names;
  object->path = std::move(path);
  object->sections.emplace_back();
  object->symbols.emplace_back();
}

HandObject &HandObject::section(StringRef name, StringRef flags, uint64_t size,
                                uint64_t align, uint32_t type) {
  ParsedSection &s = object->sections.emplace_back();
  s.name = save(name);
  s.type = type;
  s.flags = sectionFlags(flags);
  s.size = size;
  s.align = align;
  s.kind = SectionKind::Regular;
  s.relocBegin = s.relocEnd = uint32_t(object->relocations.size());
  return *this;
}

HandObject &HandObject::zeros(StringRef name, StringRef flags, uint64_t size,
                              uint64_t align) {
  return section(name, flags, size, align, ELF::SHT_NOBITS);
}

HandObject &HandObject::define(StringRef name, uint64_t value, uint8_t binding,
                               uint8_t type) {
  ParsedSymbol &s = symbol(name, SymbolPlace::Section, binding);
  s.value = value;
  s.type = type;
  s.section = uint32_t(object->sections.size() - 1);
  return *this;
}

HandObject &HandObject::absolute(StringRef name, uint64_t value,
                                 uint8_t binding) {
  symbol(name, SymbolPlace::Absolute, binding).value = value;
  return *this;
}

HandObject &HandObject::common(StringRef name, uint64_t size, uint64_t align) {
  ParsedSymbol &s = symbol(name, SymbolPlace::Common, ELF::STB_GLOBAL);
  s.value = align;
  s.size = size;
  return *this;
}

HandObject &HandObject::refer(StringRef name, uint8_t binding) {
  symbol(name, SymbolPlace::Undefined, binding);
  return *this;
}

HandObject &HandObject::relocate(uint64_t offset) {
  object->relocations.push_back(
      {offset, 0, uint32_t(object->symbols.size() - 1), 1});
  object->sections.back().relocEnd = uint32_t(object->relocations.size());
  return *this;
}

HandObject &HandObject::comdat(StringRef signature, uint32_t count) {
  const uint32_t end = uint32_t(object->sections.size());
  ParsedGroup group;
  group.signature = save(signature);
  group.comdat = true;
  group.section = end;
  for (uint32_t i = end - count; i < end; ++i) {
    group.members.push_back(i);
    object->sections[i].group = uint32_t(object->groups.size() + 1);
  }
  object->groups.push_back(std::move(group));
  ParsedSection &s = object->sections.emplace_back();
  s.type = ELF::SHT_GROUP;
  s.kind = SectionKind::Group;
  return *this;
}

StringRef HandObject::save(StringRef text) {
  return names->emplace_back(text.str());
}

ParsedSymbol &HandObject::symbol(StringRef name, SymbolPlace place,
                                 uint8_t binding) {
  ParsedSymbol &s = object->symbols.emplace_back();
  s.name = save(name);
  s.hash = xxh3_64bits(s.name);
  s.place = place;
  s.binding = binding;
  return s;
}

HandMade::HandMade(StringRef machine) {
  program.target = findTarget(machine);
  program.output.path = "out";
  program.sections.emplace_back().discarded = true; // nobody's
}

HandMade::~HandMade() = default;

HandObject &HandMade::file(std::string path) {
  return files.emplace_back(std::move(path));
}

void HandMade::enter() {
  for (; entered < files.size(); ++entered)
    enter(files[entered].object);
}

SymbolId HandMade::symbolNamed(StringRef name) const {
  const SymbolId id = program.symbols.find(name);
  EXPECT_TRUE(id != kNone) << "no symbol " << name.str();
  return id;
}

SectionId HandMade::sectionNamed(StringRef name) const {
  for (SectionId id : program.sections.ids())
    if (program.sections[id].parsed &&
        program.sections[id].parsed->name == name)
      return id;
  ADD_FAILURE() << "no input section " << name.str();
  return SectionId(0);
}

std::string HandMade::messages() {
  std::string text;
  for (const Diagnostic &d : diag.all())
    text += Diagnostics::format(d, /*color=*/false);
  diag = Diagnostics();
  return text;
}

void HandMade::enter(std::shared_ptr<const ParsedObject> object) {
  const FileId id = program.files.next();
  InputFile &f = program.files.emplace_back();
  f.object = object;
  f.sectionBase = program.sections.next();
  f.symbolBase = uint32_t(program.symbolIds.size());
  for (uint32_t i = 0; i < object->sections.size(); ++i) {
    const ParsedSection &p = object->sections[i];
    program.sections.push_back({&p, id, i, p.kind != SectionKind::Regular});
  }
  for (uint32_t i = 0; i < object->symbols.size(); ++i) {
    const ParsedSymbol &sym = object->symbols[i];
    program.symbolIds.push_back(
        sym.binding == ELF::STB_LOCAL ? SymbolId() : enterSymbol(id, i, sym));
  }
}

SymbolId HandMade::enterSymbol(FileId file, uint32_t index,
                               const ParsedSymbol &sym) {
  const SymbolId id = program.symbols.insert(sym.name, sym.hash);
  Symbol &s = program.symbols[id];
  if (s.file == kNone)
    s.file = file;
  if (sym.place == SymbolPlace::Undefined) {
    s.referenced = true;
    s.strongReference |= sym.binding != ELF::STB_WEAK;
    return id;
  }
  if (s.isDefined())
    return id;
  s.kind = sym.place == SymbolPlace::Section    ? SymbolKind::Defined
           : sym.place == SymbolPlace::Absolute ? SymbolKind::Absolute
                                                : SymbolKind::Common;
  if (s.kind == SymbolKind::Defined)
    s.section = program.files[file].sectionBase + sym.section;
  s.binding = sym.binding;
  s.type = sym.type;
  s.value = sym.value;
  s.size = sym.size;
  s.file = file;
  s.index = index;
  return id;
}

} // namespace xlink::test
