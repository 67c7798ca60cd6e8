//===- InputFiles.cpp -----------------------------------------------------===//
#include "input/InputFiles.h"
#include "base/MappedFile.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace xlink {

static std::string joinPath(StringRef directory, StringRef name) {
  if (directory.empty())
    return name.str();
  return directory.ends_with("/") ? (directory + name).str()
                                  : (directory + "/" + name).str();
}

void FileOpener::addSearchPath(StringRef directory) {
  // "=dir" and "$SYSROOT/dir" are below the sysroot (GNU ld, -L).
  if (directory.consume_front("=") || directory.consume_front("$SYSROOT"))
    searchPaths.push_back(sysroot + directory.str());
  else
    searchPaths.push_back(directory.str());
}

std::unique_ptr<OpenedFile> FileOpener::open(StringRef path,
                                             std::string &error) {
  std::unique_ptr<MemoryBuffer> buffer = openFile(fs, path, error);
  if (!buffer)
    return nullptr;
  auto file = std::make_unique<OpenedFile>();
  file->path = path.str();
  file->buffer = std::move(buffer);
  file->kind = identifyFile(file->bytes());
  return file;
}

std::string FileOpener::findLibrary(StringRef name) const {
  std::string file =
      name.consume_front(":") ? name.str() : ("lib" + name + ".a").str();
  for (const std::string &directory : searchPaths) {
    std::string path = joinPath(directory, file);
    if (fileExists(fs, path))
      return path;
  }
  return "";
}

std::string FileOpener::findFile(StringRef name) const {
  if (fileExists(fs, name))
    return name.str();
  if (!name.starts_with("/"))
    for (const std::string &directory : searchPaths) {
      std::string path = joinPath(directory, name);
      if (fileExists(fs, path))
        return path;
    }
  return "";
}

std::shared_ptr<const ParsedObject>
ObjectCache::get(const ObjectName &name, ArrayRef<uint8_t> bytes,
                 const Target &target, std::shared_ptr<const void> owner,
                 DiagnosticBuffer &diag) {
  XXH128_hash_t hash = xxh3_128bits(bytes);
  std::string key = std::string(target.name) + '\0' + name.path + '\0' +
                    std::to_string(hash.low64) + '-' +
                    std::to_string(hash.high64);
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = objects.find(key);
    if (it != objects.end())
      return it->second;
  }
  auto object = parseObject(name, bytes, target, std::move(owner), diag);
  if (object) {
    std::lock_guard<std::mutex> lock(mutex);
    objects.emplace(std::move(key), object);
  }
  return object;
}

} // namespace xlink
