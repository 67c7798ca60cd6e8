//===- OutputFile.h - where the finished bytes go -------------------------===//
//
// A file is written beside its target and exchanged with it in one step, so the
// target is whole at every moment and stays untouched when the link fails. What
// is not a regular file (a device, a pipe) is written to, never replaced.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_OUTPUT_OUTPUTFILE_H
#define XLINK_OUTPUT_OUTPUTFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace xlink {

/// One output being written. Destroyed without commit(), it leaves nothing.
class OutputFile {
public:
  virtual ~OutputFile() = default;
  /// Writes at `offset`; thread-safe for disjoint ranges. Returns "" or the
  /// system's reason. Bytes never written read as zero.
  virtual std::string writeAt(uint64_t offset,
                              llvm::ArrayRef<uint8_t> bytes) = 0;
  /// Makes the output visible under its name. "" or the reason.
  virtual std::string commit() = 0;
};

/// Opens outputs by name: the request's sink.
class OutputSink {
public:
  virtual ~OutputSink() = default;
  /// `size` in bytes is final; `executable` asks for execute permission.
  /// Returns null and sets `error` on failure.
  virtual std::unique_ptr<OutputFile> open(llvm::StringRef path, uint64_t size,
                                           bool executable,
                                           std::string &error) = 0;
};

/// The operating system's files.
///
/// A symbolic link is treated as GNU ld and lld do: one to a regular file, or
/// to nothing, is replaced by the output, and its target keeps its bytes; one
/// to a device or pipe is followed.
class DiskSink : public OutputSink {
public:
  std::unique_ptr<OutputFile> open(llvm::StringRef path, uint64_t size,
                                   bool executable,
                                   std::string &error) override;
};

/// For a process that does nothing but link: temporary files are removed when
/// it is interrupted or terminated, and a closed pipe or a limit on file sizes
/// is an error of writing instead of a signal.
void handleSignalsOfOutput();
/// Removes the temporary files of outputs that are not committed: for a process
/// that cannot go on. Async-signal-safe.
void removeUnfinishedOutputs();

/// Keeps outputs in memory: tests and library callers.
class MemorySink : public OutputSink {
public:
  std::unique_ptr<OutputFile> open(llvm::StringRef path, uint64_t size,
                                   bool executable,
                                   std::string &error) override;
  /// Committed outputs by name.
  std::map<std::string, std::vector<uint8_t>> files;
};

} // namespace xlink
#endif
