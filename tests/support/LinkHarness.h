//===- LinkHarness.h - whole links in memory ------------------------------===//
//
// A test names its input files with their bytes, gives a command line, and
// looks at what came out: messages and the linked file. Nothing touches the
// disk.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_TESTS_SUPPORT_LINKHARNESS_H
#define XLINK_TESTS_SUPPORT_LINKHARNESS_H

#include "driver/Driver.h"
#include "support/ObjectBuilder.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace xlink::test {

/// What a link left behind.
struct Linked {
  int status = 1;
  std::string errors; ///< all messages as the tool prints them on stderr
  std::string text;   ///< what it prints on stdout
  std::map<std::string, Bytes> files;
  LinkResult result;

  const Bytes &image() const; ///< the file named by -o, default "out"
};

class LinkHarness {
public:
  LinkHarness &file(std::string path, Bytes bytes);
  LinkHarness &file(std::string path, llvm::StringRef text);
  /// Links with `arguments`; "-o out" is put in front. When the environment has
  /// XLINK_TESTS_THROUGH_RELOCATABLE, a link that succeeds is made once more of
  /// eachThroughRelocatable(), and must give the same bytes and messages.
  Linked link(std::vector<std::string> arguments) const;
  /// Links with these arguments alone.
  Linked linkAsGiven(std::vector<std::string> arguments) const;
  /// The same inputs, each relocatable object among them replaced by what -r
  /// makes of it alone; fails the test when -r has something to say.
  LinkHarness eachThroughRelocatable() const;

private:
  std::map<std::string, Bytes> inputs;
};

/// A section of a linked file, read by a reader of the tests' own.
struct OutSection {
  std::string name;
  uint32_t type = 0, link = 0, info = 0;
  uint64_t flags = 0, address = 0, offset = 0, size = 0, align = 0, entsize = 0;
  Bytes bytes; ///< empty for NOBITS
};
struct OutSymbol {
  std::string name;
  uint64_t value = 0, size = 0;
  uint8_t binding = 0, type = 0, visibility = 0;
  uint16_t shndx = 0;
};
struct OutSegment {
  uint32_t type = 0, flags = 0;
  uint64_t offset = 0, address = 0, loadAddress = 0, fileSize = 0, memSize = 0,
           align = 0;
};

/// A linked ELF file taken apart. Fails the test when the file is not sound.
struct OutFile {
  explicit OutFile(const Bytes &bytes);
  uint64_t entry = 0;
  uint16_t type = 0, machine = 0;
  uint32_t flags = 0;
  uint8_t osabi = 0;
  bool is64 = false;
  std::vector<OutSection> sections; ///< [0] is the null section
  std::vector<OutSegment> segments;
  std::vector<OutSymbol> symbols; ///< [0] is the null symbol

  const OutSection *section(llvm::StringRef name) const;
  /// The first symbol of that name, or null.
  const OutSymbol *symbol(llvm::StringRef name) const;
  /// The symbol's value; fails the test when it does not exist.
  uint64_t value(llvm::StringRef name) const;
  /// `size` bytes of memory at an address, little-endian; fails the test when
  /// no section with bytes covers them.
  uint64_t word(uint64_t address, unsigned size = 4) const;
};

} // namespace xlink::test
#endif
