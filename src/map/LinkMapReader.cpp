//===- LinkMapReader.cpp --------------------------------------------------===//
//
// Problem: a map comes from outside: from another version of this tool, from a
// script that changed it, from a transfer that cut it off. Whoever works with
// the LinkMap indexes its lists and adds its sizes without a second look.
//
// Method: two steps. The first takes the text in, member by member, and checks
// what each says for itself. Members may come in any order, so what one says
// about another, such as the index of a file, is checked in the second step,
// when all lists are there. The version is looked for before anything else:
// the members of another one may mean something else.
//
// Cost: one pass over the text and one over the lists.
//
//===----------------------------------------------------------------------===//
#include "map/LinkMapReader.h"
#include "base/MappedFile.h"
#include "map/JsonReader.h"
#include "map/MapNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {
namespace {

using Required = std::initializer_list<StringRef>;

class MapReader {
public:
  MapReader(StringRef file, StringRef text, Diagnostics &diag)
      : json(file, text, *map.texts, diag) {}

  void read();
  bool failed() const { return json.failed(); }
  LinkMap map;
  std::vector<size_t> firstOf; ///< of each element of "references"

private:
  void object(Required required, function_ref<void(StringRef)> member) {
    json.object(ArrayRef(required.begin(), required.size()), member);
  }
  /// An array of objects, each made by `element`.
  template <class T>
  void list(std::vector<T> &into, Required required,
            function_ref<void(T &, StringRef)> member) {
    json.array([&] {
      T &made = into.emplace_back();
      object(required, [&](StringRef name) { member(made, name); });
    });
  }
  uint32_t index() { return uint32_t(json.number(LinkMap::kNoIndex - 1)); }
  /// Takes the value of the member called `wanted`; false: it is another one.
  bool at(StringRef name, StringRef wanted, StringRef &into) {
    return name == wanted && (into = json.string(), true);
  }
  bool at(StringRef name, StringRef wanted, uint64_t &into) {
    return name == wanted && (into = json.number(), true);
  }
  bool at(StringRef name, StringRef wanted, bool &into) {
    return name == wanted && (into = json.boolean(), true);
  }
  bool hexAt(StringRef name, StringRef wanted, uint64_t &into) {
    return name == wanted && (into = json.hexNumber(), true);
  }
  bool indexAt(StringRef name, StringRef wanted, uint32_t &into) {
    return name == wanted && (into = index(), true);
  }
  bool shortAt(StringRef name, StringRef wanted, uint32_t &into) {
    return name == wanted && (into = uint32_t(json.number(UINT32_MAX)), true);
  }
  /// A word of a list of names, whose index it is.
  template <class T>
  bool wordAt(StringRef name, StringRef wanted, T &into,
              ArrayRef<StringLiteral> names);
  uint64_t flags();

  void member(StringRef name);
  void entry();
  void region(MapRegion &region, StringRef name);
  void symbol(MapSymbol &symbol, StringRef name);
  void outputs();
  void parts();
  void part(MapPart &part, StringRef name);
  void partSymbols();
  void references();
  void target(uint32_t from);
  void stack(MapStack &stack, StringRef name);

