//===- Inflate.h - compressed sections
//--------------------------------------===//
#ifndef XLINK_INPUT_INFLATE_H
#define XLINK_INPUT_INFLATE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace xlink {

/// The plain bytes of a section with SHF_COMPRESSED.
struct Inflated {
  std::unique_ptr<uint8_t[]> bytes;
  uint64_t size = 0;  ///< in bytes
  uint64_t align = 1; ///< ch_addralign, 1 for 0

  llvm::ArrayRef<uint8_t> data() const { return {bytes.get(), size}; }
};

/// Inflates the contents of a section, which begin with a compression header
/// (gABI, "Section Compression"). The header states the size to allocate, so it
/// is limited to the most that the compressed bytes can hold. An error says
/// which field is wrong.
llvm::Expected<Inflated> inflateSection(llvm::ArrayRef<uint8_t> contents,
                                        bool is64, bool isBig);

} // namespace xlink
#endif
