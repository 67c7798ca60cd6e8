//===- Replay.cpp - targets over files that are kept ----------------------===//
//
// fuzz_replay TARGET PATH...: each file, and each file of each directory, goes
// through the target once. Status 1: some promise was broken. A crash says with
// which file.
//
//===----------------------------------------------------------------------===//
#include "fuzz/Targets.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

using namespace llvm;
using namespace xlink::test;

/// As in LibFuzzer.cpp.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0";
}
extern "C" void __sanitizer_set_death_callback(void (*)(void))
    __attribute__((weak));

static std::string current; ///< the file that is being replayed
static unsigned troubles = 0;

static void sayWhich() {
  static const char text[] = "\nwhile replaying ";
  (void)!write(2, text, sizeof text - 1);
  (void)!write(2, current.c_str(), current.size());
  (void)!write(2, "\n", 1);
}
static void onSignal(int signal) {
  sayWhich();
  ::signal(signal, SIG_DFL);
  raise(signal);
}
static void onTrouble(StringRef text) {
  ++troubles;
  std::fprintf(stderr, "%s: %s\n", current.c_str(), text.str().c_str());
}

/// The files at or below a path, in order.
static std::vector<std::string> filesAt(const std::string &path) {
  if (!sys::fs::is_directory(path))
    return {path};
  std::vector<std::string> files;
  std::error_code error;
  for (sys::fs::recursive_directory_iterator it(path, error), end;
       it != end && !error; it.increment(error))
    if (!sys::fs::is_directory(it->path()))
      files.push_back(it->path());
  std::sort(files.begin(), files.end());
  return files;
}

static bool replay(const FuzzTarget &target, const std::string &path) {
  current = path;
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer) {
    std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
    return false;
  }
  // A copy of its own, so that a sanitizer sees reads beyond it.
  const StringRef text = (*buffer)->getBuffer();
  const Bytes input(text.begin(), text.end());
  runBounded(target, input);
  return true;
}

int main(int count, char **arguments) {
  if (count == 2 && StringRef(arguments[1]) == "--list") {
    for (const FuzzTarget &target : fuzzTargets())
      std::printf("%s\n", target.name);
    return 0;
  }
  const FuzzTarget *target = count < 3 ? nullptr : findFuzzTarget(arguments[1]);
  if (!target) {
    std::fprintf(stderr, "usage: fuzz_replay TARGET PATH... | --list\n");
    return 2;
  }
  if (__sanitizer_set_death_callback)
    __sanitizer_set_death_callback(sayWhich);
  else
    for (int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL})
      ::signal(signal, onSignal);
  setTroubleHandler(onTrouble);
  size_t replayed = 0;
  bool allRead = true;
  for (int i = 2; i < count; ++i)
    for (const std::string &path : filesAt(arguments[i])) {
      allRead &= replay(*target, path);
      ++replayed;
    }
  std::printf("%s: %zu inputs, %u troubles\n", target->name, replayed,
              troubles);
  return troubles || !allRead ? 1 : 0;
}
