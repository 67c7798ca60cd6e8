//===- DiffFiles.cpp ------------------------------------------------------===//
#include "link/DiffFiles.h"

using namespace llvm;

namespace xlink::test {

Words wordsOfLongerEarly() { return {.early = "01000000aaaaaaaa02000000"}; }

const char *const kEarlyGrew =
    R"(2 files differ: 1 field of the ELF header, 2 properties of segments, 1 section, 1 grew, 2 symbols moved; 4 bytes really differ, 1 because of moved targets

ELF header
  entry: 0x1008 (_start) -> 0x100c (_start)

Segments
  LOAD 0 bytes in the file: 32 -> 36
  LOAD 0 bytes in memory: 32 -> 36

Section .text
  size: 32 -> 36
  early grew by 4 bytes, from 8 to 12: 4 equal at the beginning, 4 at the end; at +0x4, 0 bytes became 4
  moved by +0x4: _start (0x1008), work::run(int) (0x1018)

Section .data
)";

Bytes program(const Words &words) {
  const size_t early = words.early.size() / 2;
  auto at = [&](size_t offset) { return std::to_string(early + offset); };
  return nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: ')" +
               words.early + "000000f80000004f00000000" + words.constant +
               R"(0300000004000000' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: ')" +
               words.value + R"(00000000' }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: )" +
               at(0) + ", Symbol: _ZN4work3runEi, Type: 3 }, { Offset: " +
               at(4) + ", Symbol: value, Type: 4 }, { Offset: " + at(8) +
               R"(, Symbol: value, Type: 5 } ] }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 4, Symbol: _ZN4work3runEi, Type: 1 } ] }
Symbols:
  - { Name: early, Section: .text, Type: STT_FUNC, Size: )" +
               at(0) + R"( }
  - { Name: _start, Section: .text, Type: STT_FUNC, Binding: STB_GLOBAL, Value: )" +
               at(0) + R"(, Size: 16 }
  - { Name: _ZN4work3runEi, Section: .text, Type: STT_FUNC, Binding: STB_GLOBAL, Value: )" +
               at(16) + R"(, Size: 8 }
  - { Name: value, Section: .data, Type: STT_OBJECT, Binding: STB_GLOBAL, Size: 4 }
  - { Name: pointer, Section: .data, Type: STT_OBJECT, Binding: STB_GLOBAL, Value: 4, Size: 4 }
)" + words.more);
}

Bytes linked(const Words &words, const std::vector<std::string> &more) {
  LinkHarness links;
  links.file("a.o", program(words));
  std::vector<std::string> arguments = {"-o", "out", "a.o"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Linked result = links.linkAsGiven(arguments);
  EXPECT_EQ(result.errors, "");
  return result.image();
}

Linked diffOf(const Bytes &a, const Bytes &b,
              std::vector<std::string> options) {
  LinkHarness files;
  files.file("a.elf", a).file("b.elf", b);
  options.insert(options.begin(), "--diff");
  options.insert(options.end(), {"a.elf", "b.elf"});
  return files.linkAsGiven(options);
}

void expectDiff(const Linked &result, StringRef text) {
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.text, ("--- a.elf\n+++ b.elf\n" + text).str());
}

json::Object countsOf(const Bytes &a, const Bytes &b,
                      std::vector<std::string> options) {
  options.push_back("--diff=json");
  const Linked result = diffOf(a, b, std::move(options));
  EXPECT_EQ(result.errors, "");
  Expected<json::Value> value = json::parse(result.text);
  if (!value) {
    ADD_FAILURE() << toString(value.takeError()) << "\n" << result.text;
    return {};
  }
  const json::Object &object = *value->getAsObject();
  EXPECT_EQ(object.getString("format"), "xlink diff");
  EXPECT_EQ(object.getInteger("version"), 1);
  EXPECT_EQ(object.getBoolean("differ"), result.status == 1);
  return *object.getObject("counts");
}

} // namespace xlink::test
