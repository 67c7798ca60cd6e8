//===- LinkTargets.h - targets that link ----------------------------------===//
#ifndef XLINK_TESTS_FUZZ_LINKTARGETS_H
#define XLINK_TESTS_FUZZ_LINKTARGETS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace xlink::test {

using FuzzInput = llvm::ArrayRef<uint8_t>;

/// One object, or up to three, of this machine.
void fuzzObject(const char *machine, FuzzInput input);
void fuzzObjects(const char *machine, FuzzInput input);
/// -r of one to three objects of any machine, and the link of what it made.
void fuzzRelocatable(FuzzInput input);
void fuzzArchive(FuzzInput input);
/// A script that lays out two objects and an archive.
void fuzzScript(FuzzInput input);

// Readers.cpp
void fuzzResponse(FuzzInput input);
void fuzzMap(FuzzInput input);
void fuzzLinkerMap(FuzzInput input);
void fuzzXe(FuzzInput input);
void fuzzSystem(FuzzInput input);
void fuzzLines(FuzzInput input);
void fuzzTypes(FuzzInput input);
void fuzzNames(FuzzInput input);
void fuzzNotes(FuzzInput input);
void fuzzMachine(FuzzInput input);
void fuzzDiff(FuzzInput input);

} // namespace xlink::test
#endif
