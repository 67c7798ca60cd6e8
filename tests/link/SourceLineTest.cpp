//===- SourceLineTest.cpp - the lines of places in messages ---------------===//
//
// Objects with DWARF are written here, byte by byte, for each version and
// format: no compiler for these machines is at hand. What is relocated has
// zeros in its place, so a line that comes out right has been relocated.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

/// How to write the DWARF of an object.
struct Form {
  const char *machine;
  unsigned version;
  bool dwarf64 = false;
  bool compressed = false;
};

/// The bytes of a section, and where they are relocated.
class Blob {
public:
  explicit Blob(const Form &form) : form(form) {}

  bool is64() const { return StringRef(form.machine) == "aphelion"; }
  unsigned addressSize() const { return is64() ? 8 : 4; }
  unsigned offsetSize() const { return form.dwarf64 ? 8 : 4; }
  Blob &number(uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i)
      bytes += char(value >> (8 * i));
    return *this;
  }
  Blob &raw(std::initializer_list<uint8_t> list) {
    bytes.append(list.begin(), list.end());
    return *this;
  }
  Blob &text(StringRef s) {
    bytes += s.str() + '\0';
    return *this;
  }
  Blob &address(StringRef section) {
    return relocated(section, 0, addressSize());
  }
  /// An offset in a section of DWARF. Aphelion has no relocation of four bytes,
  /// so there its objects hold the number.
  Blob &offset(StringRef section, uint64_t value) {
    if (is64() && !form.dwarf64)
      return number(value, 4);
    return relocated(section, value, offsetSize());
  }
  /// `body` behind its length.
  Blob &sized(const Blob &body) {
    if (form.dwarf64)
      number(0xffffffff, 4);
    number(body.bytes.size(), offsetSize());
    return append(body);
  }
  Blob &append(const Blob &other) {
    for (const auto &[at, entry] : other.relocations)
      relocations.push_back({bytes.size() + at, entry});
    bytes += other.bytes;
    return *this;
  }
  size_t size() const { return bytes.size(); }
  std::string yaml(StringRef name) const;

private:
  Blob &relocated(StringRef section, uint64_t addend, unsigned size) {
    const bool dpuDouble = StringRef(form.machine) == "dpu" && size == 8;
    const int type = is64() ? 2 : dpuDouble ? 4 : 1;
    relocations.push_back(
        {bytes.size(), "Symbol: " + section.str() +
                           ", Type: " + std::to_string(type) +
                           ", Addend: " + std::to_string(addend) + " }\n"});
    return number(0, size);
  }

  const Form form;
  std::string bytes;
  std::vector<std::pair<size_t, std::string>> relocations;
};

std::string Blob::yaml(StringRef name) const {
  std::string contents = bytes, flags;
  if (form.compressed) {
    SmallVector<uint8_t, 0> packed;
    compression::zlib::compress(arrayRefFromStringRef(bytes), packed);
    Blob header({form.machine, 4});
    header.number(1, 4);
    if (is64())
      header.number(0, 4);
    header.number(bytes.size(), addressSize()).number(1, addressSize());
    contents = header.bytes + toStringRef(packed).str();
    flags = ", Flags: [ SHF_COMPRESSED ]";
  }
  std::string text = "  - { Name: " + name.str() + ", Type: SHT_PROGBITS" +
                     flags + ", Content: '" + toHex(contents) + "' }\n";
  if (relocations.empty())
    return text;
  text += "  - Name: .rela" + name.str() +
          "\n    Type: SHT_RELA\n    Info: " + name.str() +
          "\n    Relocations:\n";
  for (const auto &[at, entry] : relocations)
    text += "      - { Offset: " + std::to_string(at) + ", " + entry;
  return text;
}

