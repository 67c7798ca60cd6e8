//===- ObjectBuilder.h - objects and archives for tests -------------------===//
//
// Objects are written as yaml2obj's YAML, which can also describe broken ones
// (ShOffset, EShNum and their like); archives are laid out by hand, so that the
// tests of the archive reader do not rest on another reader's idea of them.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_TESTS_SUPPORT_OBJECTBUILDER_H
#define XLINK_TESTS_SUPPORT_OBJECTBUILDER_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xlink::test {

using Bytes = std::vector<uint8_t>;

/// The YAML of an ELF header for a machine by its -m name ("nyuzi"): class,
/// little-endian, `type`, the preferred e_machine. A document goes on with
/// "Sections:" and "Symbols:".
std::string yamlHeader(llvm::StringRef machine,
                       llvm::StringRef type = "ET_REL");

/// The bytes of a whole yaml2obj document. e_flags has no numeric form there,
/// so it is patched in afterwards. A document that does not convert fails the
/// test.
Bytes objectFromYaml(llvm::StringRef yaml, std::optional<uint32_t> eflags = {});

/// objectFromYaml of yamlHeader(machine) + body.
Bytes machineObject(llvm::StringRef machine, llvm::StringRef body,
                    std::optional<uint32_t> eflags = {});

/// Overwrites header fields of an ELF file in place.
void setEFlags(Bytes &object, uint32_t flags);
void setMachine(Bytes &object, uint16_t machine);
void setOsAbi(Bytes &object, uint8_t osabi);

/// Writes a little-endian number of `size` bytes at `offset`.
void poke(Bytes &bytes, uint64_t offset, uint64_t value, unsigned size);

/// Where the header of section `index` begins.
uint64_t sectionHeaderOffset(const Bytes &object, uint32_t index);

enum class ArchiveFormat : uint8_t { Gnu, Gnu64, Bsd, Bsd64, Thin };

/// A member to be written.
struct MemberSpec {
  std::string name; ///< of a thin archive: the path
  Bytes data;
};

/// An archive of `members`. The index lists the defined global symbols of those
/// members that are ELF objects, in member order. BSD archives use #1/N for
/// every name, as the tools that write them without an index do.
Bytes makeArchive(const std::vector<MemberSpec> &members,
                  ArchiveFormat format = ArchiveFormat::Gnu,
                  bool withIndex = true);

/// The contents of a file; fails the test when it cannot be read.
Bytes readTestFile(const std::string &path);

} // namespace xlink::test
#endif
