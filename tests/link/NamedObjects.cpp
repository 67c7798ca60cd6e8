//===- NamedObjects.cpp ---------------------------------------------------===//
#include "link/NamedObjects.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink::test {

Bytes namedObject(StringRef machine,
                  const std::vector<std::string> &definitions,
                  const std::vector<std::string> &references,
                  const std::string &more) {
  const bool is64 = machine == "aphelion";
  const size_t size = is64 ? 8 : 4;
  std::string text =
      "Sections:\n"
      "  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Size: " +
      std::to_string(definitions.size()) + " }\n";
  if (!references.empty())
    text += "  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, "
            "SHF_WRITE ], AddressAlign: " +
            std::to_string(size) +
            ", Size: " + std::to_string(size * references.size()) +
            " }\n"
            "  - Name: .rela.data\n"
            "    Type: SHT_RELA\n"
            "    Info: .data\n"
            "    Relocations:\n";
  for (size_t i = 0; i < references.size(); ++i)
    text += "      - { Offset: " + std::to_string(size * i) +
            ", Symbol: " + references[i] + ", Type: 1 }\n";
  text += "Symbols:\n";
  for (size_t i = 0; i < definitions.size(); ++i)
    text += "  - { Name: " + definitions[i] +
            ", Section: .rodata, Value: " + std::to_string(i) +
            ", Binding: STB_GLOBAL }\n";
  text += more;
  std::vector<std::string> undefined;
  for (const std::string &name : references)
    if (!is_contained(definitions, name) && !is_contained(undefined, name) &&
        !StringRef(more).contains("Name: " + name + ",")) {
      undefined.push_back(name);
      text += "  - { Name: " + name + ", Binding: STB_GLOBAL }\n";
    }
  return is64 ? aphelion(text) : nyuzi(text);
}

std::string addressed(const OutFile &out) {
  const OutSection *data = out.section(".data");
  if (!data)
    return "none";
  const unsigned size = out.is64 ? 8 : 4;
  std::vector<std::string> names;
  for (uint64_t at = 0; at < data->size; at += size) {
    const uint64_t value = out.word(data->address + at, size);
    auto symbol = find_if(out.symbols, [&](const OutSymbol &s) {
      return value && s.value == value && !s.name.empty() &&
             (s.type != 3 /*STT_SECTION*/);
    });
    names.push_back(symbol == out.symbols.end() ? utohexstr(value, true)
                                                : symbol->name);
  }
  return join(names, " ");
}

} // namespace xlink::test
