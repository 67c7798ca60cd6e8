//===- main.cpp - the tool ------------------------------------------------===//
#include "base/MappedFile.h"
#include "driver/Driver.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <alloca.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

/// Writes all of `text`; 0 or the system's error.
static int print(int fd, const std::string &text) {
  return xlink::writeAll(fd, llvm::arrayRefFromStringRef(text));
}

/// In the environment of a process that repeats its link with one thread.
static constexpr char kOneThread[] = "XLINK_ONE_THREAD=1";
/// The command line, where the link may begin again.
static char **wordsOfAgain = nullptr;

/// Begins the link again with one thread: each other one has taken a stack and
/// a heap. `signals`: that were blocked. Allocates nothing; returns where the
/// system refuses.
static void beginAgain(const sigset_t &signals) {
  size_t count = 0;
  while (environ[count])
    ++count;
  const auto variables =
      static_cast<const char **>(alloca((count + 2) * sizeof(char *)));
  std::copy_n(environ, count, variables);
  variables[count] = kOneThread;
  variables[count + 1] = nullptr;
  alarm(0);
  // A handler of this process would wait for its end.
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM})
    if (struct sigaction old;
        sigaction(signal, nullptr, &old) == 0 && old.sa_handler != SIG_IGN)
      std::signal(signal, SIG_DFL);
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  execve(xlink::executablePath(), wordsOfAgain, const_cast<char **>(variables));
}

/// Inputs are checked before memory is asked for on their word, so this is a
/// machine that is out of memory, not a bad file.
static void outOfMemory() {
  const sigset_t signals = xlink::removeUnfinishedOutputs();
  if (wordsOfAgain && !xlink::hasReadStream())
    beginAgain(signals);
  static const char text[] = "xlink: error: out of memory\n";
  (void)!write(STDERR_FILENO, text, sizeof(text) - 1);
  _exit(1);
}

/// The same for LLVM's containers, which do not ask operator new.
static void outOfMemoryIn(void *, const char *, bool) { outOfMemory(); }

/// Freed memory stays with the process: the link wants it again, and the system
/// takes longer to hand out fresh pages than the link to fill them.
static void keepFreedMemory() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

/// Makes the calling thread's heap of large pages, up to a size that few links
/// exceed, where the system has them: a fault for 2 MB costs a quarter of those
/// for 512 pages. Blocks below the mmap threshold come from the heap's end, and
/// freed ones stay there. For large links alone: a small one would fill the
/// first page in vain.
static void useLargePages() {
  constexpr size_t kBlock = 31 << 20, kBlocks = 4, kPage = 2 << 20;
  void *blocks[kBlocks];
  for (void *&block : blocks)
    if ((block = malloc(kBlock)))
      madvise(reinterpret_cast<void *>(llvm::alignTo(uintptr_t(block), kPage)),
              kBlock - kPage, MADV_HUGEPAGE);
  for (void *block : blocks)
    free(block);
}

int main(int argc, char **argv) {
  keepFreedMemory();
  xlink::handleSignalsOfOutput();
  std::set_new_handler(outOfMemory);
  llvm::install_bad_alloc_error_handler(outOfMemoryIn);
  xlink::LinkRequest request;
  request.arguments.assign(argv + (argc > 0), argv + argc);
  request.leaveMemory = true;
  request.executable = xlink::executablePath();
  request.threadStart = useLargePages;
  if (getenv("XLINK_ONE_THREAD"))
    request.threads = 1;
  else
    wordsOfAgain = argv;
  xlink::LinkResult result = xlink::link(request);

  std::string out = std::move(result.text), err;
  for (const xlink::Diagnostic &d : result.diagnostics) {
    if (d.severity == xlink::Severity::Note)
      out += xlink::formatDiagnostic(d, result.format, /*color=*/false);
    else
      err += xlink::formatDiagnostic(d, result.format, result.color);
  }
  // A reader that closed its end has read all that it wants.
  if (const int error = print(STDOUT_FILENO, out); error && error != EPIPE) {
    xlink::Diagnostic d{xlink::Severity::Error,
                        xlink::WarningGroup::General,
                        "cannot write to standard output: ",
                        {}};
    d.text += strerror(error);
    err += xlink::formatDiagnostic(d, result.format, result.color);
    result.status = 1;
  }
  print(STDERR_FILENO, err);
  _exit(result.status);
}
