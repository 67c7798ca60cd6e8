//===- HandMade.h - programs that no file was read for --------------------===//
//
// What unit tests of passes begin with: objects and a Program as values, in a
// few lines and without a link.
//
//     HandMade made("nyuzi");
//     made.file("a.o").section(".text", "ax", 16, 4).define("main", 8);
//     made.file("b.o").section(".data", "aw", 4).refer("main");
//     made.enter();
//
// Files are not resolved against each other but for their names: the first
// definition counts. Tests of the room that resolves use objects alone.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_TESTS_HANDMADE_H
#define XLINK_TESTS_HANDMADE_H

#include "base/Diagnostics.h"
#include "model/Program.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/xxhash.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <deque>
#include <memory>
#include <string>

namespace xlink::test {

/// Section flags by letters: a w x, M and S (mergeable, strings), T (TLS).
inline uint64_t sectionFlags(llvm::StringRef letters) {
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

/// An object file as the reader would return it. What stands behind a section
/// belongs to it.
class HandObject {
public:
  explicit HandObject(std::string path) : object(new ParsedObject) {
    object->owner = names;
    object->path = object->member = std::move(path);
    object->sections.emplace_back();
    object->symbols.emplace_back();
  }
  HandObject &section(llvm::StringRef name, llvm::StringRef flags,
                      uint64_t size, uint64_t align = 1,
                      uint32_t type = llvm::ELF::SHT_PROGBITS) {
    ParsedSection &s = object->sections.emplace_back();
    s.name = save(name);
    s.type = type;
    s.flags = s.fileFlags = sectionFlags(flags);
    s.size = size;
    s.align = align;
    s.kind = SectionKind::Regular;
    s.relocBegin = s.relocEnd = uint32_t(object->relocations.size());
    return *this;
  }
  /// A section without bytes in the file.
  HandObject &zeros(llvm::StringRef name, llvm::StringRef flags, uint64_t size,
                    uint64_t align = 1) {
    return section(name, flags, size, align, llvm::ELF::SHT_NOBITS);
  }
  /// A symbol in the section.
  HandObject &define(llvm::StringRef name, uint64_t value = 0,
                     uint8_t binding = llvm::ELF::STB_GLOBAL,
                     uint8_t type = llvm::ELF::STT_NOTYPE) {
    ParsedSymbol &s = symbol(name, SymbolPlace::Section, binding);
    s.value = value;
    s.type = type;
    s.section = uint32_t(object->sections.size() - 1);
    return *this;
  }
  HandObject &absolute(llvm::StringRef name, uint64_t value,
                       uint8_t binding = llvm::ELF::STB_GLOBAL) {
    symbol(name, SymbolPlace::Absolute, binding).value = value;
    return *this;
  }
  HandObject &common(llvm::StringRef name, uint64_t size, uint64_t align) {
    ParsedSymbol &s = symbol(name, SymbolPlace::Common, llvm::ELF::STB_GLOBAL);
    s.value = align;
    s.size = size;
    return *this;
  }
  /// An undefined symbol.
  HandObject &refer(llvm::StringRef name,
                    uint8_t binding = llvm::ELF::STB_GLOBAL) {
    symbol(name, SymbolPlace::Undefined, binding);
    return *this;
  }
  /// A relocation of the section that names the last symbol.
  HandObject &relocate(uint64_t offset) {
    object->relocations.push_back(
        {offset, 0, uint32_t(object->symbols.size() - 1), 1});
    object->sections.back().relocEnd = uint32_t(object->relocations.size());
    return *this;
  }
  /// A COMDAT group of the last `count` sections.
  HandObject &comdat(llvm::StringRef signature, uint32_t count = 1) {
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
    s.type = llvm::ELF::SHT_GROUP;
    s.kind = SectionKind::Group;
    return *this;
  }

  const std::shared_ptr<ParsedObject> object;

private:
  llvm::StringRef save(llvm::StringRef text) {
    return names->emplace_back(text.str());
  }
  ParsedSymbol &symbol(llvm::StringRef name, SymbolPlace place,
                       uint8_t binding) {
    ParsedSymbol &s = object->symbols.emplace_back();
    s.name = save(name);
    s.hash = llvm::xxh3_64bits(s.name);
    s.place = place;
    s.binding = binding;
    return s;
  }

  std::shared_ptr<std::deque<std::string>> names =
      std::make_shared<std::deque<std::string>>();
};

/// A program and what it refers to.
struct HandMade {
  explicit HandMade(llvm::StringRef machine = "nyuzi") {
    program.target = findTarget(machine);
    program.output.path = "out";
    program.sections.emplace_back().discarded = true; // nobody's
  }
  HandObject &file(std::string path) {
    return files.emplace_back(std::move(path));
  }
  /// Lets the files take part that do not yet.
  void enter() {
    for (; entered < files.size(); ++entered)
      enter(files[entered].object);
  }
  SymbolId symbolNamed(llvm::StringRef name) const {
    const SymbolId id = program.symbols.find(name);
    EXPECT_TRUE(id != kNone) << "no symbol " << name.str();
    return id;
  }
  /// The first input section of that name.
  SectionId sectionNamed(llvm::StringRef name) const {
    for (SectionId id : program.sections.ids())
      if (program.sections[id].parsed &&
          program.sections[id].parsed->name == name)
        return id;
    ADD_FAILURE() << "no input section " << name.str();
    return SectionId(0);
  }
  /// All messages, a line each, with notes as ">>> " lines; they are gone then.
  std::string messages() {
    std::string text;
    for (const Diagnostic &d : diag.all())
      text += Diagnostics::format(d, /*color=*/false);
    diag = Diagnostics();
    return text;
  }

  Config config;
  Program program{config};
  Diagnostics diag;

private:
  void enter(std::shared_ptr<const ParsedObject> object) {
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
      program.symbolIds.push_back(sym.binding == llvm::ELF::STB_LOCAL
                                      ? SymbolId()
                                      : enterSymbol(id, i, sym));
    }
  }
  SymbolId enterSymbol(FileId file, uint32_t index, const ParsedSymbol &sym) {
    const SymbolId id = program.symbols.insert(sym.name, sym.hash);
    Symbol &s = program.symbols[id];
    if (s.file == kNone)
      s.file = file;
    if (sym.place == SymbolPlace::Undefined) {
      s.referenced = true;
      s.strongReference |= sym.binding != llvm::ELF::STB_WEAK;
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

  std::deque<HandObject> files;
  size_t entered = 0;
};

} // namespace xlink::test
#endif
