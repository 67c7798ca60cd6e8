//===- LinkMapJson.cpp ----------------------------------------------------===//
//
// Problem: a map of 100,000 functions is some 20 MB of JSON, in a link that
// takes a fifth of a second. A map that is read comes from outside: from
// another version of this tool, from a script that changed it, from a transfer
// that cut it off. Users of a LinkMap index its lists and add its sizes without
// a further check.
//
// Method: members() lists the members of each kind of object once, in the order
// of the file, for MapWriter and MapReader. The writer writes text as it is,
// without the members that README.md allows to be left out. The reader reads a
// json::Value. An index is read after its list, whatever the order of the text,
// and so it is checked at once. The version comes before all else: the members
// of another one may mean something else.
//
// Cost: writing is one pass over the map, reading one over the text;
// json::Value takes 4 KB for each object with members.
//
//===----------------------------------------------------------------------===//
#include "map/LinkMapJson.h"
#include "base/Address.h"
#include "base/MappedFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace xlink {

namespace {

//===----------------------------------------------------------------------===//
// The members of each object
//===----------------------------------------------------------------------===//

/// Whether a member is in each object that is written, and must be in each that
/// is read.
enum MemberPresence : uint8_t {
  Needed,
  Written,  ///< always written
  Optional, ///< left out where it has the default value
};

template <class Io> void members(Io &io, MapReservation &r) {
  io.text("name", r.name);
  io.word("kind", r.kind, kReservationKinds, Needed);
  io.address("address", r.address);
  io.count("size", r.size, Needed);
}

template <class Io> void members(Io &io, MapRegion &r) {
  io.text("name", r.name, Needed);
  io.address("origin", r.origin);
  io.count("length", r.length, Needed);
  io.count("used", r.used, Needed);
  io.count("loadOnly", r.loadOnly);
  io.flag("builtin", r.builtin, false);
  io.list("reservations", r.reservations);
}

template <class Io> void members(Io &io, MapInput &f) {
  io.text("path", f.path, Needed);
  io.text("member", f.member);
  io.text("symbol", f.symbol);
  io.index("neededBy", f.neededBy, &LinkMap::files, "file");
  io.text("source", f.source);
}

template <class Io> void members(Io &io, MapPattern &p) {
  io.text("script", p.script);
  io.count("line", p.line);
  io.text("text", p.text);
}

/// `part`: the part that it is in, null: none.
template <class Io>
void members(Io &io, MapSymbol &s, const MapPart *part = nullptr) {
  io.text("name", s.name, Needed);
  if (part)
    io.address("address", s.address, part->address);
  else
    io.address("address", s.address);
  io.count("size", s.size);
  io.word("kind", s.kind, kSymbolKinds);
  io.flag("local", s.local, false);
  io.flag("weak", s.weak, false);
  io.flag("inferred", s.inferred, false);
}

template <class Io> void members(Io &io, MapPart &p) {
  io.word("kind", p.kind, kPartKinds);
  io.text("name", p.name);
  io.index("file", p.file, &LinkMap::files, "file");
  io.address("address", p.address);
  io.count("size", p.size, Needed);
  io.count("align", p.align, Optional, 1);
  io.index("pattern", p.pattern, &LinkMap::patterns, "pattern");
  io.text("cause", p.cause);
  io.word("live", p.live, kLiveReasons);
  io.index("from", p.liveFrom, &LinkMap::parts, "part");
  io.slice("symbols", &LinkMap::symbols, p.firstSymbol, p.symbols, "",
           [&](MapSymbol &s) { members(io, s, &p); });
}

template <class Io> void members(Io &io, MapOutput &o) {
  io.text("name", o.name, Needed);
  io.address("address", o.address);
  io.address("loadAddress", o.loadAddress, o.address);
  io.count("size", o.size, Needed);
  io.count("align", o.align, Written, 1);
  io.count("type", o.type, Optional, ELF::SHT_PROGBITS);
  io.sectionFlags("flags", o.flags);
  io.index("region", o.region, &LinkMap::regions, "region");
  io.index("loadRegion", o.loadRegion, &LinkMap::regions, "region");
  io.slice("parts", &LinkMap::parts, o.firstPart, o.parts, "\n",
           [&](MapPart &p) { members(io, p); });
}

template <class Io> void members(Io &io, MapDiscarded &d) {
  io.text("name", d.name);
  io.index("file", d.file, &LinkMap::files, "file");
  io.count("size", d.size, Needed);
  io.word("reason", d.reason, kDiscardReasons, Needed);
}

template <class Io> void members(Io &io, MapRelocationCount &r) {
  io.text("type", r.type);
  io.count("count", r.count, Needed);
}

template <class Io> void members(Io &io, MapStack::Frame &f) {
  io.text("function", f.function);
  io.count("bytes", f.bytes);
}

template <class Io> void members(Io &io, MapStack &s) {
  io.text("root", s.root);
  io.text("kind", s.kind);
  io.count("bytes", s.bytes, Needed);
  io.flag("bounded", s.bounded, true);
  io.count("limit", s.limit);
  io.list("path", s.path, Written);
}

template <class Io> void members(Io &io, LinkMap &map) {
  io.text("machine", map.machine, Needed);
  io.text("output", map.output, Needed);
  io.count("addressBits", map.addressBits, Needed);
  io.entry("entry", map);
  io.list("regions", map.regions, Written, "\n");
  io.list("files", map.files, Written, "\n");
  io.list("patterns", map.patterns, Written, "\n");
  io.list("outputs", map.outputs, Needed, "\n");
  io.list("absolutes", map.absolutes, Written, "\n");
  io.list("discarded", map.discarded, Written, "\n");
  io.references("references", map);
  io.list("relocations", map.relocations, map.crossed ? Written : Optional,
          "\n");
  io.list("stacks", map.stacks, Optional, "\n");
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Writes the members of an object that it is told, and its brackets.
class MapWriter {
public:
  MapWriter(raw_ostream &out, LinkMap &map) : out(out), map(map) {}
  void run() {
    text("format", "xlink map");
    count("version", LinkMap::kVersion, Needed);
    members(*this, map);
    out << "}\n";
  }

  void text(StringRef name, StringRef value,
            MemberPresence presence = Optional) {
    if (value.empty() && presence == Optional)
      return;
    key(name);
    // Nearly all texts need no escape.
    bool plain = true;
    for (char c : value)
      plain &= int8_t(c) >= 0x20 && c != '"' && c != '\\';
    if (plain)
      out << '"' << value << '"';
    else
      out << json::Value(json::fixUTF8(value));
  }
  void count(StringRef name, uint64_t value, MemberPresence presence = Optional,
             uint64_t otherwise = 0) {
    if (value == otherwise && presence == Optional)
      return;
    key(name);
    out << value;
  }
  void count(StringRef name, std::optional<uint64_t> value) {
    if (value)
      count(name, *value, Needed);
  }
  void address(StringRef name, uint64_t value,
               std::optional<uint64_t> otherwise = {}) {
    if (value == otherwise)
      return;
    key(name);
    out << "\"0x";
    out.write_hex(value) << '"';
  }
  void flag(StringRef name, bool value, bool otherwise) {
    if (value == otherwise)
      return;
    key(name);
    out << (value ? "true" : "false");
  }
  template <class T>
  void word(StringRef name, T value, ArrayRef<StringLiteral> words,
            MemberPresence presence = Optional) {
    if (value || presence != Optional)
      text(name, words[value]);
  }
  /// The letters of readelf for sh_flags; other flags follow as a number.
  void sectionFlags(StringRef name, uint64_t flags) {
    std::string value;
    for (auto [letter, flag] : kSectionFlagLetters)
      if (flags & flag) {
        value += letter;
        flags &= ~flag;
      }
    text(name, flags ? value + hex(Size(flags)) : value);
  }
  template <class T>
  void index(StringRef name, uint32_t value, T LinkMap::*, const char *) {
    count(name, value, Optional, kNoIndex);
  }
  /// `separator`: in front of each object; a line break also of the list.
  template <class T>
  void list(StringRef name, std::vector<T> &list,
            MemberPresence presence = Optional, StringRef separator = "") {
    if (list.empty() && presence == Optional)
      return;
    if (!separator.empty())
      before = ",\n";
    key(name);
    objects(MutableArrayRef<T>(list), separator,
            [&](T &o) { members(*this, o); });
  }
  /// Some of a list of the map; `separator` stands in front of each.
  template <class T, class Fn>
  void slice(StringRef name, std::vector<T> LinkMap::*list, uint32_t first,
             uint32_t count, StringRef separator, Fn write) {
    if (!count)
      return;
    key(name);
    objects(MutableArrayRef(map.*list).slice(first, count), separator, write);
  }
  void entry(StringRef name, LinkMap &map) {
    if (map.entryName.empty())
      return;
    key(name);
    before = "{";
    text("name", map.entryName);
    address("address", map.entry);
    out << '}';
  }
  /// A list for each part that refers to others: its index, and theirs.
  void references(StringRef name, const LinkMap &map) {
    if (!map.crossed)
      return;
    before = ",\n";
    key(name);
    out << '[';
    uint32_t from = kNoIndex;
    for (const MapReference &r : map.references) {
      if (r.from != from)
        out << (from == kNoIndex ? "\n[" : "],\n[") << r.from;
      from = r.from;
      if (r.call && r.count == 1)
        out << ',' << r.to;
      else
        out << ",[" << r.to << ',' << r.count << (r.call ? ",1]" : ",0]");
    }
    out << (from == kNoIndex ? "]" : "]]");
  }

private:
  void key(StringRef name) {
    out << std::exchange(before, ",") << '"' << name << "\":";
  }
  template <class T, class Fn>
  void objects(MutableArrayRef<T> list, StringRef separator, Fn write) {
    StringRef comma;
    out << '[';
    for (T &object : list) {
      out << std::exchange(comma, ",") << separator;
      before = "{";
      write(object);
      out << (before == "{" ? "{}" : "}"); // its bracket comes with a member
      before = ",";
    }
    out << ']';
  }

  raw_ostream &out;
  LinkMap &map;
  StringRef before = "{"; ///< in front of the next member
};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Reads the members of an object that it is told.
class MapReader {
public:
  MapReader(StringRef file, Diagnostics &diag) : file(file), diag(diag) {}
  std::optional<LinkMap> run(const json::Value &top) {
    readObject(top, "", [&] {
      StringRef format;
      text("format", format, Needed);
      if (format != "xlink map")
        wrong("format", "'" + printable(format) + "' is not 'xlink map'");
      unsigned version = 0;
      count("version", version, Needed);
      if (version < LinkMap::kOldest || version > LinkMap::kVersion)
        wrong("version", Twine(version) + " is not known; this xlink reads " +
                             Twine(LinkMap::kOldest) + " to " +
                             Twine(LinkMap::kVersion));
      if (failed)
        return;
      countParts();
      members(*this, map);
      if (map.addressBits != 32 && map.addressBits != 64)
        wrong("addressBits", "is neither 32 nor 64");
    });
    if (failed)
      return std::nullopt;
    return std::move(map);
  }

  void text(StringRef name, StringRef &into,
            MemberPresence presence = Optional) {
    if (const std::optional<StringRef> value = stringAt(name, presence))
      into = map.keep(*value);
  }
  template <class T>
  void count(StringRef name, T &into, MemberPresence presence = Optional,
             uint64_t otherwise = 0) {
    into = T(otherwise);
    if (const json::Value *value = find(name, presence))
      into = T(number(*value, name, std::numeric_limits<T>::max()));
  }
  void count(StringRef name, std::optional<uint64_t> &into) {
    if (const json::Value *value = find(name, Optional))
      into = number(*value, name, UINT64_MAX);
  }
  void address(StringRef name, uint64_t &into,
               std::optional<uint64_t> otherwise = {}) {
    into = otherwise.value_or(0);
    const std::optional<StringRef> value =
        stringAt(name, otherwise ? Optional : Needed);
    if (StringRef digits = value.value_or("");
        value && (!digits.consume_front("0x") || digits.getAsInteger(16, into)))
      wrong(name, "'" + printable(*value) +
                      "' is no number of up to 64 bits like 0x10a0");
  }
  void flag(StringRef name, bool &into, bool otherwise) {
    const json::Value *value = find(name, Optional);
    if (value && !value->getAsBoolean())
      wrong(name, "is neither true nor false");
    into = value ? value->getAsBoolean().value_or(false) : otherwise;
  }
  template <class T>
  void word(StringRef name, T &into, ArrayRef<StringLiteral> words,
            MemberPresence presence = Optional) {
    const std::optional<StringRef> value = stringAt(name, presence);
    if (!value)
      return;
    const auto found = llvm::find(words, *value);
    if (found == words.end())
      return wrong(name, "'" + printable(*value) + "' is none of " +
                             join(words, ", "));
    into = T(found - words.begin());
  }
  void sectionFlags(StringRef name, uint64_t &into) {
    const StringRef value = stringAt(name, Optional).value_or("");
    StringRef rest = value;
    into = 0;
    for (const SectionFlagLetter &flag : kSectionFlagLetters)
      if (rest.consume_front(StringRef(&flag.letter, 1)))
        into |= flag.flag;
    uint64_t others = 0;
    if (!rest.empty() &&
        (!rest.consume_front("0x") || rest.getAsInteger(16, others)))
      wrong(name, "'" + printable(value) + "' are no section flags");
    into |= others;
  }
  template <class T>
  void index(StringRef name, uint32_t &into, std::vector<T> LinkMap::*list,
             const char *element) {
    if (const json::Value *value = find(name, Optional))
      into = index(*value, name, countOf(list), element);
  }
  template <class T>
  void list(StringRef name, std::vector<T> &into,
            MemberPresence presence = Optional, StringRef = "") {
    readList(name, into, presence, [&](T &o) { members(*this, o); });
  }
  template <class T, class Fn>
  void slice(StringRef name, std::vector<T> LinkMap::*list, uint32_t &first,
             uint32_t &count, StringRef, Fn read) {
    first = uint32_t((map.*list).size());
    readList(name, map.*list, Optional, read);
    count = uint32_t((map.*list).size()) - first;
  }
  void entry(StringRef name, LinkMap &map) {
    if (const json::Value *value = find(name, Optional))
      readObject(*value, name, [&] {
        text("name", map.entryName);
        address("address", map.entry);
      });
  }
  /// [from, [to, count, calls], ...]
  void references(StringRef name, LinkMap &map) {
    const json::Value *value = find(name, Optional);
    if (!value)
      return;
    map.crossed = true;
    for (auto [i, list] : enumerate(elements(*value, name))) {
      const std::string member = (name + "[" + Twine(i) + "]").str();
      const ArrayRef<json::Value> targets = elements(list, member);
      if (targets.empty())
        return wrong(member, "is not [from, [to, count, calls], ...]");
      const uint32_t from =
          index(targets[0], member + "[0]", partCount, "part");
      for (size_t j = 1; j < targets.size(); ++j)
        map.references.push_back(
            target(targets[j], from, member + "[" + Twine(j) + "]"));
    }
  }

private:
  /// Reports the first error, at a member of the object that is being read, or
  /// at that object. Nothing that is read afterwards matters.
  void wrong(const Twine &member, const Twine &text) {
    if (std::exchange(failed, true))
      return;
    std::string where = member.str();
    if (!path.empty())
      where = path + (where.empty() ? "" : ".") + where;
    diag.error(
        (file + ": " + where + (where.empty() ? "" : ": ") + text).str());
  }

  template <class Fn>
  void readObject(const json::Value &value, const Twine &member, Fn read) {
    const size_t length = path.size();
    path += ((length ? "." : "") + member).str();
    const json::Object *around = std::exchange(object, value.getAsObject());
    if (!object)
      wrong("", "is no object");
    if (!failed)
      read();
    object = around;
    path.resize(length);
  }
  /// Adds the objects of a list.
  template <class T, class Fn>
  void readList(StringRef name, std::vector<T> &into, MemberPresence presence,
                Fn read) {
    const json::Value *value = find(name, presence);
    if (!value)
      return;
    const ArrayRef<json::Value> objects = elements(*value, name);
    const size_t first = into.size();
    into.resize(first + objects.size());
    for (size_t i = 0; i < objects.size() && !failed; ++i)
      readObject(objects[i], name + "[" + Twine(i) + "]", [&] {
        read(into[first + i]);
        check(into[first + i]);
      });
  }
  const json::Value *find(StringRef name, MemberPresence presence) {
    const json::Value *value = object->get(name);
    if (!value && presence == Needed)
      wrong("", "member '" + name + "' is missing");
    return value;
  }
  std::optional<StringRef> stringAt(StringRef name, MemberPresence presence) {
    const json::Value *value = find(name, presence);
    if (value && !value->getAsString())
      wrong(name, "is no string");
    return value ? value->getAsString() : std::nullopt;
  }
  ArrayRef<json::Value> elements(const json::Value &value,
                                 const Twine &member) {
    if (const json::Array *array = value.getAsArray())
      return ArrayRef(array->data(), array->size());
    wrong(member, "is no array");
    return {};
  }
  /// A whole number from 0 to `most`.
  uint64_t number(const json::Value &value, const Twine &member,
                  uint64_t most) {
    std::optional<uint64_t> result = value.getAsUINT64();
    if (!result && value.getAsInteger().value_or(-1) >= 0)
      result = *value.getAsInteger(); // "6e1"
    if (result && *result <= most)
      return *result;
    if (value.kind() == json::Value::Number)
      wrong(member, formatv("{0}", value).str() +
                        " is no whole number from 0 to " + Twine(most));
    else
      wrong(member, "is no number");
    return 0;
  }
  uint32_t index(const json::Value &value, const Twine &member, size_t count,
                 const char *element) {
    const uint64_t result = number(value, member, kNoIndex - 1);
    if (result >= count)
      wrong(member, Twine(result) + " is no " + element +
                        " of the map, which has " + Twine(count));
    return uint32_t(result);
  }
  /// Parts refer to later ones too.
  template <class T> size_t countOf(std::vector<T> LinkMap::*list) const {
    return std::is_same_v<T, MapPart> ? partCount : (map.*list).size();
  }
  void countParts() {
    const json::Array *outputs = object->getArray("outputs");
    for (size_t i = 0; outputs && i < outputs->size(); ++i)
      if (const json::Object *output = (*outputs)[i].getAsObject())
        if (const json::Array *parts = output->getArray("parts"))
          partCount += parts->size();
  }
  /// [to, count, calls], or to alone: one call
  MapReference target(const json::Value &value, uint32_t from,
                      const Twine &member) {
    if (value.kind() == json::Value::Number)
      return {from, index(value, member, partCount, "part"), 1, true};
    const ArrayRef<json::Value> numbers = elements(value, member);
    if (numbers.size() < 3) {
      wrong(member, "is not [to, count, calls]");
      return {};
    }
    return {from, index(numbers[0], member + "[0]", partCount, "part"),
            uint32_t(number(numbers[1], member + "[1]", MapReference::kMost)),
            number(numbers[2], member + "[2]", 1) == 1};
  }

  /// Compares the numbers of an object with each other.
  template <class T> void check(T &) {}
  void check(MapOutput &out) {
    checkSpace(out.address, out.size, "");
    uint64_t end = 0; // of the part in front, as a distance from the output
    for (uint32_t i = 0; i < out.parts && !failed; ++i) {
      MapPart &part = map.parts[out.firstPart + i];
      part.output = uint32_t(&out - map.outputs.data());
      const std::string member = ("parts[" + Twine(i) + "]").str();
      checkSpace(part.address, part.size, member);
      const uint64_t offset = part.address - out.address;
      if (part.address < out.address || offset > out.size ||
          part.size > out.size - offset)
        wrong(member,
              "is not inside its output section '" + printable(out.name) + "'");
      if (offset < end)
        wrong(member, "begins before the part in front of it ends");
      end = offset + part.size;
    }
  }
  void checkSpace(uint64_t address, uint64_t size, const Twine &member) {
    const uint64_t last = map.addressBits == 32 ? UINT32_MAX : UINT64_MAX;
    // A section may end where the address space does.
    if (address > last || (size && size - 1 > last - address))
      wrong(member, "address " + hex(address) + " and size " + Twine(size) +
                        " go past the end of a " + Twine(map.addressBits) +
                        "-bit address space");
  }

  const StringRef file;
  Diagnostics &diag;
  bool failed = false;
  LinkMap map;
  size_t partCount = 0;                 ///< of all output sections
  const json::Object *object = nullptr; ///< that is being read
  std::string path;                     ///< of that object
};

} // namespace

/// The offset at which values nest too deep, or npos. Texts from outside must
/// not decide how much stack the parser takes.
static size_t findTooDeep(StringRef text, unsigned most) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"')
      inString = !inString;
    else if (inString)
      i += c == '\\';
    else if ((c == '{' || c == '[') && ++depth > most)
      return i;
    else if ((c == '}' || c == ']') && depth)
      --depth;
  }
  return StringRef::npos;
}

