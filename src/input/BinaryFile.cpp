//===- BinaryFile.cpp -----------------------------------------------------===//
#include "input/BinaryFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/xxhash.h"
#include <string>

using namespace llvm;

namespace xlink {

namespace {
/// The bytes and names to which such an object points.
struct BinaryStorage {
  std::shared_ptr<const void> file;
  std::string start, end, size;
};
} // namespace

std::shared_ptr<const ParsedObject>
wrapBinary(const ObjectName &name, ArrayRef<uint8_t> bytes,
           const Target &target, std::shared_ptr<const void> owner) {
  std::string mangled = ("_binary_" + name.path).str();
  for (char &c : mangled)
    if (!isAlnum(c))
      c = '_';
  auto storage = std::make_shared<BinaryStorage>(
      BinaryStorage{std::move(owner), mangled + "_start", mangled + "_end",
                    mangled + "_size"});

  auto object = std::make_shared<ParsedObject>();
  object->path = name.path.str();
  object->archive = name.archive.str();
  object->machine = target.machines.front();
  object->bytes = bytes.size();
  object->isBinary = true;

  object->sections.resize(2);
  ParsedSection &data = object->sections[1];
  data.name = ".data";
  data.type = ELF::SHT_PROGBITS;
  data.flags = ELF::SHF_ALLOC | ELF::SHF_WRITE;
  data.setData(bytes);
  data.kind = SectionKind::Regular;

  object->symbols.resize(1);
  auto define = [&](const std::string &symbol, SymbolPlace place,
                    uint64_t value) {
    ParsedSymbol &s = object->symbols.emplace_back();
    s.name = symbol;
    s.hash = xxh3_64bits(symbol);
    s.value = value;
    s.place = place;
    s.binding = ELF::STB_GLOBAL;
    s.section = place == SymbolPlace::Section ? 1 : 0;
  };
  define(storage->start, SymbolPlace::Section, 0);
  define(storage->end, SymbolPlace::Section, bytes.size());
  define(storage->size, SymbolPlace::Absolute, bytes.size());
  object->owner = std::move(storage);
  return object;
}

} // namespace xlink
