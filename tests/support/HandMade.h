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
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <deque>
#include <memory>
#include <string>

namespace xlink::test {

/// Section flags by letters: a w x, M and S (mergeable, strings), T (TLS).
uint64_t sectionFlags(llvm::StringRef letters);

/// An object file as the reader would return it. What stands behind a section
/// belongs to it.
class HandObject {
public:
  explicit HandObject(std::string path);
  HandObject &section(llvm::StringRef name, llvm::StringRef flags,
                      uint64_t size, uint64_t align = 1,
                      uint32_t type = llvm::ELF::SHT_PROGBITS);
  /// A section without bytes in the file.
  HandObject &zeros(llvm::StringRef name, llvm::StringRef flags, uint64_t size,
                    uint64_t align = 1);
  /// A symbol in the section.
  HandObject &define(llvm::StringRef name, uint64_t value = 0,
                     uint8_t binding = llvm::ELF::STB_GLOBAL,
                     uint8_t type = llvm::ELF::STT_NOTYPE);
  HandObject &absolute(llvm::StringRef name, uint64_t value,
                       uint8_t binding = llvm::ELF::STB_GLOBAL);
  HandObject &common(llvm::StringRef name, uint64_t size, uint64_t align);
  /// An undefined symbol.
  HandObject &refer(llvm::StringRef name,
                    uint8_t binding = llvm::ELF::STB_GLOBAL);
  /// A relocation of the section that names the last symbol.
  HandObject &relocate(uint64_t offset);
  /// A COMDAT group of the last `count` sections.
  HandObject &comdat(llvm::StringRef signature, uint32_t count = 1);

  const std::shared_ptr<ParsedObject> object;

private:
  llvm::StringRef save(llvm::StringRef text);
  ParsedSymbol &symbol(llvm::StringRef name, SymbolPlace place,
                       uint8_t binding);

  std::shared_ptr<std::deque<std::string>> names =
      std::make_shared<std::deque<std::string>>();
};

/// A program and what it refers to.
struct HandMade {
  explicit HandMade(llvm::StringRef machine = "nyuzi");
  ~HandMade();
  HandObject &file(std::string path);
  /// Lets the files take part that do not yet.
  void enter();
  SymbolId symbolNamed(llvm::StringRef name) const;
  /// The first input section of that name.
  SectionId sectionNamed(llvm::StringRef name) const;
  /// All messages, a line each, with notes as ">>> " lines; they are gone then.
  std::string messages();

  Config config;
  Program program{config};
  Diagnostics diag;

private:
  void enter(std::shared_ptr<const ParsedObject> object);
  SymbolId enterSymbol(FileId file, uint32_t index, const ParsedSymbol &sym);

  std::deque<HandObject> files;
  size_t entered = 0;
};

} // namespace xlink::test
#endif
