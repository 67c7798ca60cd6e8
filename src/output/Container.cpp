//===- Container.cpp ------------------------------------------------------===//
#include "output/Container.h"
#include "base/MappedFile.h"
#include "output/Writer.h"

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

static ArrayRef<uint8_t> bytesOf(const MemoryBuffer &buffer) {
  return {reinterpret_cast<const uint8_t *>(buffer.getBufferStart()),
          buffer.getBufferSize()};
}

std::vector<std::string>
writeContainer(const Link &link, const SymbolValues &values,
               const FileLayout &layout, uint64_t entry, OutputSink &sink,
               vfs::FileSystem *fs, Diagnostics &diag) {
  const Program &program = link.program;
  const std::string &path = program.output.path;
  std::vector<std::string> files;
  MemorySink memory;
  writeOutput(link, values, layout, entry, memory, diag);
  const Container *container =
      findContainer(*program.target, program.config.container);
  // With errors, nothing is there to be wrapped: all of them are reported.
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
    return bytesOf(*buffers.back());
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

  std::string error;
  std::unique_ptr<OutputFile> file =
      sink.open(path, bytes.size(), /*executable=*/false, error);
  if (!file) {
    diag.error("cannot open output file " + path + ": " + error);
    return files;
  }
  error = file->writeAt(0, bytes);
  if (error.empty())
    error = file->commit();
  if (!error.empty())
    diag.error("cannot write " + path + ": " + error);
  return files;
}

} // namespace xlink
