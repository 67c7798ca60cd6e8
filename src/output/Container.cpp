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

void checkContainer(Link &link) {
  const std::string &name = link.config.container;
  if (!name.empty() && !findContainer(*link.target, name)) {
    std::string valid = "elf, binary";
    for (const Container *container : link.target->containers)
      valid += std::string(", ") + container->name;
    link.diag.error("option '--oformat': '" + name +
                    "' is not an output format of " + link.target->name + " (" +
                    valid + ")");
  }
  for (const auto &[option, value] : link.config.containerOptions) {
    StringRef owner = StringRef(option).split('-').first;
    if (owner != name)
      link.diag.warn(WarningGroup::General, "option '--" + option +
                                                "' has no effect without "
                                                "--oformat=" +
                                                owner.str());
  }
}

static ArrayRef<uint8_t> bytesOf(const MemoryBuffer &buffer) {
  return {reinterpret_cast<const uint8_t *>(buffer.getBufferStart()),
          buffer.getBufferSize()};
}

void writeContainer(Link &link, OutputSink &sink, vfs::FileSystem *fs) {
  const std::string &path = link.config.output;
  MemorySink memory;
  writeOutput(link, memory);
  const Container *container =
      findContainer(*link.target, link.config.container);
  // With errors, nothing is there to be wrapped: all of them are reported.
  if (link.diag.failed() || !container)
    return;

  std::vector<ContainerOption> options;
  for (const auto &[option, value] : link.config.containerOptions)
    if (StringRef(option).split('-').first == container->name)
      options.push_back({option, value});
  std::vector<std::unique_ptr<MemoryBuffer>> buffers;
  auto read = [&](StringRef file,
                  std::string &error) -> std::optional<ArrayRef<uint8_t>> {
    FileIdentity identity;
    std::unique_ptr<MemoryBuffer> buffer = openFile(fs, file, error, &identity);
    if (!buffer)
      return std::nullopt;
    if (identity && identity == identityOf(fs, path))
      link.diag.error("input file '" + file.str() +
                      "' is the same as output file");
    link.readFiles.push_back({ReadFile::Part, file.str(), identity});
    buffers.push_back(std::move(buffer));
    return bytesOf(*buffers.back());
  };
  std::vector<TargetMessage> messages;
  std::vector<uint8_t> bytes = container->write(
      {memory.files[path], path, link.state, options, read}, messages);
  for (TargetMessage &m : messages) {
    if (m.severity == TargetMessage::Error)
      link.diag.error(std::move(m.text));
    else
      link.diag.warn(WarningGroup::General, std::move(m.text));
  }
  if (link.diag.failed())
    return;

  std::string error;
  std::unique_ptr<OutputFile> file =
      sink.open(path, bytes.size(), /*executable=*/false, error);
  if (!file) {
    link.diag.error("cannot open output file " + path + ": " + error);
    return;
  }
  error = file->writeAt(0, bytes);
  if (error.empty())
    error = file->commit();
  if (!error.empty())
    link.diag.error("cannot write " + path + ": " + error);
}

std::string dumpContainer(const Config &config, vfs::FileSystem *fs,
                          Diagnostics &diag) {
  const Container *container = nullptr;
  for (const Target *target : allTargets())
    if (!container)
      container = findContainer(*target, config.dumpContainer);
  std::string error;
  std::unique_ptr<MemoryBuffer> buffer = openFile(fs, config.dumpFile, error);
  if (!buffer) {
    diag.error("cannot open " + config.dumpFile + ": " + error);
    return "";
  }
  std::vector<TargetMessage> messages;
  std::string text = container->dump(bytesOf(*buffer), messages);
  for (TargetMessage &m : messages) {
    m.text = config.dumpFile + ": " + m.text;
    if (m.severity == TargetMessage::Error)
      diag.error(std::move(m.text));
    else
      diag.warn(WarningGroup::General, std::move(m.text));
  }
  return text.empty() ? text : config.dumpFile + ": " + text;
}

} // namespace xlink
