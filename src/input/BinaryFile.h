//===- BinaryFile.h - any file as an object
//--------------------------------===//
#ifndef XLINK_INPUT_BINARYFILE_H
#define XLINK_INPUT_BINARYFILE_H

#include "input/ElfReader.h"
#include "model/ObjectFile.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>

namespace xlink {

/// The object that -b binary makes of a file: its bytes are .data, with the
/// symbols _binary_NAME_start, _end and _size. NAME is the path as it was
/// given, with _ for all but letters and digits. `owner` keeps `bytes` alive.
std::shared_ptr<const ParsedObject>
wrapBinary(const ObjectName &name, llvm::ArrayRef<uint8_t> bytes,
           const Target &target, std::shared_ptr<const void> owner);

} // namespace xlink
#endif