  JsonReader json;
  /// Of the part that is being read: symbols that are where it begins.
  std::vector<size_t> atPart;
};

template <class T>
bool MapReader::wordAt(StringRef name, StringRef wanted, T &into,
                       ArrayRef<StringLiteral> names) {
  if (name != wanted)
    return false;
  const StringRef value = json.string();
  const auto found = llvm::find(names, value);
  into = found == names.end() ? into : T(found - names.begin());
  if (found == names.end())
    json.wrong("'" + printable(value) + "' is none of " + join(names, ", "));
  return true;
}

uint64_t MapReader::flags() {
  const StringRef value = json.string();
  StringRef rest = value;
  uint64_t result = 0;
  for (const SectionFlagLetter &flag : kSectionFlagLetters)
    if (rest.consume_front(StringRef(&flag.letter, 1)))
      result |= flag.flag;
  uint64_t others = 0;
  if (StringRef digits = rest;
      digits.consume_front("0x") && !digits.getAsInteger(16, others))
    rest = "";
  if (!rest.empty())
    json.wrong("'" + printable(value) + "' are no section flags");
  return result | others;
}

void MapReader::region(MapRegion &r, StringRef name) {
  if (name == "reservations")
    list<MapReservation>(r.reservations, {"kind", "address", "size"},
                         [&](MapReservation &of, StringRef n) {
                           at(n, "name", of.name) ||
                               wordAt(n, "kind", of.kind, kReservationKinds) ||
                               hexAt(n, "address", of.address) ||
                               at(n, "size", of.size);
                         });
  else
    at(name, "name", r.name) || hexAt(name, "origin", r.origin) ||
        at(name, "length", r.length) || at(name, "used", r.used) ||
        at(name, "loadOnly", r.loadOnly) || at(name, "builtin", r.builtin);
}

void MapReader::symbol(MapSymbol &s, StringRef name) {
  at(name, "name", s.name) || hexAt(name, "address", s.address) ||
      at(name, "size", s.size) || wordAt(name, "kind", s.kind, kSymbolKinds) ||
      at(name, "local", s.local) || at(name, "weak", s.weak) ||
      at(name, "inferred", s.inferred);
}

/// One without an address is where its part begins, which may not have been
/// read yet.
void MapReader::partSymbols() {
  json.array([&] {
    MapSymbol made;
    bool elsewhere = false;
    object({"name"}, [&](StringRef name) {
      elsewhere |= name == "address";
      symbol(made, name);
    });
    if (!elsewhere)
      atPart.push_back(map.symbols.size());
    map.symbols.push_back(made);
  });
}

void MapReader::part(MapPart &p, StringRef name) {
  if (name == "symbols")
    partSymbols();
  else
    wordAt(name, "kind", p.kind, kPartKinds) || at(name, "name", p.name) ||
        indexAt(name, "file", p.file) || hexAt(name, "address", p.address) ||
        at(name, "size", p.size) || at(name, "align", p.align) ||
        indexAt(name, "pattern", p.pattern) || at(name, "cause", p.cause) ||
        wordAt(name, "live", p.live, kLiveReasons) ||
        indexAt(name, "from", p.liveFrom);
}

void MapReader::parts() {
  json.array([&] {
    MapPart made;
    made.output = uint32_t(map.outputs.size() - 1);
    made.firstSymbol = uint32_t(map.symbols.size());
    atPart.clear();
    object({"address", "size"}, [&](StringRef name) { part(made, name); });
    for (size_t i : atPart)
      map.symbols[i].address = made.address;
    made.symbols = uint32_t(map.symbols.size()) - made.firstSymbol;
    map.parts.push_back(made);
  });
}

void MapReader::outputs() {
  json.array([&] {
    MapOutput &made = map.outputs.emplace_back();
    made.type = ELF::SHT_PROGBITS;
    made.firstPart = uint32_t(map.parts.size());
    bool loadedElsewhere = false;
    object({"name", "address", "size"}, [&](StringRef name) {
      loadedElsewhere |= name == "loadAddress";
      if (name == "parts")
        parts();
      else if (name == "flags")
        made.flags = flags();
      else
        at(name, "name", made.name) || hexAt(name, "address", made.address) ||
            at(name, "size", made.size) || at(name, "align", made.align) ||
            hexAt(name, "loadAddress", made.loadAddress) ||
            shortAt(name, "type", made.type) ||
            indexAt(name, "region", made.region) ||
            indexAt(name, "loadRegion", made.loadRegion);
    });
    made.parts = uint32_t(map.parts.size()) - made.firstPart;
    if (!loadedElsewhere)
      made.loadAddress = made.address;
  });
}

/// [to, count, calls], or to alone: one call
void MapReader::target(uint32_t from) {
  MapReference made;
  made.from = from;
  if (json.isNumber()) {
    made.to = index();
    made.uses = 2 + 1;
    map.references.back().push_back(made);
    return;
  }
  unsigned length = 0;
  json.array([&] {
    switch (length++) {
    case 0:
      made.to = index();
      break;
    case 1:
      made.uses += 2 * uint32_t(json.number(MapReference::kMost));
      break;
    case 2:
      made.uses += uint32_t(json.number(1));
      break;
    default:
      json.skip();
    }
  });
  if (length < 3)
    json.wrong("is not [to, count, calls]");
  map.references.back().push_back(made);
}

/// [from, [to, count, calls], ...]
void MapReader::references() {
  map.crossed = true;
  map.references.resize(1);
  json.array([&] {
    std::optional<uint32_t> from;
    firstOf.push_back(map.references.back().size());
    json.array([&] {
      if (from)
        target(*from);
      else
        from = index();
    });
    if (!from)
      json.wrong("is not [from, [to, count, calls], ...]");
  });
}

void MapReader::stack(MapStack &s, StringRef name) {
  if (name == "path")
    list<MapStack::Frame>(s.path, {}, [&](MapStack::Frame &f, StringRef n) {
      if (n == "bytes")
        f.bytes = json.number();
      else
        at(n, "function", f.function);
    });
  else
    at(name, "root", s.root) || at(name, "kind", s.kind) ||
        at(name, "bytes", s.bytes) || at(name, "bounded", s.bounded) ||
        at(name, "limit", s.limit);
}

void MapReader::entry() {
  object({"address"}, [&](StringRef n) {
    at(n, "name", map.entryName) || hexAt(n, "address", map.entry);
  });
}

void MapReader::member(StringRef name) {
  if (name == "addressBits") {
    map.addressBits = unsigned(json.number());
    if (map.addressBits != 32 && map.addressBits != 64)
      json.wrong("is neither 32 nor 64");
  } else if (name == "entry") {
    entry();
  } else if (name == "regions") {
    list<MapRegion>(map.regions, {"name", "origin", "length", "used"},
                    [&](MapRegion &r, StringRef n) { region(r, n); });
  } else if (name == "files") {
    list<MapFile>(map.files, {"path"}, [&](MapFile &f, StringRef n) {
      at(n, "path", f.path) || at(n, "member", f.member) ||
          at(n, "symbol", f.symbol) || indexAt(n, "neededBy", f.neededBy) ||
          at(n, "source", f.source);
    });
  } else if (name == "patterns") {
    list<MapPattern>(map.patterns, {}, [&](MapPattern &p, StringRef n) {
      at(n, "script", p.script) || shortAt(n, "line", p.line) ||
          at(n, "text", p.text);
    });
  } else if (name == "outputs") {
    outputs();
  } else if (name == "absolutes") {
    list<MapSymbol>(map.absolutes, {"name", "address"},
                    [&](MapSymbol &s, StringRef n) { symbol(s, n); });
  } else if (name == "references") {
    references();
  } else if (name == "discarded") {
    list<MapDiscarded>(map.discarded, {"size", "reason"},
                       [&](MapDiscarded &d, StringRef n) {
                         at(n, "name", d.name) || indexAt(n, "file", d.file) ||
                             at(n, "size", d.size) ||
                             wordAt(n, "reason", d.reason, kDiscardReasons);
                       });
  } else if (name == "relocations") {
    list<MapRelocationCount>(map.relocations, {"count"},
                             [&](MapRelocationCount &r, StringRef n) {
                               at(n, "type", r.type) || at(n, "count", r.count);
                             });
  } else if (name == "stacks") {
    list<MapStack>(map.stacks, {"bytes"},
                   [&](MapStack &s, StringRef n) { stack(s, n); });
  } else {
    at(name, "machine", map.machine) || at(name, "output", map.output);
  }
}

void MapReader::read() {
  object({"format", "version", "machine", "output", "addressBits", "outputs"},
         [&](StringRef name) { member(name); });
  json.finish();
}

//===----------------------------------------------------------------------===//
// What members say about each other
//===----------------------------------------------------------------------===//

class MapChecker {
public:
  /// `firstOf`: the first reference of each element of "references".
  MapChecker(const LinkMap &map, ArrayRef<size_t> firstOf, StringRef file,
             Diagnostics &diag)
      : map(map), firstOf(firstOf), file(file), diag(diag) {}
  bool check();

private:
  /// Reports one thing at most; false. A path is made where it is shown.
  bool wrong(const Twine &path, const Twine &text) {
    diag.error((file + ": " + path + ": " + text).str());
    return false;
  }
  /// Whether an index is one of a list, or none at all.
  bool known(uint32_t index, size_t count, const char *what,
             const Twine &path) {
    return index == LinkMap::kNoIndex || index < count ||
           wrong(path, Twine(index) + " is no " + what +
                           " of the map, which has " + Twine(count));
  }
  bool inSpace(uint64_t address, uint64_t size, const Twine &path) {
    const uint64_t last = map.addressBits == 32 ? UINT32_MAX : UINT64_MAX;
    // A section may end where the address space does.
    return (address <= last && (!size || size - 1 <= last - address)) ||
           wrong(path, "address " + hex(address) + " and size " + Twine(size) +
                           " go past the end of a " + Twine(map.addressBits) +
                           "-bit address space");
  }
  bool checkOutput(const MapOutput &out, const Twine &path);
  bool checkPart(const MapOutput &out, const MapPart &part, uint64_t &end,
                 const Twine &path);
  bool checkReferences();