std::string jsonAnswer(StringRef format,
                       function_ref<void(json::OStream &)> write,
                       unsigned indent) {
  std::string text;
  raw_string_ostream out(text);
  json::OStream json(out, indent);
  json.object([&] {
    json.attribute("format", format);
    json.attribute("version", 1);
    write(json);
  });
  out << '\n';
  return text;
}

void writeMapJson(raw_ostream &out, const LinkMap &map) {
  // members() is for the reader too; the writer changes nothing.
  MapWriter(out, const_cast<LinkMap &>(map)).run();
}

std::string mapJson(const LinkMap &map) {
  std::string text;
  raw_string_ostream out(text);
  writeMapJson(out, map);
  return text;
}

std::optional<LinkMap> readLinkMap(StringRef file, StringRef text,
                                   Diagnostics &diag) {
  constexpr unsigned kMostDepth = 64;
  // Lists are indexed with 32 bits, and no map of a program is near this.
  constexpr uint64_t kMostBytes = uint64_t(1) << 30;
  if (text.size() > kMostBytes) {
    diag.error(file.str() + ": is larger than a map can be (1 GB)");
    return std::nullopt;
  }
  if (const size_t at = findTooDeep(text, kMostDepth); at != StringRef::npos) {
    diag.error((file + ": values nest deeper than " + Twine(kMostDepth) +
                " at byte " + Twine(at))
                   .str());
    return std::nullopt;
  }
  Expected<json::Value> value = json::parse(text);
  if (value)
    return MapReader(file, diag).run(*value);
  // "[line:column, byte=offset]: message"; the column at the end of the text
  // counts from 0.
  const std::string error = toString(value.takeError());
  const auto [place, message] = StringRef(error).split("]: ");
  const auto [line, column] = place.drop_front().split(',').first.split(':');
  diag.error((file + ":" + line + ":" + (column == "0" ? "1" : column) +
              ": no JSON: " + message)
                 .str());
  return std::nullopt;
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
