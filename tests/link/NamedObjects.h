//===- NamedObjects.h - objects that define and refer to names ------------===//
//
// Tests of what options do to symbols want many small objects of either ELF
// class: which names one defines, and which it refers to, is all there is.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_TESTS_LINK_NAMEDOBJECTS_H
#define XLINK_TESTS_LINK_NAMEDOBJECTS_H

#include "link/Linking.h"
#include <string>
#include <vector>

namespace xlink::test {

/// A machine of ELF32 and one of ELF64 whose relocation 1 holds an address.
inline const char *const bothClasses[] = {"nyuzi", "aphelion"};

/// An object of one of these machines. `definitions` are global symbols of
/// .rodata, one byte each; .data holds the addresses of `references`; `more`
/// are further lines of yaml2obj's symbol table.
Bytes namedObject(llvm::StringRef machine,
                  const std::vector<std::string> &definitions,
                  const std::vector<std::string> &references = {},
                  const std::string &more = "");

/// The addresses in .data, by the names of the symbols that stand there:
/// "__wrap_f f"; "0" for none.
std::string addressed(const OutFile &out);

} // namespace xlink::test
#endif
