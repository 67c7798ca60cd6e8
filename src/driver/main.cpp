//===- main.cpp - the tool ------------------------------------------------===//
#include "base/DiagnosticFormat.h"
#include "driver/Driver.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <new>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

/// Writes all of `text`; 0 or the system's error.
static int print(int fd, const std::string &text) {
  return xlink::writeAll(fd, llvm::arrayRefFromStringRef(text));
}

/// Inputs are checked before memory is asked for on their word, so this is a
/// machine that is out of memory, not a bad file.
static void outOfMemory() {
  xlink::removeUnfinishedOutputs();
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
  constexpr size_t kBlock = 31 << 20, kBlocks = 2, kPage = 2 << 20;
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
  request.threadStart = useLargePages;
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
