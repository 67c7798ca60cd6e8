//===- FirmwareOptions.cpp - setters of options about firmware images -----===//
#include "driver/FirmwareOptions.h"
#include "output/Crc.h"
#include "llvm/Support/Compression.h"

using namespace llvm;

namespace xlink {

void addCrc(Settings &s, StringRef value) {
  CrcRequest request;
  auto [symbol, rest] = value.split('=');
  auto [range, kind] = rest.split(',');
  if (symbol.empty() || range.empty())
    return s.reject(value, "is not SYMBOL=REGION[,KIND]");
  request.text = value.str();
  request.symbol = symbol.str();
  if (rest.contains(',')) {
    if (!findCrc(kind))
      return s.reject(kind, "is not a kind of CRC (" + crcNames() + ")");
    request.kind = kind.str();
  }
  if (range.contains(':')) {
    auto [begin, end] = range.split(':');
    uint64_t from = 0, to = 0;
    if (!parseNumber(begin, from) || !parseNumber(end, to) || from >= to)
      return s.reject(range, "is not a range START:END of numbers");
    request.range = {from, to};
  } else {
    request.region = range.str();
  }
  // What reads it is code that need not refer to it by name.
  s.config.undefined.push_back(request.symbol);
  s.config.crcs.push_back(std::move(request));
}

void addDeadReference(Settings &s, StringRef value) {
  auto [glob, text] = value.rsplit('=');
  uint64_t number = 0;
  if (glob.empty() || !parseNumber(text, number))
    return s.reject("dead-reloc-in-nonalloc=" + value.str(),
                    "is not GLOB=VALUE with a number");
  s.config.deadReferences.emplace_back(glob.str(), number);
}

void setDebugCompression(Settings &s, StringRef value) {
  if (value == "none") {
    s.config.compressDebug = DebugCompression::None;
    return;
  }
  const bool zlib = value == "zlib" || value == "zlib-gabi";
  if (!zlib && value != "zstd")
    return s.reject(value, "is none of none, zlib, zlib-gabi, zstd");
  const auto format =
      zlib ? compression::Format::Zlib : compression::Format::Zstd;
  if (compression::getReasonIfUnsupported(format))
    return s.reject(value, "is not supported by the LLVM that xlink was built "
                           "with");
  s.config.compressDebug =
      zlib ? DebugCompression::Zlib : DebugCompression::Zstd;
}

} // namespace xlink
