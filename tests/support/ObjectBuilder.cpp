//===- ObjectBuilder.cpp --------------------------------------------------===//
#include "support/ObjectBuilder.h"
#include "arch/Target.h"
#include "llvm/Object/ELF.h"
#include "llvm/ObjectYAML/yaml2obj.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace xlink::test {

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

std::string yamlHeader(StringRef machine, StringRef type) {
  const Target *target = findTarget(machine);
  if (!target) {
    ADD_FAILURE() << "no machine " << machine.str();
    return "";
  }
  return std::string("--- !ELF\nFileHeader:\n  Class: ELFCLASS") +
         (target->is64 ? "64" : "32") +
         "\n  Data: ELFDATA2LSB\n  Type: " + type.str() +
         "\n  Machine: " + std::to_string(target->machines.front()) + "\n";
}

Bytes objectFromYaml(StringRef yaml, std::optional<uint32_t> eflags) {
  std::string out, messages;
  raw_string_ostream stream(out);
  yaml::Input input(yaml);
  bool good = yaml::convertYAML(input, stream, [&](const Twine &message) {
    messages += message.str() + "\n";
  });
  if (!good) {
    ADD_FAILURE() << "yaml2obj: " << messages << "in\n" << yaml.str();
    return {};
  }
  Bytes bytes(out.begin(), out.end());
  if (eflags)
    setEFlags(bytes, *eflags);
  return bytes;
}

Bytes machineObject(StringRef machine, StringRef body,
                    std::optional<uint32_t> eflags) {
  return objectFromYaml(yamlHeader(machine) + body.str(), eflags);
}

void poke(Bytes &bytes, uint64_t offset, uint64_t value, unsigned size) {
  ASSERT_LE(offset + size, bytes.size());
  for (unsigned i = 0; i < size; ++i)
    bytes[offset + i] = uint8_t(value >> (8 * i));
}

void setEFlags(Bytes &object, uint32_t flags) {
  bool is64 = object.at(ELF::EI_CLASS) == ELF::ELFCLASS64;
  poke(object, is64 ? 48 : 36, flags, 4);
}
void setMachine(Bytes &object, uint16_t machine) {
  poke(object, 18, machine, 2);
}
void setOsAbi(Bytes &object, uint8_t osabi) {
  object.at(ELF::EI_OSABI) = osabi;
}

uint64_t sectionHeaderOffset(const Bytes &object, uint32_t index) {
  using namespace llvm::object;
  if (object.at(ELF::EI_CLASS) == ELF::ELFCLASS64)
    return reinterpret_cast<const ELF64LE::Ehdr *>(object.data())->e_shoff +
           uint64_t(index) * sizeof(ELF64LE::Shdr);
  return reinterpret_cast<const ELF32LE::Ehdr *>(object.data())->e_shoff +
         uint64_t(index) * sizeof(ELF32LE::Shdr);
}

//===----------------------------------------------------------------------===//
// Archives
//===----------------------------------------------------------------------===//

template <class ELFT>
static void collectSymbols(StringRef bytes, std::vector<std::string> &names) {
  auto file = cantFail(object::ELFFile<ELFT>::create(bytes));
  for (const auto &section : cantFail(file.sections())) {
    if (section.sh_type != ELF::SHT_SYMTAB)
      continue;
    StringRef strings = cantFail(file.getStringTableForSymtab(section));
    for (const auto &symbol : cantFail(file.symbols(&section)))
      if (symbol.getBinding() != ELF::STB_LOCAL &&
          symbol.st_shndx != ELF::SHN_UNDEF)
        names.push_back(cantFail(symbol.getName(strings)).str());
  }
}

static std::vector<std::string> definedSymbols(const Bytes &object) {
  std::vector<std::string> names;
  StringRef bytes(reinterpret_cast<const char *>(object.data()), object.size());
  if (!bytes.starts_with(ELF::ElfMagic))
    return names;
  if (object[ELF::EI_CLASS] == ELF::ELFCLASS64)
    collectSymbols<object::ELF64LE>(bytes, names);
  else
    collectSymbols<object::ELF32LE>(bytes, names);
  return names;
}

