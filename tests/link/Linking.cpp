//===- Linking.cpp --------------------------------------------------------===//
#include "link/Linking.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink::test {

OutFile quiet(const Linked &linked) { return warned(linked, ""); }

OutFile warned(const Linked &linked, StringRef warnings) {
  EXPECT_EQ(linked.errors, warnings.str());
  EXPECT_EQ(linked.status, 0);
  return OutFile(linked.image());
}

void expectFailure(const Linked &linked, StringRef messages) {
  EXPECT_EQ(linked.errors, messages.str());
  EXPECT_EQ(linked.status, 1);
  EXPECT_TRUE(linked.files.empty()) << "a failed link left an output";
}

static std::string hexText(uint64_t value) { return utohexstr(value, true); }

std::string sectionNames(const OutFile &out) {
  std::vector<std::string> names;
  for (size_t i = 1; i < out.sections.size(); ++i)
    names.push_back(out.sections[i].name);
  return join(names, " ");
}

std::string layoutOf(const OutFile &out) {
  std::string text;
  for (const OutSection &s : out.sections)
    if (s.flags & ELF::SHF_ALLOC)
      text += s.name + " " + hexText(s.address) + " " + hexText(s.size) + "\n";
  return text;
}

std::string symbolNames(const OutFile &out) {
  std::vector<std::string> locals, globals;
  for (size_t i = 1; i < out.symbols.size(); ++i)
    (out.symbols[i].binding == ELF::STB_LOCAL ? locals : globals)
        .push_back(out.symbols[i].name);
  return join(locals, " ") + " | " + join(globals, " ");
}

std::string segmentsOf(const OutFile &out) {
  std::string text;
  for (const OutSegment &s : out.segments) {
    text += s.type == ELF::PT_LOAD  ? "LOAD "
            : s.type == ELF::PT_TLS ? "TLS "
                                    : hexText(s.type) + " ";
    text += s.flags & ELF::PF_R ? "R" : "-";
    text += s.flags & ELF::PF_W ? "W" : "-";
    text += s.flags & ELF::PF_X ? "X" : "-";
    text += " " + hexText(s.address) + " " + hexText(s.fileSize) + " " +
            hexText(s.memSize) + "\n";
  }
  return text;
}

std::string hexDigits(const Bytes &bytes) {
  return toHex(ArrayRef<uint8_t>(bytes), true);
}

std::string bytesOf(const OutFile &out, StringRef section) {
  const OutSection *s = out.section(section);
  return s ? hexDigits(s->bytes) : "none";
}

std::string textOf(const OutFile &out, StringRef section) {
  const OutSection *s = out.section(section);
  return s ? std::string(s->bytes.begin(), s->bytes.end()) : "none";
}

std::string homeOf(const OutFile &out, StringRef symbol) {
  const OutSymbol *s = out.symbol(symbol);
  if (!s)
    return "missing";
  if (s->shndx == ELF::SHN_ABS)
    return "ABS";
  if (s->shndx == ELF::SHN_UNDEF)
    return "UND";
  return s->shndx < out.sections.size() ? out.sections[s->shndx].name : "bad";
}

} // namespace xlink::test
