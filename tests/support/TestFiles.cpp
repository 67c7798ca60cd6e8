//===- TestFiles.cpp ------------------------------------------------------===//
#include "support/TestFiles.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <cstring>

using namespace llvm;

namespace xlink::test {

namespace {

/// A copy of a file that is overwritten when nobody owns it any more.
class CopiedBuffer final : public MemoryBuffer {
public:
  CopiedBuffer(const Bytes &from, std::string name)
      : bytes(new char[from.size() + 1]), size(from.size()),
        name(std::move(name)) {
    std::copy(from.begin(), from.end(), bytes);
    bytes[size] = 0;
    init(bytes, bytes + size, /*RequiresNullTerminator=*/true);
  }
  ~CopiedBuffer() override {
    std::memset(bytes, 0xdb, size);
    __asm__ volatile("" : : "r"(bytes) : "memory"); // or it is optimised away
    delete[] bytes;
  }
  BufferKind getBufferKind() const override { return MemoryBuffer_Malloc; }
  StringRef getBufferIdentifier() const override { return name; }

private:
  char *bytes;
  size_t size;
  std::string name;
};

class OpenedFile final : public vfs::File {
public:
  OpenedFile(const Bytes &bytes, vfs::Status status)
      : bytes(bytes), known(std::move(status)) {}
  ErrorOr<vfs::Status> status() override { return known; }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &name, int64_t,
                                                   bool, bool) override {
    return std::make_unique<CopiedBuffer>(bytes, name.str());
  }
  std::error_code close() override { return {}; }

private:
  const Bytes &bytes;
  vfs::Status known;
};

std::string canonical(StringRef path) {
  SmallString<128> text(path);
  sys::path::remove_dots(text, /*remove_dot_dot=*/true);
  StringRef rest = text;
  rest.consume_front("/");
  return rest.str();
}

} // namespace

void TestFiles::add(StringRef path, const Bytes &bytes) {
  files[canonical(path)] = &bytes;
}

ErrorOr<vfs::Status> TestFiles::status(const Twine &path) {
  const std::string name = canonical(path.str());
  auto make = [&](sys::fs::file_type type, uint64_t size, uint64_t number) {
    return vfs::Status(path, sys::fs::UniqueID(0, number), {}, 0, 0, size, type,
                       sys::fs::all_all);
  };
  auto it = files.lower_bound(name);
  const uint64_t number = uint64_t(std::distance(files.begin(), it)) + 1;
  if (it != files.end() && it->first == name)
    return make(sys::fs::file_type::regular_file, it->second->size(), number);
  it = files.lower_bound(name + "/");
  if (name.empty() ||
      (it != files.end() && StringRef(it->first).starts_with(name + "/")))
    return make(sys::fs::file_type::directory_file, 0, number + files.size());
  return make_error_code(errc::no_such_file_or_directory);
}

ErrorOr<std::unique_ptr<vfs::File>>
TestFiles::openFileForRead(const Twine &path) {
  ErrorOr<vfs::Status> known = status(path);
  if (!known)
    return known.getError();
  if (known->getType() == sys::fs::file_type::directory_file)
    return make_error_code(errc::is_a_directory);
  return std::make_unique<OpenedFile>(*files[canonical(path.str())], *known);
}

vfs::directory_iterator TestFiles::dir_begin(const Twine &,
                                             std::error_code &error) {
  error = make_error_code(errc::function_not_supported);
  return {};
}

ErrorOr<std::string> TestFiles::getCurrentWorkingDirectory() const {
  return std::string("/");
}

std::error_code TestFiles::setCurrentWorkingDirectory(const Twine &) {
  return make_error_code(errc::function_not_supported);
}

} // namespace xlink::test
