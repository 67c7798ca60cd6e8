//===- FileOptions.cpp ----------------------------------------------------===//
#include "driver/FileOptions.h"

using namespace llvm;

namespace xlink {

static constexpr struct {
  StringLiteral option;
  FileUse use;
} kFileOptions[] = {
    {"", FileUse::Read},
    {"script", FileUse::Read},
    {"default-script", FileUse::Read},
    {"just-symbols", FileUse::Read},
    {"retain-symbols-file", FileUse::Read},
    {"symbol-ordering-file", FileUse::Read},
    {"section-ordering-file", FileUse::Read},
    {"stack-calls", FileUse::Read},
    {"xe-config", FileUse::Read},
    {"size-budget", FileUse::Read},
    {"baseline", FileUse::Read},
    {"xe-add", FileUse::ReadKeyed},
    {"library-path", FileUse::Directory},
    {"sysroot", FileUse::Directory},
    {"output", FileUse::Written},
    {"Map", FileUse::Written},
    {"dependency-file", FileUse::Written},
    {"print-gc-sections", FileUse::Written},
    {"map-json", FileUse::Written},
    {"answers-json", FileUse::Written},
    {"html-report", FileUse::Written},
    {"time-trace", FileUse::Written},
    {"image", FileUse::WrittenKeyed},
};

FileUse fileUse(StringRef option) {
  for (const auto &row : kFileOptions)
    if (row.option == option)
      return row.use;
  return FileUse::None;
}

} // namespace xlink