/// .text: line 12 of src/work.c, from byte 4 on line 17; .text.far: line 30.
Blob lineTable(const Form &form) {
  Blob header(form), program(form), unit(form), table(form);
  header.raw({1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1});
  if (form.version == 5) {
    header.raw({1, 1, 0x1f, 2}); // directories: a path in .debug_line_str
    header.offset(".debug_line_str", 0).offset(".debug_line_str", 9);
    header.raw({2, 1, 8, 2, 11, 2}); // files: a path, and its directory
    for (int i = 0; i < 2; ++i)
      header.text("work.c").raw({1});
  } else {
    header.text("src").raw({0}).text("work.c").raw({1, 0, 0, 0});
  }
  auto begin = [&](StringRef section, uint8_t lines) {
    program.raw({0, uint8_t(1 + program.addressSize()), 2}).address(section);
    program.raw({3, lines, 1});
  };
  begin(".text", 11);
  program.raw({2, 4, 3, 5, 1, 2, 4, 0, 1, 1});
  begin(".text.far", 29);
  program.raw({2, 4, 0, 1, 1});
  unit.number(form.version, 2);
  if (form.version == 5)
    unit.raw({uint8_t(unit.addressSize()), 0});
  unit.number(header.size(), unit.offsetSize()).append(header).append(program);
  return table.sized(unit);
}

/// The unit, with a variable at .data that line 40 declares.
Blob units(const Form &form) {
  Blob unit(form), info(form);
  unit.number(form.version, 2);
  if (form.version == 5)
    unit.raw({1, uint8_t(unit.addressSize())}).offset(".debug_abbrev", 0);
  else
    unit.offset(".debug_abbrev", 0).raw({uint8_t(unit.addressSize())});
  unit.raw({1}).text("work.c").offset(".debug_line", 0).text("/home/me");
  unit.raw({2}).text("table").raw({1, 40});
  unit.raw({uint8_t(1 + unit.addressSize()), 3}).address(".data").raw({0});
  return info.sized(unit);
}

constexpr const char *kSymbols = R"(Symbols:
  - { Name: .text, Type: STT_SECTION, Section: .text }
  - { Name: .text.far, Type: STT_SECTION, Section: .text.far }
  - { Name: .data, Type: STT_SECTION, Section: .data }
  - { Name: .debug_abbrev, Type: STT_SECTION, Section: .debug_abbrev }
  - { Name: .debug_line, Type: STT_SECTION, Section: .debug_line }
  - { Name: .debug_line_str, Type: STT_SECTION, Section: .debug_line_str }
  - { Name: f, Type: STT_FUNC, Section: .text, Size: 8, Binding: STB_GLOBAL }
  - { Name: far, Type: STT_FUNC, Section: .text.far, Size: 4, Binding: STB_GLOBAL }
  - { Name: table, Type: STT_OBJECT, Section: .data, Size: 16, Binding: STB_GLOBAL }
)";

std::string relocationAt(StringRef section, unsigned offset, StringRef symbol,
                         unsigned type) {
  return "  - Name: .rela" + section.str() +
         "\n    Type: SHT_RELA\n    Info: " + section.str() +
         "\n    Relocations:\n      - { Offset: " + std::to_string(offset) +
         ", Symbol: " + symbol.str() + ", Type: " + std::to_string(type) +
         " }\n";
}

/// An object with f, far and table. `code` and `symbols` are further sections
/// and symbols.
std::string describe(const Form &form, StringRef code = "",
                     StringRef symbols = "") {
  Blob abbreviations(form), strings(form);
  abbreviations.raw({1, 0x11, 1, 3, 8, 0x10, 0x17, 0x1b, 8, 0, 0});
  abbreviations.raw({2, 0x34, 0, 3, 8, 0x3a, 11, 0x3b, 11, 2, 0x18, 0, 0, 0});
  strings.text("/home/me").text("src");
  return R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 16 }
  - { Name: .text.far, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 8 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Size: 16 }
)" + code.str() +
         abbreviations.yaml(".debug_abbrev") + units(form).yaml(".debug_info") +
         lineTable(form).yaml(".debug_line") + strings.yaml(".debug_line_str") +
         kSymbols + symbols.str();
}

Bytes object(const Form &form, const std::string &text) {
  return StringRef(form.machine) == "dpu" ? dpu(text)
                                          : machineObject(form.machine, text);
}

