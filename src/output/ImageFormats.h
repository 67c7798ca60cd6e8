//===- ImageFormats.h - formats of loaded bytes with addresses -------===//
#ifndef XLINK_OUTPUT_IMAGEFORMATS_H
#define XLINK_OUTPUT_IMAGEFORMATS_H

#include "base/Address.h"
#include "base/Config.h"
#include "model/Ids.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vector>

namespace xlink {

/// Bytes that are loaded one behind the other.
struct ImageBlock {
  Address address; ///< load address of the first
  llvm::ArrayRef<uint8_t> bytes;
  OutputId output = {}; ///< the section, for messages; kNone: filler

  Address end() const { return address + bytes.size(); }
};

/// The contents of a file, whatever its format.
struct Image {
  llvm::StringRef name; ///< of the file, which S-records hold
  Address begin;        ///< of the first byte, where a format needs one
  uint64_t entry = 0;   ///< where execution begins, 0: it does not say
  uint8_t fill = 0;     ///< between blocks, where a format has bytes there
  std::vector<ImageBlock> blocks; ///< by address, disjoint
};

/// A format of images.
struct ImageFormat {
  OutputFormat format;
  const char *title; ///< in messages
  Address end;       ///< of the addresses that it has
  bool hasGaps;      ///< between blocks it has nothing; else filler
  std::vector<uint8_t> (*write)(const Image &image);
};

/// The row of a format; null for ELF, which holds more than an image.
const ImageFormat *findImageFormat(OutputFormat format);

} // namespace xlink
#endif