static std::string field(const std::string &text, size_t width) {
  std::string s = text;
  s.resize(std::max(width, text.size()), ' ');
  return s;
}

static std::string header(const std::string &name, uint64_t size) {
  return field(name, 16) + field("0", 12) + field("0", 6) + field("0", 6) +
         field("644", 8) + field(std::to_string(size), 10) + "`\n";
}

static std::string number(uint64_t value, unsigned size, bool big) {
  std::string s;
  for (unsigned i = 0; i < size; ++i)
    s += char(value >> (8 * (big ? size - 1 - i : i)));
  return s;
}

static void pad(std::string &s) {
  if (s.size() % 2)
    s += '\n';
}

Bytes makeArchive(const std::vector<MemberSpec> &members, ArchiveFormat format,
                  bool withIndex) {
  bool bsd = format == ArchiveFormat::Bsd || format == ArchiveFormat::Bsd64;
  bool thin = format == ArchiveFormat::Thin;
  unsigned word =
      format == ArchiveFormat::Gnu64 || format == ArchiveFormat::Bsd64 ? 8 : 4;

  // The chain of members without what stands before it, and where each begins.
  std::string chain, longNames;
  std::vector<uint64_t> offsets;
  for (const MemberSpec &member : members) {
    offsets.push_back(chain.size());
    if (bsd) {
      chain += header(std::string("#1/") + std::to_string(member.name.size()),
                      member.name.size() + member.data.size()) +
               member.name;
    } else if (!thin && member.name.size() < 16) {
      chain += header(member.name + "/", member.data.size());
    } else {
      chain += header(std::string("/") + std::to_string(longNames.size()),
                      member.data.size());
      longNames += member.name + "/\n";
    }
    if (!thin)
      chain.append(member.data.begin(), member.data.end());
    pad(chain);
  }

  std::string nameTable;
  if (!longNames.empty()) {
    nameTable = header("//", longNames.size()) + longNames;
    pad(nameTable);
  }

  // The index has the same size whatever the offsets in it are.
  std::vector<std::pair<std::string, size_t>> symbols;
  for (size_t i = 0; i < members.size() && withIndex; ++i)
    for (std::string &name : definedSymbols(members[i].data))
      symbols.push_back({std::move(name), i});
  auto makeIndex = [&](uint64_t chainStart) {
    std::string data, strings;
    if (!withIndex)
      return data;
    if (bsd) {
      data = number(symbols.size() * 2 * word, word, false);
      for (auto &[name, member] : symbols) {
        data += number(strings.size(), word, false) +
                number(chainStart + offsets[member], word, false);
        strings += name + '\0';
      }
      data += number(strings.size(), word, false) + strings;
      data =
          header(word == 8 ? "__.SYMDEF_64" : "__.SYMDEF", data.size()) + data;
    } else {
      data = number(symbols.size(), word, true);
      for (auto &[name, member] : symbols) {
        data += number(chainStart + offsets[member], word, true);
        strings += name + '\0';
      }
      data += strings;
      data = header(word == 8 ? "/SYM64/" : "/", data.size()) + data;
    }
    pad(data);
    return data;
  };
  std::string out = thin ? "!<thin>\n" : "!<arch>\n";
  uint64_t start = out.size() + makeIndex(0).size() + nameTable.size();
  out += makeIndex(start) + nameTable + chain;
  return Bytes(out.begin(), out.end());
}

Bytes readTestFile(const std::string &path) {
  auto buffer = MemoryBuffer::getFile(path, false, false);
  if (!buffer) {
    ADD_FAILURE() << path << ": " << buffer.getError().message();
    return {};
  }
  return Bytes((*buffer)->getBufferStart(), (*buffer)->getBufferEnd());
}

} // namespace xlink::test
