//===- OutputFile.h - where the finished bytes go -------------------------===//
//
// A file is written beside its target and exchanged with it in one step, so the
// target is whole at every moment and stays untouched when the link fails. A
// target that is no regular file (a device, a pipe) is written to, never
// replaced.
//
// Temporary files are called .xlink-PID-...tmp. They go when the link fails and
// when a signal ends the process, a fault included; only SIGKILL and a machine
// that stops leave them. Such leftovers are not swept by later links: to find
// them would cost every link a scan of the output's directory, process numbers
// of other machines on a shared file system mean nothing here, and the only
// harm is the room that they take.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_OUTPUT_OUTPUTFILE_H
#define XLINK_OUTPUT_OUTPUTFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <csignal>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
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
  /// `size` in bytes is final; without one the file ends where the last byte
  /// is written. `executable` asks for execute permission. Returns null and
  /// sets `error` on failure. Called by any thread of a link, by one at a time,
  /// as is commit().
  virtual std::unique_ptr<OutputFile> open(llvm::StringRef path,
                                           std::optional<uint64_t> size,
                                           bool executable,
                                           std::string &error) = 0;
};

/// The operating system's files.
///
/// A symbolic link to a regular file is replaced by the output, as GNU ld and
/// lld do with that of -o, and its target keeps its bytes; one to a device or
/// pipe is followed, and so is one to an open descriptor (/dev/stdout,
/// /dev/fd/3). One that leads nowhere is replaced too, as lld does; GNU ld
/// creates the file that it names.
///
/// A file that cannot be replaced but can be written (in a directory that
/// admits no new files, another user's file in one with the sticky bit, a mount
/// point) is written in place, as GNU ld and lld do, once all bytes are there.
class DiskSink : public OutputSink {
public:
  std::unique_ptr<OutputFile> open(llvm::StringRef path,
                                   std::optional<uint64_t> size,
                                   bool executable,
                                   std::string &error) override;
};

/// Holds outputs back until all of a link are complete, so that one that fails
/// leaves every old one in place.
class HeldSink : public OutputSink {
public:
  explicit HeldSink(OutputSink &sink) : sink(sink) {}
  std::unique_ptr<OutputFile> open(llvm::StringRef path,
                                   std::optional<uint64_t> size,
                                   bool executable,
                                   std::string &error) override;
  /// Commits the files that were committed to this sink, the last one first:
  /// the output, written first, becomes visible when everything else is. Stops
  /// at a failure; "" or the file and the reason.
  std::string commitAll();

  struct Held {
    std::string path;
    std::unique_ptr<OutputFile> file;
  };
  std::vector<Held> held; ///< complete, not visible yet

private:
  OutputSink &sink;
};

/// Writes all bytes from the descriptor's place on, and waits where it takes
/// none for now (O_NONBLOCK); 0 or the system's error.
int writeAll(int fd, llvm::ArrayRef<uint8_t> bytes);

/// For a process that does nothing but link: temporary files are removed when a
/// signal ends it, be it an interruption, a limit on processor time or a fault;
/// and a closed pipe or a limit on file sizes is an error of writing instead of
/// a signal. An input that another process truncates while it is mapped
/// (SIGBUS) ends it with a message and status 1.
void handleSignalsOfOutput();
/// Removes the temporary files of outputs that are not committed: for a process
/// that cannot go on. Of several threads the first returns, to end the process;
/// the others wait for that end. Signals stay blocked; returns those that were
/// before. Async-signal-safe.
sigset_t removeUnfinishedOutputs();

/// Keeps outputs in memory: tests and library callers.
class MemorySink : public OutputSink {
public:
  std::unique_ptr<OutputFile> open(llvm::StringRef path,
                                   std::optional<uint64_t> size,
                                   bool executable,
                                   std::string &error) override;
  /// Committed outputs by name.
  std::map<std::string, std::vector<uint8_t>> files;
};

} // namespace xlink
#endif
