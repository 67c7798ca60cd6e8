//===- CompareMapsTest.cpp - --compare-maps -------------------------------===//
#include "link/Linking.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace xlink::test {
namespace {

std::string object(StringRef sizes) {
  auto [grows, other] = sizes.split(' ');
  return (R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 0x40 }
  - { Name: .text.grows, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: )" +
          grows + R"( }
  - { Name: .text.other, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 0x20 }
Symbols:
  - { Name: moves, Section: .text, Value: 0x10, Size: 4, Type: STT_FUNC }
  - { Name: _start, Section: .text, Size: 0x10, Type: STT_FUNC, Binding: STB_GLOBAL }
  - { Name: grows, Section: .text.grows, Size: )" +
          grows + R"(, Type: STT_FUNC, Binding: STB_GLOBAL }
  - { Name: )" +
          other +
          R"(, Section: .text.other, Size: 8, Type: STT_FUNC, Binding: STB_GLOBAL }
  - { Name: buffer, Section: .bss, Size: 0x20, Type: STT_OBJECT, Binding: STB_GLOBAL }
)")
      .str();
}

/// Maps of a program before and after: a function grown, one gone, one new, one
/// moved, and a region of another length.
struct Maps {
  LinkHarness links;
  Maps() {
    const char *sections = "SECTIONS { .text : { *(.text.grows) *(.text*) } > "
                           "rom .bss : { *(.bss) } > ram }";
    const std::string ram = " ram : ORIGIN = 0x8000, LENGTH = 1K }\n";
    links.file("old/a.o", nyuzi(object("8 gone")));
    links.file("new/a.o", nyuzi(object("20 fresh")));
    links.file("old.ld",
               "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 4K" + ram + sections);
    links.file("new.ld",
               "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 2K" + ram + sections);
    for (std::string name : {"old", "new"}) {
      Linked linked =
          links.linkAsGiven({"-o", name + ".elf", name + "/a.o", "-T",
                             name + ".ld", "--map-json=" + name + ".json"});
      EXPECT_EQ(linked.errors, "");
      links.file(name + ".json", linked.files[name + ".json"]);
    }
  }
  Linked run(std::vector<std::string> arguments) const {
    return links.linkAsGiven(std::move(arguments));
  }
};

TEST(CompareMaps, Text) {
  const Linked compared =
      Maps().run({"--compare-maps", "old.json", "new.json"});
  EXPECT_EQ(compared.status, 0);
  EXPECT_EQ(compared.errors, "");
  EXPECT_TRUE(compared.files.empty());
  EXPECT_EQ(
      compared.text,
      R"(Sizes in bytes, from old.json (old.elf, nyuzi) to new.json (new.elf, nyuzi)

      Change         Old         New  Memory
         +12          80          92  code
           0           0           0  data with initial values
           0          32          32  data without
         +12         112         124  all, +10.7 %

      Change         Old         New        Free  Memory region
         +12          80          92        1956  rom, length 4096 -> 2048
           0          32          32         992  ram

      Change         Old         New  Output section
         +12          80          92  .text

      Change         Old         New  Object
         +12         112         124  new/a.o

      Change         Old         New  Function or variable
         +12           8          20  grows in new/a.o
          +8           -           8  fresh in new/a.o
          -8           8           -  gone in old/a.o

Functions and variables: 1 grew by 12 bytes, 1 appeared with 8 bytes, 1 vanished with 8 bytes, 2 only moved

moved by +0xc: 2 symbols in .text, _start to moves
)");
}

TEST(CompareMaps, Formats) {
  const Maps maps;
  EXPECT_EQ(maps.run({"--compare-maps=text", "old.json", "new.json"}).text,
            maps.run({"--compare-maps", "old.json", "new.json"}).text);
  EXPECT_EQ(
      maps.run({"--compare-maps=markdown", "old.json", "new.json"}).text,
      R"(**Size: +12 bytes** (112 -> 124, +10.7 %); functions and variables: 1 grew by 12 bytes, 1 appeared with 8 bytes, 1 vanished with 8 bytes, 2 only moved

| Region | Old | New | Change | Free |
|---|---:|---:|---:|---:|
| `rom`, length 4096 -> 2048 | 80 | 92 | +12 | 1956 |
| `ram` | 32 | 32 | 0 | 992 |

<details><summary>Sections, objects, functions and variables</summary>

| Output section | Old | New | Change |
|---|---:|---:|---:|
| `.text` | 80 | 92 | +12 |

| Object | Old | New | Change |
|---|---:|---:|---:|
| `new/a.o` | 112 | 124 | +12 |

| Function or variable | Old | New | Change |
|---|---:|---:|---:|
| `grows` in `new/a.o` | 8 | 20 | +12 |
| `fresh` in `new/a.o` | - | 8 | +8 |
| `gone` in `old/a.o` | 8 | - | -8 |

| Moved by | Symbols | Output section | First and last |
|---:|---:|---|---|
| +0xc | 2 | `.text` | `_start to moves` |

</details>
)");
  const std::string json =
      maps.run({"--compare-maps=json", "old.json", "new.json"}).text;
  Expected<json::Value> value = json::parse(json);
  ASSERT_TRUE(bool(value)) << toString(value.takeError());
  const json::Object &o = *value->getAsObject();
  EXPECT_EQ(o.getString("format"), StringRef("xlink map comparison"));
  EXPECT_EQ(o.getArray("moved")->size(), 2u);
  EXPECT_EQ(o.getArray("symbols")->size(), 3u);
}

TEST(CompareMaps, NoDifference) {
  const Linked compared =
      Maps().run({"--compare-maps", "old.json", "old.json"});
  EXPECT_EQ(compared.status, 0);
  EXPECT_EQ(compared.text, "Sizes in bytes, from old.json (old.elf, nyuzi) to "
                           "old.json (old.elf, nyuzi)\nno difference\n");
}

TEST(CompareMaps, Trouble) {
  const Maps maps;
  auto refused = [&](std::vector<std::string> arguments,
                     const std::string &text) {
    const Linked compared = maps.run(std::move(arguments));
    EXPECT_EQ(compared.status, 1);
    EXPECT_EQ(compared.text, "");
    EXPECT_EQ(compared.errors, text);
  };
  const std::string count =
      " inputs; it takes two files of --map-json, the older one first\n";
  const std::string option =
      "xlink: error: option '--compare-maps': there are ";
  refused({"--compare-maps"}, option + "0" + count);
  refused({"--compare-maps", "old.json"}, option + "1" + count);
  refused({"--compare-maps", "old.json", "old.json", "new.json"},
          option + "3" + count);
  refused({"--compare-maps", "old.json", "old.json", "-lx"},
          option + "3" + count);
  refused({"--compare-maps=html", "old.json", "new.json"},
          "xlink: error: option '--compare-maps': 'html' is none of text, "
          "json, markdown\n");
  refused({"--compare-maps", "none.json", "old.ld"},
          "xlink: error: cannot open none.json: No such file or directory\n"
          "xlink: error: old.ld:1:1: no JSON: a value is expected\n");
}

} // namespace
} // namespace xlink::test
