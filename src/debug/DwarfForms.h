//===- DwarfForms.h - units of DWARF sections, values of attributes -------===//
#ifndef XLINK_DEBUG_DWARFFORMS_H
#define XLINK_DEBUG_DWARFFORMS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/DataExtractor.h"

namespace xlink {

/// A unit of .debug_info or .debug_line.
struct DwarfUnit {
  uint64_t offset; ///< in the section
  uint64_t begin;  ///< behind its length
  uint64_t end;
  llvm::dwarf::DwarfFormat format;
};

/// Calls fn for each unit, up to the first one that reaches beyond the end.
void forEachUnit(llvm::StringRef section,
                 llvm::function_ref<void(const DwarfUnit &)> fn);

/// The value of one attribute: a number, or bytes.
struct AttributeValue {
  uint64_t number = 0;
  llvm::StringRef bytes;
};

/// Reads a value of DWARF 2 to 5, as far as a section's end. False: the form is
/// not known, or the value not whole.
bool readForm(llvm::DataExtractor &data, llvm::DataExtractor::Cursor &at,
              uint64_t form, llvm::dwarf::FormParams params,
              AttributeValue &value);

} // namespace xlink
#endif
