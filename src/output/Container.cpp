//===- Container.cpp ------------------------------------------------------===//
#include "output/Container.h"
#include "base/MappedFile.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink {

static const Container *findContainer(const Target &target, StringRef name) {
  for (const Container *container : target.containers)
    if (name == container->name)
      return container;
  return nullptr;
}

void checkContainer(const Program &program, Diagnostics &diag) {
  const std::string &name = program.config.container;
  if (!name.empty() && !findContainer(*program.target, name)) {
    std::string valid;
    for (const OutputFormatName &row : kOutputFormats)
      valid += std::string(valid.empty() ? "" : ", ") + row.name;
    for (const Container *container : program.target->containers)
      valid += std::string(", ") + container->name;
    diag.error("option '--oformat': '" + name +
               "' is not an output format of " + program.target->name + " (" +
               valid + ")");
  }
  for (const auto &[option, value] : program.config.containerOptions) {
    StringRef owner = StringRef(option).split('-').first;
    if (owner != name)
      diag.warn(WarningGroup::General, "option '--" + option +
                                           "' has no effect without "
                                           "--oformat=" +
                                           owner.str());
  }
}

std::vector<std::string> writeContainer(const LinkedProgram &output,
                                        OutputSink &sink, vfs::FileSystem *fs,
                                        Diagnostics &diag) {
  const Program &program = output.link.program;
  const std::string &path = program.output.path;
  std::vector<std::string> files;
  MemorySink memory;
  writeOutput(output, memory, diag);
  const Container *container =
      findContainer(*program.target, program.config.container);
  // With errors there is nothing to wrap: all of them are reported.
  if (diag.failed() || !container)
    return files;

  std::vector<ContainerOption> options;
  for (const auto &[option, value] : program.config.containerOptions)
    if (StringRef(option).split('-').first == container->name)
      options.push_back({option, value});
  std::vector<std::unique_ptr<MemoryBuffer>> buffers;
  auto read = [&](StringRef file,
                  std::string &error) -> std::optional<ArrayRef<uint8_t>> {
    std::unique_ptr<MemoryBuffer> buffer = openFile(fs, file, error);
    if (!buffer)
      return std::nullopt;
    files.push_back(file.str());
    buffers.push_back(std::move(buffer));
    return arrayRefFromStringRef(buffers.back()->getBuffer());
  };
  std::vector<TargetMessage> messages;
  std::vector<uint8_t> bytes = container->write(
      {memory.files[path], path, program.state, options, read}, messages);
  for (TargetMessage &m : messages) {
    if (m.severity == TargetMessage::Error)
      diag.error(std::move(m.text));
    else
      diag.warn(WarningGroup::General, std::move(m.text));
  }
  if (diag.failed())
    return files;

  const std::string error = writeWhole(sink, path, bytes);
  if (!error.empty())
    diag.error("cannot write " + path + ": " + error);
  return files;
}

} // namespace xlink