  const LinkMap &map;
  ArrayRef<size_t> firstOf;
  StringRef file;
  Diagnostics &diag;
};

/// `end`: where the part in front ends, as a distance from the output section.
bool MapChecker::checkPart(const MapOutput &out, const MapPart &part,
                           uint64_t &end, const Twine &path) {
  if (!inSpace(part.address, part.size, path))
    return false;
  const uint64_t offset = part.address - out.address;
  if (part.address < out.address || offset > out.size ||
      part.size > out.size - offset)
    return wrong(path, "is not inside its output section '" +
                           printable(out.name) + "'");
  if (offset < end)
    return wrong(path, "begins before the part in front of it ends");
  end = offset + part.size;
  return known(part.file, map.files.size(), "file", path + ".file") &&
         known(part.pattern, map.patterns.size(), "pattern",
               path + ".pattern") &&
         known(part.liveFrom, map.parts.size(), "part", path + ".from");
}

bool MapChecker::checkOutput(const MapOutput &out, const Twine &path) {
  if (!inSpace(out.address, out.size, path) ||
      !known(out.region, map.regions.size(), "region", path + ".region") ||
      !known(out.loadRegion, map.regions.size(), "region",
             path + ".loadRegion"))
    return false;
  uint64_t end = 0;
  for (uint32_t i = 0; i < out.parts; ++i)
    if (!checkPart(out, map.parts[out.firstPart + i], end,
                   path + ".parts[" + Twine(i) + "]"))
      return false;
  return true;
}

bool MapChecker::checkReferences() {
  for (const std::vector<MapReference> &list : map.references)
    for (size_t element = 0; element < firstOf.size(); ++element) {
      const size_t begin = firstOf[element], end = element + 1 < firstOf.size()
                                                       ? firstOf[element + 1]
                                                       : list.size();
      for (size_t i = begin; i < end; ++i) {
        if (!known(list[i].from, map.parts.size(), "part",
                   "references[" + Twine(element) + "][0]") ||
            !known(list[i].to, map.parts.size(), "part",
                   "references[" + Twine(element) + "][" +
                       Twine(i - begin + 1) + "][0]"))
          return false;
      }
    }
  return true;
}

bool MapChecker::check() {
  for (size_t i = 0; i < map.files.size(); ++i)
    if (!known(map.files[i].neededBy, map.files.size(), "file",
               "files[" + Twine(i) + "].neededBy"))
      return false;
  for (size_t i = 0; i < map.outputs.size(); ++i)
    if (!checkOutput(map.outputs[i], "outputs[" + Twine(i) + "]"))
      return false;
  if (!checkReferences())
    return false;
  for (size_t i = 0; i < map.discarded.size(); ++i)
    if (!known(map.discarded[i].file, map.files.size(), "file",
               "discarded[" + Twine(i) + "].file"))
      return false;
  return true;
}

/// Whether this is a map of a version that is known, which it need not be
/// otherwise.
bool isKnown(StringRef file, StringRef text, Diagnostics &diag) {
  BumpPtrAllocator texts;
  JsonReader json(file, text, texts, diag);
  std::optional<StringRef> format;
  std::optional<uint64_t> version;
  json.object({"format", "version"}, [&](StringRef name) {
    if (name == "format") {
      format = json.string();
      if (*format != "xlink map")
        json.wrong("'" + printable(*format) + "' is not 'xlink map'");
    } else if (name == "version") {
      version = json.number();
      if (*version < LinkMap::kOldest || *version > LinkMap::kVersion)
        json.wrong(Twine(*version) + " is not known; this xlink reads " +
                   Twine(LinkMap::kOldest) + " to " + Twine(LinkMap::kVersion));
    }
    if (format && version)
      json.stop();
  });
  return !json.failed();
}

} // namespace

std::optional<LinkMap> readLinkMap(StringRef file, StringRef text,
                                   Diagnostics &diag) {
  // Lists are indexed with 32 bits, and no map of a program is near this.
  constexpr uint64_t kMostBytes = uint64_t(1) << 30;
  if (text.size() > kMostBytes) {
    diag.error(file.str() + ": is larger than a map can be (1 GB)");
    return std::nullopt;
  }
  if (!isKnown(file, text, diag))
    return std::nullopt;
  MapReader reader(file, text, diag);
  reader.read();
  if (reader.failed() ||
      !MapChecker(reader.map, reader.firstOf, file, diag).check())
    return std::nullopt;
  return std::move(reader.map);
}

std::optional<LinkMap> readLinkMapFile(vfs::FileSystem *fs, StringRef path,
                                       Diagnostics &diag) {
  std::string error;
  const std::unique_ptr<MemoryBuffer> buffer = openFile(fs, path, error);
  if (!buffer) {
    diag.error("cannot open " + path.str() + ": " + error);
    return std::nullopt;
  }
  return readLinkMap(path, buffer->getBuffer(), diag);
}

} // namespace xlink