/// References to `missing` from f, far and table.
Bytes needy(const Form &form) {
  const unsigned type = StringRef(form.machine) == "aphelion" ? 2 : 1;
  return object(form,
                describe(form,
                         relocationAt(".text", 4, "missing", type) +
                             relocationAt(".text.far", 0, "missing", type) +
                             relocationAt(".data", 8, "missing", type),
                         "  - { Name: missing, Binding: STB_GLOBAL }\n"));
}

class SourceLine : public testing::TestWithParam<Form> {};

TEST_P(SourceLine, OfReferences) {
  expectFailure(
      LinkHarness().file("a.o", needy(GetParam())).link({"-e", "f", "a.o"}),
      "xlink: error: undefined symbol: missing\n"
      ">>> referenced by a.o:(.text+0x4) in f at src/work.c:17\n"
      ">>> referenced by a.o:(.text.far+0x0) in far at src/work.c:30\n"
      ">>> referenced by a.o:(.data+0x8) in table at src/work.c:40\n");
}

std::vector<Form> forms() {
  std::vector<Form> list;
  for (const char *machine : {"nyuzi", "dpu", "aphelion"})
    for (unsigned version : {4, 5})
      for (bool dwarf64 : {false, true})
        // Nyuzi has no relocation of eight bytes.
        if (!dwarf64 || StringRef(machine) != "nyuzi")
          list.push_back({machine, version, dwarf64});
  list.push_back({"dpu", 5, false, true});
  return list;
}

INSTANTIATE_TEST_SUITE_P(Forms, SourceLine, testing::ValuesIn(forms()),
                         [](const testing::TestParamInfo<Form> &info) {
                           const Form &f = info.param;
                           return std::string(f.machine) + "Dwarf" +
                                  std::to_string(f.version) +
                                  (f.dwarf64 ? "Of64Bits" : "") +
                                  (f.compressed ? "Packed" : "");
                         });

constexpr Form kForm = {"dpu", 5};

TEST(SourceLines, OfDefinitions) {
  const Bytes twice = dpu(describe(kForm));
  expectFailure(LinkHarness()
                    .file("a.o", twice)
                    .file("b.o", twice)
                    .link({"-e", "f", "a.o", "b.o"}),
                "xlink: error: duplicate symbol: f\n"
                ">>> defined in a.o:(.text+0x0) at src/work.c:12\n"
                ">>> defined in b.o:(.text+0x0) at src/work.c:12\n"
                "xlink: error: duplicate symbol: far\n"
                ">>> defined in a.o:(.text.far+0x0) at src/work.c:30\n"
                ">>> defined in b.o:(.text.far+0x0) at src/work.c:30\n"
                "xlink: error: duplicate symbol: table\n"
                ">>> defined in a.o:(.data+0x0) at src/work.c:40\n"
                ">>> defined in b.o:(.data+0x0) at src/work.c:40\n");
}

TEST(SourceLines, OfRelocationErrors) {
  expectFailure(
      LinkHarness()
          .file("a.o",
                dpu(describe(kForm, relocationAt(".text", 4, "big", 2),
                             "  - { Name: big, Binding: STB_GLOBAL }\n")))
          .link({"--no-warn-entry", "-e", "f", "--defsym=big=0x12345", "a.o"}),
      "xlink: error: a.o:(.text+0x4): relocation R_DPU_8 out of range: S "
      "0x12345 + A 0 = 0x12345, mapped to 0x12345 = 74565; the field holds "
      "-128..255\n"
      ">>> at src/work.c:17\n"
      ">>> references 'big', assigned by a script or --defsym\n");
}

