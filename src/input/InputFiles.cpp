//===- InputFiles.cpp - names to opened files -----------------------------===//
#include "input/InputFiles.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace xlink {

static std::string joinPath(StringRef directory, StringRef name) {
  if (directory.empty())
    return name.str();
  return directory.ends_with("/") ? (directory + name).str()
                                  : (directory + "/" + name).str();
}

void FileOpener::addSearchPath(StringRef directory) {
  // "=dir" and "$SYSROOT/dir" are below the sysroot (GNU ld, -L).
  const bool below =
      directory.consume_front("=") || directory.consume_front("$SYSROOT");
  searchPaths.push_back((below ? sysroot : "") + directory.str());
}

std::unique_ptr<OpenedFile> FileOpener::open(StringRef path,
                                             std::string &error) {
  FileNumber number;
  std::unique_ptr<MemoryBuffer> buffer = openFile(fs, path, error, &number);
  if (!buffer)
    return nullptr;
  auto file = std::make_unique<OpenedFile>();
  file->path = path;
  file->buffer = std::move(buffer);
  file->kind = identifyFile(file->bytes());
  file->number = number;
  return file;
}

std::string FileOpener::findInPath(StringRef file) const {
  for (const std::string &directory : searchPaths)
    if (std::string path = joinPath(directory, file); fileExists(fs, path))
      return path;
  return "";
}

std::string FileOpener::findLibrary(StringRef name) const {
  return name.consume_front(":") ? findInPath(name)
                                 : findInPath(("lib" + name + ".a").str());
}

std::vector<std::string> FileOpener::libraryNotes(StringRef name) const {
  std::vector<std::string> notes;
  if (searchPaths.empty())
    return {"no -L names a directory to search"};
  constexpr size_t most = 10;
  auto shown = ArrayRef(searchPaths).take_front(most);
  std::string list = join(shown, ", ");
  if (shown.size() < searchPaths.size())
    list += " and " + std::to_string(searchPaths.size() - most) + " more";
  notes.push_back("searched: " + list);
  for (const std::string &directory : searchPaths) {
    const std::string shared =
        joinPath(directory, ("lib" + name + ".so").str());
    if (!name.starts_with(":") && fileExists(fs, shared))
      notes.push_back(shared + " is a shared library, which no machine here "
                               "can load");
    if (notes.size() > most)
      break;
  }
  return notes;
}

std::string FileOpener::findFile(StringRef name) const {
  if (fileExists(fs, name))
    return name.str();
  return name.starts_with("/") ? "" : findInPath(name);
}

//===----------------------------------------------------------------------===//
// Files that are no objects
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// The cache
//===----------------------------------------------------------------------===//

/// About the memory of a cached object, for the bound. `file`: its own bytes.
static uint64_t bytesOf(const ParsedObject &object, ArrayRef<uint8_t> file) {
  uint64_t bytes = object.bytes + object.relocations.bytes() +
                   object.symbols.size() * sizeof(ParsedSymbol) +
                   object.expressions.size() * sizeof(ExprEntry) +
                   object.types.size() * sizeof(TypeEntry);
  for (const ParsedSection &section : object.sections) {
    bytes += sizeof(section);
    // Compressed sections are held inflated.
    if (section.data().begin() < file.begin() ||
        section.data().end() > file.end())
      bytes += section.data().size();
  }
  return bytes;
}

std::shared_ptr<const ParsedObject> ObjectCache::get(const ObjectName &name,
                                                     ArrayRef<uint8_t> bytes,
                                                     const Target &target,
                                                     DiagnosticBuffer &diag) {
  XXH128_hash_t hash = xxh3_128bits(bytes);
  std::string key = std::string(target.name) + '\0' + name.path.str() + '\0' +
                    name.archive.str() + '\0' + std::to_string(hash.low64) +
                    '-' + std::to_string(hash.high64);
  std::unique_lock<std::mutex> lock(mutex);
  if (auto it = byKey.find(key); it != byKey.end()) {
    entries.splice(entries.begin(), entries, it->second);
    diag.append(it->second->warnings);
    return it->second->object;
  }
  lock.unlock();
  auto copy = std::make_shared<const std::vector<uint8_t>>(bytes.vec());
  DiagnosticBuffer own;
  auto object = parseObject(name, *copy, target, copy, own);
  std::vector<Diagnostic> messages = own.take();
  diag.append(messages);
  if (!object)
    return nullptr; // errors are found anew each time

  lock.lock();
  if (byKey.count(key)) // another thread was first
    return object;
  uint64_t size = bytesOf(*object, *copy);
  entries.push_front({key, object, std::move(messages), size});
  byKey.emplace(std::move(key), entries.begin());
  total += size;
  while (total > capacity) {
    total -= entries.back().bytes;
    byKey.erase(entries.back().key);
    entries.pop_back();
  }
  return object;
}

} // namespace xlink
