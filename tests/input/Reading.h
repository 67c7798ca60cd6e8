//===- Reading.h - helpers of the reader's tests --------------------------===//
#ifndef XLINK_TESTS_INPUT_READING_H
#define XLINK_TESTS_INPUT_READING_H

#include "input/Archive.h"
#include "input/ElfReader.h"
#include "support/ObjectBuilder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace xlink::test {

/// What the reader made of some bytes.
struct Read {
  std::shared_ptr<const ParsedObject> object;
  std::vector<std::string> errors, warnings;

  const ParsedSection *section(llvm::StringRef name) const {
    for (const ParsedSection &s : object->sections)
      if (s.name == name)
        return &s;
    ADD_FAILURE() << "no section " << name.str();
    return nullptr;
  }
  const ParsedSymbol *symbol(llvm::StringRef name) const {
    for (const ParsedSymbol &s : object->symbols)
      if (s.name == name)
        return &s;
    ADD_FAILURE() << "no symbol " << name.str();
    return nullptr;
  }
  std::vector<Relocation> relocations(llvm::StringRef name) const {
    const ParsedSection *s = section(name);
    std::vector<Relocation> list;
    for (uint32_t r = s->relocBegin; r < s->relocEnd; ++r)
      list.push_back(object->relocations[r]);
    return list;
  }
};

inline void sortDiagnostics(DiagnosticBuffer &diag,
                            std::vector<std::string> &errors,
                            std::vector<std::string> &warnings) {
  for (Diagnostic &d : diag.take())
    (d.severity == Severity::Error ? errors : warnings)
        .push_back(std::move(d.text));
}

/// Reads `bytes` as "a.o". They are moved to a buffer of exactly their size, so
/// that the address sanitizer sees a read beyond them.
inline Read read(const Target &target, const Bytes &bytes) {
  std::shared_ptr<uint8_t[]> buffer(new uint8_t[bytes.size()]);
  std::copy(bytes.begin(), bytes.end(), buffer.get());
  DiagnosticBuffer diag;
  Read result;
  result.object = parseObject({"a.o", ""}, {buffer.get(), bytes.size()}, target,
                              buffer, diag);
  sortDiagnostics(diag, result.errors, result.warnings);
  // An object without errors, no object with one.
  EXPECT_EQ(result.object == nullptr, !result.errors.empty());
  return result;
}

inline Read read(const char *machine, const Bytes &bytes) {
  return read(*findTarget(llvm::StringRef(machine)), bytes);
}

/// Reads an object given as the YAML that follows the header.
inline Read readYaml(const char *machine, llvm::StringRef body) {
  return read(machine, machineObject(machine, body));
}

/// The errors of an object that must be refused.
inline std::vector<std::string> errorsOf(const char *machine,
                                         llvm::StringRef body) {
  return readYaml(machine, body).errors;
}

struct ReadArchive {
  std::unique_ptr<Archive> archive;
  std::vector<std::string> errors;
};
inline ReadArchive readArchive(const Bytes &bytes,
                               llvm::StringRef path = "lib.a") {
  std::shared_ptr<uint8_t[]> buffer(new uint8_t[bytes.size()]);
  std::copy(bytes.begin(), bytes.end(), buffer.get());
  DiagnosticBuffer diag;
  ReadArchive result;
  result.archive =
      parseArchive(path, {buffer.get(), bytes.size()}, buffer, diag);
  std::vector<std::string> warnings;
  sortDiagnostics(diag, result.errors, warnings);
  EXPECT_EQ(result.archive == nullptr, !result.errors.empty());
  return result;
}

using testing::ElementsAre;
using testing::IsEmpty;

} // namespace xlink::test
#endif
