//===- LeafTest.cpp - arch/ stands on nothing of src/
//----------------------===//

#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"
#include <filesystem>
#include <fstream>

using llvm::StringRef;
namespace fs = std::filesystem;

namespace {

TEST(Leaf, IncludesOnlyItselfLlvmAndTheStandardLibrary) {
  std::error_code error;
  size_t files = 0;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(XLINK_SOURCE_DIR "/arch", error)) {
    if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp")
      continue;
    ++files;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      StringRef text = StringRef(line).ltrim();
      if (!text.consume_front("#include"))
        continue;
      text = text.trim();
      if (text.consume_front("<")) {
        // The standard library's headers have neither a path nor a suffix.
        EXPECT_FALSE(text.contains('/') || text.contains('.')) << line;
        continue;
      }
      ASSERT_TRUE(text.consume_front("\"")) << line;
      EXPECT_TRUE(text.starts_with("arch/") || text.starts_with("llvm/") ||
                  (text.ends_with(".machine.inc\"") && !text.contains('/')))
          << entry.path().filename() << ": " << line;
    }
  }
  EXPECT_FALSE(error);
  EXPECT_GT(files, 5u);
}

TEST(Leaf, EachMachineHasItsFile) {
  std::error_code error;
  size_t machines = 0;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(XLINK_SOURCE_DIR "/arch", error))
    machines += entry.path().extension() == ".machine";
  EXPECT_FALSE(error);
  EXPECT_EQ(machines, 5u);
}

} // namespace
