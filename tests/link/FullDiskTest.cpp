//===- FullDiskTest.cpp - no room for the output and its maps -------------===//
#include "link/Linking.h"
#include "support/TestFiles.h"
#include <mutex>

using namespace llvm;

namespace xlink::test {
namespace {

/// So many bytes, up to the last one that is written of each file; what is not
/// committed is given back.
class SmallDisk : public OutputSink {
public:
  explicit SmallDisk(size_t room) : room(room) {}
  std::unique_ptr<OutputFile> open(StringRef path, std::optional<uint64_t> size,
                                   bool executable,
                                   std::string &error) override {
    return std::make_unique<File>(*this,
                                  memory.open(path, size, executable, error));
  }
  MemorySink memory;

private:
  struct File : OutputFile {
    File(SmallDisk &disk, std::unique_ptr<OutputFile> file)
        : disk(disk), file(std::move(file)) {}
    ~File() override {
      if (!kept)
        disk.used -= taken;
    }
    std::string writeAt(uint64_t offset, ArrayRef<uint8_t> bytes) override {
      const std::lock_guard<std::mutex> lock(disk.mutex);
      const size_t end = offset + bytes.size();
      const size_t more = end > taken ? end - taken : 0;
      if (disk.used + more > disk.room)
        return "No space left on device";
      disk.used += more;
      taken += more;
      return file->writeAt(offset, bytes);
    }
    std::string commit() override {
      kept = true;
      return file->commit();
    }
    SmallDisk &disk;
    std::unique_ptr<OutputFile> file;
    size_t taken = 0;
    bool kept = false;
  };
  const size_t room;
  std::mutex mutex;
  size_t used = 0;
};

/// The messages of a link on a disk with so much room, then the files.
std::string linkWith(size_t room, std::map<std::string, size_t> &sizes) {
  const Bytes object = nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Size: 0x30000 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)");
  TestFiles files;
  files.add("a.o", object);
  SmallDisk disk(room);
  LinkRequest request;
  request.arguments = {"-m",       "nyuzi",          "a.o", "-o", "out",
                       "-Map=map", "--map-json=json"};
  request.fileSystem = &files;
  request.sink = &disk;
  std::string text;
  for (const Diagnostic &d : link(request).diagnostics)
    text += d.text + "\n";
  for (const auto &[name, bytes] : disk.memory.files) {
    text += name + "\n";
    sizes[name] = bytes.size();
  }
  return text;
}

// Maps exist though the link fails: if there is no room for all, the output
// gives way to them, whichever was written first.
TEST(FullDisk, MapsComeFirst) {
  std::map<std::string, size_t> sizes, now;
  EXPECT_EQ(linkWith(size_t(1) << 30, sizes), "json\nmap\nout\n");
  const size_t maps = sizes["map"] + sizes["json"], out = sizes["out"];
  EXPECT_EQ(linkWith(maps + out, now), "json\nmap\nout\n");
  const std::string withMaps =
      "cannot write out: No space left on device\njson\nmap\n";
  for (size_t room :
       {maps + out - 1, out + sizes["json"], out, out - 1, maps}) {
    std::map<std::string, size_t> left;
    EXPECT_EQ(linkWith(room, left), withMaps) << room;
    EXPECT_EQ(left["map"], sizes["map"]);
    EXPECT_EQ(left["json"], sizes["json"]);
  }
  EXPECT_EQ(linkWith(maps - 1, now),
            "cannot write out: No space left on device\n"
            "cannot write map in JSON json: No space left on device\nmap\n");
}

} // namespace
} // namespace xlink::test
