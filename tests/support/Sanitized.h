//===- Sanitized.h - which build a test runs in ---------------------------===//
//
// Asked when a test runs: compiled tests are linked with libraries of either
// kind (tests/CMakeLists.txt).
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_TESTS_SUPPORT_SANITIZED_H
#define XLINK_TESTS_SUPPORT_SANITIZED_H

#include <cstdlib>
#include <string>

extern "C" void __asan_init() __attribute__((weak));
extern "C" void __tsan_init() __attribute__((weak));

namespace xlink::test {

/// Whether the address sanitizer is in this process.
inline const bool kSanitized = __asan_init != nullptr;
/// The same of the thread sanitizer.
inline const bool kThreadSanitized = __tsan_init != nullptr;

/// Where the tool and the libraries of this build are.
inline std::string buildDirectory() {
  const char *given = std::getenv("XLINK_BUILD_UNDER_TEST");
  return given ? given : XLINK_BINARY_DIR;
}

} // namespace xlink::test
#endif
