//===- Sanitized.h - which build a test runs in ---------------------------===//
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_TESTS_SUPPORT_SANITIZED_H
#define XLINK_TESTS_SUPPORT_SANITIZED_H

#include <string>

extern "C" void __asan_init() __attribute__((weak));

namespace xlink::test {

/// Whether the address sanitizer is in this process.
inline const bool kSanitized = __asan_init != nullptr;

/// Where the tool and the libraries of this build are.
inline std::string buildDirectory() { return XLINK_BINARY_DIR; }

} // namespace xlink::test
#endif
