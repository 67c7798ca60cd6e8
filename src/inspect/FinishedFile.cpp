//===- FinishedFile.cpp ---------------------------------------------------===//
#include "inspect/FinishedFile.h"
#include "base/MappedFile.h"
#include "map/LinkMapJson.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink {

ArrayRef<uint8_t> FinishedFile::bytes() const {
  return arrayRefFromStringRef(buffer->getBuffer());
}

const ContainerPart *FinishedFile::mainProgram() const {
  const ContainerPart *largest = nullptr;
  for (const ContainerPart &part : parts)
    if (part.program && (!largest || part.bytes.size() > largest->bytes.size()))
      largest = &part;
  return largest;
}

std::string FinishedFile::title(const ContainerPart &part) const {
  return part.name.empty() ? path : path + ": " + part.name;
}

bool openFinished(const std::string &path, vfs::FileSystem *fs,
                  FinishedFile &file, Diagnostics &diag) {
  file.path = path;
  std::string error;
  file.buffer = openFile(fs, path, error);
  if (!file.buffer)
    diag.error("cannot open " + path + ": " + error);
  return file.buffer != nullptr;
}

const Container *findContainer(function_ref<bool(const Container &)> isRight) {
  for (const Target *target : allTargets())
    for (const Container *container : target->containers)
      if (isRight(*container))
        return container;
  return nullptr;
}

bool readContainer(FinishedFile &file, Diagnostics &diag) {
  file.container = findContainer([&](const Container &c) {
    return c.magic && file.buffer->getBuffer().starts_with(c.magic);
  });
  if (!file.container) {
    file.parts.push_back({"", file.bytes(), /*program=*/true});
    return true;
  }
  std::vector<TargetMessage> messages;
  for (ContainerListing::Entry &entry :
       file.container->list(file.bytes(), messages).entries)
    if (entry.part)
      file.parts.push_back(std::move(*entry.part));
  bool good = true;
  for (const TargetMessage &message : messages)
    if (message.severity == TargetMessage::Error) {
      diag.error(file.path + ": " + message.text);
      good = false;
    }
  return good;
}

bool openMap(const std::string &path, vfs::FileSystem *fs, FinishedFile &file,
             Diagnostics &diag) {
  if (!openFinished(path, fs, file, diag) || !readContainer(file, diag))
    return false;
  const StringRef text = file.buffer->getBuffer();
  const ContainerPart *program = file.mainProgram();
  if (!file.container && text.ltrim().starts_with("{")) {
    file.map = readLinkMap(path, text, diag);
  } else if (!file.container && !text.starts_with(ELF::ElfMagic)) {
    diag.error(path + ": is neither an ELF file nor a container or map of one");
  } else if (!program) {
    diag.error(path + ": has no program");
  } else if (const std::optional<LinkedFile> elf =
                 readLinkedFile(file.title(*program), program->bytes, diag)) {
    file.map = mapOfElf(*elf);
  }
  return file.map.has_value();
}

} // namespace xlink