/// Answers have them as messages do; JSON takes them apart.
TEST(SourceLines, OfWhatKeepsSomethingAlive) {
  const Linked linked =
      LinkHarness()
          .file("a.o",
                dpu(describe(kForm, relocationAt(".text", 4, "far", 1), "")))
          .link({"--gc-sections", "--no-warn-entry", "-e", "f", "a.o",
                 "--why-live=far", "--answers-json=a.json"});
  EXPECT_EQ(linked.text, "why live: far in a.o:(.text.far)\n"
                         "    entry symbol f, by -e: a.o:(.text+0x0)\n"
                         "    a.o:(.text+0x4) in f refers to far, R_DPU_32, at "
                         "src/work.c:17\n");
  const Bytes &file = linked.files.at("a.json");
  const std::string answers(file.begin(), file.end());
  EXPECT_NE(answers.find("\"file\": \"src/work.c\""), std::string::npos);
  EXPECT_NE(answers.find("\"line\": 17"), std::string::npos);
}

TEST(SourceLines, OfReferencesToDiscardedSections) {
  expectFailure(
      LinkHarness()
          .file("a.o",
                dpu(describe(kForm, relocationAt(".text", 4, "far", 1), "")))
          .file("s.ld", "SECTIONS { .text : { *(.text) } .data : { *(.data) } "
                        "/DISCARD/ : { *(.text.far) } }")
          .link({"--no-warn-entry", "-e", "f", "-T", "s.ld", "a.o"}),
      "xlink: error: a.o:(.text+0x4): relocation refers to a symbol in a "
      "discarded section: 'far'\n"
      ">>> at src/work.c:17\n"
      ">>> references 'far' defined in a.o:(.text.far+0x0) at "
      "src/work.c:30\n");
}

TEST(SourceLines, OfProhibitedReferences) {
  expectFailure(
      LinkHarness()
          .file("a.o",
                dpu(describe(kForm, relocationAt(".text", 4, "far", 1), "")))
          .file("s.ld", "SECTIONS { .text : { *(.text) } .far : { *(.text.far) "
                        "} .data : { *(.data) } } NOCROSSREFS(.text .far)")
          .link({"--no-warn-entry", "-e", "f", "-T", "s.ld", "a.o"}),
      "xlink: error: a.o:(.text+0x4): prohibited cross reference from '.text' "
      "to 'far' in '.far'\n"
      ">>> at src/work.c:17\n");
}

/// Stripping takes them from the output, not from messages.
TEST(SourceLines, WithoutDebuggingSectionsInTheOutput) {
  const Linked linked =
      LinkHarness().file("a.o", needy(kForm)).link({"-e", "f", "-S", "a.o"});
  EXPECT_NE(linked.errors.find("at src/work.c:17"), std::string::npos)
      << linked.errors;
}

/// Whatever DWARF says: no line or some line, but the error and nothing else.
TEST(SourceLines, DamagedDwarfIsSilence) {
  for (unsigned version : {4, 5}) {
    const Bytes sound = needy({"dpu", version});
    testing::internal::CaptureStderr();
    for (const char *start : {"work.c", "\x01\x11\x01\x03"}) {
      const size_t near =
          StringRef((const char *)sound.data(), sound.size()).find(start);
      ASSERT_NE(near, StringRef::npos);
      // All values at all places: the fuzz target of DWARF lines.
      constexpr uint8_t kValues[] = {0x00, 0x7f, 0x80, 0xff};
      for (size_t i = near - 40; i < std::min(near + 120, sound.size()); ++i) {
        Bytes damaged = sound;
        damaged[i] = kValues[i % std::size(kValues)];
        const Linked linked =
            LinkHarness().file("a.o", damaged).link({"-e", "f", "a.o"});
        EXPECT_EQ(linked.status, 1) << i;
        EXPECT_TRUE(StringRef(linked.errors).starts_with("xlink: error: "))
            << linked.errors;
      }
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  }
}

/// A link that says nothing needs no lines, and none is in what it prints.
TEST(SourceLines, NotWithoutDwarf) {
  expectFailure(LinkHarness()
                    .file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Size: 4 }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0, Symbol: missing, Type: 1 } ] }
Symbols:
  - { Name: f, Section: .text, Binding: STB_GLOBAL }
  - { Name: missing, Binding: STB_GLOBAL }
)"))
                    .link({"-e", "f", "a.o"}),
                "xlink: error: undefined symbol: missing\n"
                ">>> referenced by a.o:(.text+0x0)\n");
}

} // namespace
} // namespace xlink::test
