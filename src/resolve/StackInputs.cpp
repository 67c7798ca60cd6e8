//===- StackInputs.cpp ----------------------------------------------------===//
#include "resolve/StackInputs.h"
#include "input/StackFiles.h"
#include "resolve/InputLoader.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace xlink {

/// Reads the file that a compiler left beside an object; whether there is one.
static bool readBeside(Program &program, FileId file, vfs::FileSystem *fs,
                       const char *extension,
                       void (*read)(StringRef, StackNotes &, Diagnostics &),
                       Diagnostics &diag) {
  SmallString<128> path(program.files[file].object->path);
  sys::path::replace_extension(path, extension);
  StackNotes notes{file, path.str().str()};
  std::string error;
  const std::shared_ptr<MemoryBuffer> buffer =
      openPart(program, fs, notes.path, error);
  if (!buffer)
    return false;
  read(buffer->getBuffer(), notes, diag);
  program.stackInputs.notes.push_back(std::move(notes));
  return true;
}

void readStackInputs(Program &program, vfs::FileSystem *fs, Diagnostics &diag) {
  const Config &config = program.config;
  if (!wantsStackUsage(config))
    return;
  if (config.stackUsageFiles) {
    bool any = false;
    for (FileId file : program.files.ids()) {
      const ParsedObject &object = *program.files[file].object;
      if (!object.archive.empty() || object.isBinary || object.justSymbols)
        continue;
      any |= readBeside(program, file, fs, "su", readStackUsageFile, diag);
      any |= readBeside(program, file, fs, "ci", readCallGraphFile, diag);
    }
    if (!any)
      diag.warn(WarningGroup::Stack,
                "--stack-usage-files: there is no .su or .ci file beside any "
                "object",
                {"-fstack-usage of gcc and clang writes foo.su beside foo.o, "
                 "-fcallgraph-info of gcc writes foo.ci"});
  }
  if (config.stackCalls.empty())
    return;
  std::string error;
  if (const std::shared_ptr<MemoryBuffer> buffer =
          openPart(program, fs, config.stackCalls, error))
    program.stackInputs.calls =
        readStackCalls(config.stackCalls, buffer->getBuffer(), diag);
  else
    diag.error("cannot open the file of --stack-calls " + config.stackCalls +
               ": " + error);
}

} // namespace xlink
