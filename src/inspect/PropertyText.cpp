//===- PropertyText.cpp ---------------------------------------------------===//
#include "inspect/PropertyText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

namespace {

struct Word {
  uint64_t value;
  const char *text;
};

std::string wordFor(ArrayRef<Word> words, uint64_t value) {
  for (const Word &word : words)
    if (word.value == value)
      return word.text;
  return hex(value);
}

} // namespace

std::string fileTypeText(uint16_t type) {
  static constexpr Word kWords[] = {{ET_NONE, "none"},
                                    {ET_REL, "relocatable"},
                                    {ET_EXEC, "executable"},
                                    {ET_DYN, "shared"},
                                    {ET_CORE, "core"}};
  return wordFor(kWords, type);
}

std::string segmentTypeText(uint32_t type) {
  static constexpr Word kWords[] = {{PT_NULL, "NULL"},
                                    {PT_LOAD, "LOAD"},
                                    {PT_DYNAMIC, "DYNAMIC"},
                                    {PT_INTERP, "INTERP"},
                                    {PT_NOTE, "NOTE"},
                                    {PT_PHDR, "PHDR"},
                                    {PT_TLS, "TLS"},
                                    {PT_GNU_EH_FRAME, "GNU_EH_FRAME"},
                                    {PT_GNU_STACK, "GNU_STACK"},
                                    {PT_GNU_RELRO, "GNU_RELRO"}};
  return wordFor(kWords, type);
}

std::string segmentFlagsText(uint32_t flags) {
  std::string text;
  for (const Word &word : {Word{PF_R, "R"}, {PF_W, "W"}, {PF_X, "X"}})
    if (flags & word.value)
      text += word.text;
  if (const uint32_t rest = flags & ~uint32_t(PF_R | PF_W | PF_X))
    text += (text.empty() ? "" : " ") + hex(rest);
  return text.empty() ? "none" : text;
}

std::string sectionTypeText(uint32_t type) {
  StringRef name = object::getELFSectionTypeName(EM_NONE, type);
  return name.consume_front("SHT_") ? name.str() : hex(type);
}

std::string sectionFlagsText(const Target &target, uint64_t flags) {
  static constexpr Word kLetters[] = {
      {SHF_WRITE, "W"},      {SHF_ALLOC, "A"},      {SHF_EXECINSTR, "X"},
      {SHF_MERGE, "M"},      {SHF_STRINGS, "S"},    {SHF_INFO_LINK, "I"},
      {SHF_LINK_ORDER, "L"}, {SHF_GROUP, "G"},      {SHF_TLS, "T"},
      {SHF_COMPRESSED, "C"}, {SHF_GNU_RETAIN, "R"}, {SHF_EXCLUDE, "E"}};
  std::string text;
  auto take = [&](uint64_t flag, StringRef name) {
    if (!flag || (flags & flag) != flag)
      return;
    flags &= ~flag;
    text += name;
  };
  std::string own;
  for (const SectionFlagName &name : target.sectionFlags)
    if (name.flag && (flags & name.flag) == name.flag) {
      flags &= ~name.flag;
      own += std::string(" ") + name.name;
    }
  for (const Word &letter : kLetters)
    take(letter.value, letter.text);
  text += own;
  if (flags)
    text += " " + hex(flags);
  return text.empty() ? "none" : StringRef(text).trim().str();
}

std::string symbolTypeText(uint8_t type) {
  static constexpr Word kWords[] = {
      {STT_NOTYPE, "none"},     {STT_OBJECT, "object"}, {STT_FUNC, "function"},
      {STT_SECTION, "section"}, {STT_FILE, "file"},     {STT_COMMON, "common"},
      {STT_TLS, "thread-local"}};
  return wordFor(kWords, type);
}

std::string symbolBindingText(uint8_t binding) {
  static constexpr Word kWords[] = {
      {STB_LOCAL, "local"}, {STB_GLOBAL, "global"}, {STB_WEAK, "weak"}};
  return wordFor(kWords, binding);
}

std::string symbolVisibilityText(uint8_t visibility) {
  static constexpr Word kWords[] = {{STV_DEFAULT, "default"},
                                    {STV_INTERNAL, "internal"},
                                    {STV_HIDDEN, "hidden"},
                                    {STV_PROTECTED, "protected"}};
  return wordFor(kWords, visibility);
}

std::string symbolSectionText(const LinkedFile &file,
                              const LinkedFile::Symbol &symbol) {
  switch (symbol.section) {
  case LinkedFile::kUndefined:
    return "undefined";
  case LinkedFile::kAbsolute:
    return "absolute";
  case LinkedFile::kCommon:
    return "common";
  }
  return file.sections[symbol.section].name.str();
}

std::string buildIdText(ArrayRef<uint8_t> note) {
  constexpr size_t kHeader = 12;
  if (note.size() >= kHeader) {
    const uint64_t name = support::endian::read32le(note.data());
    const uint64_t size = support::endian::read32le(note.data() + 4);
    const uint64_t at = kHeader + alignTo(name, 4);
    if (at <= note.size() && size <= note.size() - at)
      note = note.slice(at, size);
  }
  return toHex(note.take_front(64), /*LowerCase=*/true);
}

std::string commentText(ArrayRef<uint8_t> comment) {
  constexpr size_t kMostCharacters = 1000;
  SmallVector<StringRef, 4> strings;
  toStringRef(comment.take_front(kMostCharacters))
      .split(strings, '\0', -1, /*KeepEmpty=*/false);
  return printable(join(strings, "; "));
}

SectionDiff::Kind sectionKind(const LinkedFile::Section &section) {
  switch (section.type) {
  case SHT_SYMTAB:
  case SHT_STRTAB:
  case SHT_RELA:
  case SHT_REL:
  case SHT_SYMTAB_SHNDX:
    if (!section.isLoaded())
      return SectionDiff::Table;
  }
  if (section.type == SHT_NOTE && section.name == ".note.gnu.build-id")
    return SectionDiff::BuildId;
  if (section.name == ".comment")
    return SectionDiff::Comment;
  if (!section.isLoaded() &&
      (section.name.starts_with(".debug") ||
       section.name.starts_with(".zdebug") ||
       section.name.starts_with(".stab") || section.name == ".gdb_index" ||
       section.name == ".line"))
    return SectionDiff::Debug;
  return SectionDiff::Ordinary;
}

bool isFunction(const LinkedFile &file, const LinkedFile::Symbol &symbol) {
  return symbol.type == STT_FUNC ||
         (symbol.type == STT_NOTYPE && symbol.isIn(file) &&
          file.sections[symbol.section].isCode());
}

} // namespace xlink
