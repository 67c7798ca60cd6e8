//===- CallObject.cpp -----------------------------------------------------===//
#include "support/CallObject.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <set>

using namespace llvm;

namespace xlink::test {
namespace {

/// Relocation types of calls, of branches and of addresses in data.
struct Kinds {
  const char *machine;
  unsigned call, branch, data, addressSize, instructionSize;
};
constexpr Kinds kKinds[] = {{"nyuzi", 3, 2, 1, 4, 4},
                            {"aphelion", 3, 3, 2, 8, 4},
                            {"dpu", 138, 128, 1, 4, 8},
                            {"colossus", 8, 8, 4, 4, 4}};

class Builder {
public:
  explicit Builder(const Kinds &kinds) : kinds(kinds) {}
  void line(StringRef text);
  std::string yaml();

private:
  void relocate(const std::string &section, ArrayRef<StringRef> targets);
  void addStackSize(StringRef name, uint64_t bytes);

  const Kinds &kinds;
  std::string sections, locals, globals;
  std::set<std::string> defined, referenced;
  unsigned count = 0;
};

} // namespace

/// A relocation for each word of targets, one behind the other; in code behind
/// a first instruction, as a function that calls itself does not begin with
/// that.
void Builder::relocate(const std::string &section,
                       ArrayRef<StringRef> targets) {
  raw_string_ostream out(sections);
  out << "  - Name: '.rela" << section << "'\n    Type: SHT_RELA\n    Info: '"
      << section << "'\n    Relocations:\n";
  unsigned offset =
      StringRef(section).starts_with(".text") ? kinds.instructionSize : 0;
  for (StringRef target : targets) {
    unsigned type = kinds.call, size = kinds.instructionSize;
    if (target.consume_front("~"))
      type = kinds.branch;
    if (target.consume_front("&")) {
      type = kinds.data;
      size = kinds.addressSize;
    }
    out << "      - { Offset: " << offset << ", Symbol: '" << target
        << "', Type: " << type << " }\n";
    referenced.insert(target.str());
    offset += size;
  }
}

void Builder::addStackSize(StringRef name, uint64_t bytes) {
  uint8_t number[16];
  const unsigned length = encodeULEB128(bytes, number);
  const std::string section = ".stack_sizes (" + std::to_string(count++) + ")";
  raw_string_ostream out(sections);
  out << "  - { Name: '" << section
      << "', Type: SHT_PROGBITS, Flags: [ SHF_LINK_ORDER ], Link: '.text."
      << name << "', Content: '" << std::string(2 * kinds.addressSize, '0')
      << toHex(ArrayRef(number, length)) << "' }\n";
  out.flush();
  const std::string target = ("&" + name).str();
  relocate(section, {StringRef(target)});
}

void Builder::line(StringRef text) {
  SmallVector<StringRef, 8> words;
  SplitString(text, words);
  if (words.empty())
    return;
  ArrayRef<StringRef> rest = words;
  raw_string_ostream out(sections);
  if (rest.front() == "*") {
    const std::string section = ".data." + std::to_string(count++);
    std::vector<std::string> targets;
    for (StringRef target : rest.drop_front())
      targets.push_back(("&" + target).str());
    out << "  - { Name: " << section
        << ", Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], "
           "AddressAlign: 8, Size: "
        << kinds.addressSize * targets.size() << " }\n";
    out.flush();
    return relocate(section,
                    SmallVector<StringRef, 4>(targets.begin(), targets.end()));
  }
  const bool local = rest.front() == "local";
  if (local)
    rest = rest.drop_front();
  ASSERT_GE(rest.size(), 2u) << text.str();
  const StringRef name = rest[0];
  uint64_t bytes = 0;
  const bool known = !rest[1].getAsInteger(10, bytes);
  rest = rest.drop_front(2);
  const size_t size = 8 * (rest.size() + 1);
  out << "  - { Name: '.text." << name
      << "', Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], "
         "AddressAlign: 8, Size: "
      << size << " }\n";
  (local ? locals : globals) +=
      ("  - { Name: '" + name + "', Type: STT_FUNC, Section: '.text." + name +
       "', Size: " + std::to_string(size) +
       (local ? "" : ", Binding: STB_GLOBAL") + " }\n")
          .str();
  defined.insert(name.str());
  out.flush();
  if (!rest.empty())
    relocate((".text." + name).str(), rest);
  if (known)
    addStackSize(name, bytes);
}

std::string Builder::yaml() {
  for (const std::string &name : referenced)
    if (!defined.count(name))
      globals += "  - { Name: '" + name + "', Binding: STB_GLOBAL }\n";
  return "Sections:\n" + sections + "Symbols:\n" + locals + globals;
}

Bytes callObject(StringRef machine, StringRef lines) {
  for (const Kinds &kinds : kKinds)
    if (machine == kinds.machine) {
      Builder builder(kinds);
      SmallVector<StringRef, 16> list;
      lines.split(list, '\n');
      for (StringRef line : list)
        builder.line(line);
      return machineObject(machine, builder.yaml());
    }
  ADD_FAILURE() << "no machine " << machine.str();
  return {};
}

} // namespace xlink::test
