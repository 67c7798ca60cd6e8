//===- StatementObject.h - objects that state something -------------------===//
//
// XS1 objects whose content is their statements, written a line each:
//
//   code _start f          global functions in .text
//   local g                a local one
//   data x                 a global in .dp.data
//   result f.nstackwords   an absolute symbol of value 0 (localresult: local)
//   constant n 12          one with a value
//   calls _start f         an entry of .expr: operator, result, operands
//   reads f x "a.xc:3"     numbers, symbols, strings (\n: a line's end)
//   typeinfo f "f{0}(0)"   an entry of .typeinfo
//   bl _start f            the 4 bytes of _start are a call of f
//   pointer x f            the 4 bytes of the data x are the address of f
//
// Symbols that no line defines are undefined. The bytes are laid out by hand:
// yaml2obj has no strings beside names, and takes long for a large graph.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_TESTS_SUPPORT_STATEMENTOBJECT_H
#define XLINK_TESTS_SUPPORT_STATEMENTOBJECT_H

#include "support/ObjectBuilder.h"
#include "llvm/ADT/StringRef.h"

namespace xlink::test {

/// The object that `lines` describe. A line that cannot be read fails the test.
/// `typeSection` is the section type of .typeinfo.
Bytes statementObject(llvm::StringRef lines, uint32_t typeSection = 1);

} // namespace xlink::test
#endif
