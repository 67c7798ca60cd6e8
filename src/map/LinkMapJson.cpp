//===- LinkMapJson.cpp ----------------------------------------------------===//
//
// Problem: a map of 100,000 functions is some 20 MB of JSON, in a link that
// takes a fifth of a second; a tree of json::Value takes a hundred times that
// memory. A map that is read comes from outside: from another version of this
// tool, from a script that changed it, from a transfer that cut it off. Users
// of a LinkMap index its lists and add its sizes without a further check.
//
// Method: members() lists the members of each kind of object once, in the order
// of the file, for MapWriter and MapReader. The writer writes text as it is,
// without the members that README.md allows to be left out. The reader cuts the
// text of an object at its commas, and those of its members in turn, down to
// single values, which llvm::json parses. An index is read after its
// list, whatever the order of the text, and so it is checked at once. The
// version comes before all else: the members of another one may mean something
// else.
//
// Cost: writing is one pass over the map; reading is one look at each byte for
// each object and list that it is in.
//
//===----------------------------------------------------------------------===//
#include "map/LinkMapJson.h"
#include "base/Address.h"
#include "base/MappedFile.h"
#include "map/MapNames.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace xlink {

namespace {

//===----------------------------------------------------------------------===//
// The members of each object
//===----------------------------------------------------------------------===//

/// Whether a member is in each object that is written, and must be in each that
/// is read.
enum Presence : uint8_t {
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

  void text(StringRef name, StringRef value, Presence presence = Optional) {
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
  void count(StringRef name, uint64_t value, Presence presence = Optional,
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
            Presence presence = Optional) {
    if (value || presence != Optional)
      text(name, words[value]);
  }
  /// The letters of readelf for sh_flags; what has none follows as a number.
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
  void list(StringRef name, std::vector<T> &list, Presence presence = Optional,
            StringRef separator = "") {
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
  void references(StringRef name, const LinkMap &map);

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

/// A list for each part that refers to others: its index, and theirs.
void MapWriter::references(StringRef name, const LinkMap &map) {
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

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Reads the members of an object that it is told.
class MapReader {
public:
  MapReader(StringRef file, StringRef text, Diagnostics &diag)
      : file(file), whole(text), diag(diag) {}
  std::optional<LinkMap> run();

  void text(StringRef name, StringRef &into, Presence presence = Optional) {
    if (const std::optional<std::string> value = stringAt(name, presence))
      into = map.keep(*value);
  }
  template <class T>
  void count(StringRef name, T &into, Presence presence = Optional,
             uint64_t otherwise = 0) {
    into = T(otherwise);
    if (const std::optional<StringRef> value = find(name, presence))
      into = T(number(*value, name, std::numeric_limits<T>::max()));
  }
  void count(StringRef name, std::optional<uint64_t> &into) {
    if (const std::optional<StringRef> value = find(name, Optional))
      into = number(*value, name, UINT64_MAX);
  }
  void address(StringRef name, uint64_t &into,
               std::optional<uint64_t> otherwise = {}) {
    into = otherwise.value_or(0);
    const std::optional<std::string> value =
        stringAt(name, otherwise ? Optional : Needed);
    if (StringRef digits = value ? StringRef(*value) : "";
        value && (!digits.consume_front("0x") || digits.getAsInteger(16, into)))
      wrong(name, "'" + printable(*value) +
                      "' is no number of up to 64 bits like 0x10a0");
  }
  void flag(StringRef name, bool &into, bool otherwise) {
    const std::optional<StringRef> value = find(name, Optional);
    into = value ? *value == "true" : otherwise;
    if (value && !into && *value != "false" && parse(*value))
      wrong(name, "is neither true nor false");
  }
  template <class T>
  void word(StringRef name, T &into, ArrayRef<StringLiteral> words,
            Presence presence = Optional) {
    const std::optional<std::string> value = stringAt(name, presence);
    if (!value)
      return;
    const auto found = llvm::find(words, StringRef(*value));
    if (found == words.end())
      return wrong(name, "'" + printable(*value) + "' is none of " +
                             join(words, ", "));
    into = T(found - words.begin());
  }
  void sectionFlags(StringRef name, uint64_t &into);
  template <class T>
  void index(StringRef name, uint32_t &into, std::vector<T> LinkMap::*list,
             const char *element) {
    if (const std::optional<StringRef> value = find(name, Optional))
      into = index(*value, name, countOf(list), element);
  }
  template <class T>
  void list(StringRef name, std::vector<T> &into, Presence presence = Optional,
            StringRef = "") {
    readList(name, into, presence, [&](T &o) { members(*this, o); });
  }
  template <class T, class Fn>
  void slice(StringRef name, std::vector<T> LinkMap::*list, uint32_t &first,
             uint32_t &count, StringRef, Fn read) {
    first = uint32_t((map.*list).size());
    readList(name, map.*list, Optional, read);
    count = uint32_t((map.*list).size()) - first;
  }
  void entry(StringRef name, LinkMap &map);
  void references(StringRef name, LinkMap &map);

private:
  /// How deep values may stand in others: texts from outside must not decide
  /// how much stack reading them takes.
  static constexpr unsigned kMaxDepth = 64;
  static constexpr const char *kSpace = " \n\t\r";

  bool isNested();
  void malformed(size_t at, const Twine &text);
  /// Reports the first error, at a member of the object that is being read, or
  /// at that object. Nothing that is read afterwards matters.
  void wrong(const Twine &member, const Twine &text);
  std::optional<json::Value> parse(StringRef value);
  std::vector<StringRef> split(StringRef value, char open, const Twine &member);
  template <class Fn> void readObject(StringRef value, Fn read);
  template <class T, class Fn>
  void readList(StringRef name, std::vector<T> &into, Presence presence,
                Fn read);

  /// The value of a member as it is written.
  std::optional<StringRef> find(StringRef name, Presence presence) {
    for (const auto &[known, value] : object)
      if (known == name)
        return value;
    if (presence == Needed)
      wrong("", "member '" + name + "' is missing");
    return std::nullopt;
  }
  std::optional<std::string> stringAt(StringRef name, Presence presence);
  uint64_t number(StringRef value, const Twine &member, uint64_t most);
  uint32_t index(StringRef value, const Twine &member, size_t count,
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
  MapReference target(StringRef value, uint32_t from, const Twine &member);

  /// Compares the numbers of an object with each other.
  template <class T> void check(T &) {}
  void check(MapOutput &out);
  void checkPart(const MapOutput &out, const MapPart &part, uint64_t &end,
                 const Twine &member);
  void checkSpace(uint64_t address, uint64_t size, const Twine &member);
  void countParts();

  const StringRef file, whole;
  Diagnostics &diag;
  bool failed = false;
  LinkMap map;
  size_t partCount = 0; ///< of all output sections
  /// Names and values of the members of the object that is being read.
  SmallVector<std::pair<StringRef, StringRef>, 12> object;
  std::string path; ///< of that object
};

} // namespace

/// Where the string that begins at a quote ends.
static size_t stringEnd(StringRef text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    at += text[at] == '\\';
  return at;
}

/// Whether strings and brackets end, with commas and colons between them, and
/// none is too deep in others.
bool MapReader::isNested() {
  size_t at = 0;
  if (!json::isUTF8(whole, &at))
    malformed(at, "this is not UTF-8");
  SmallVector<char, kMaxDepth> open;
  char before = ':';
  for (at = 0; at < whole.size() && !failed; ++at) {
    const char c = whole[at];
    if (StringRef(kSpace).contains(c))
      continue;
    if ((StringRef("\"[{").contains(c) &&
         !StringRef("[{,:").contains(before)) ||
        (StringRef("\"]}").contains(before) && !StringRef(",:]}").contains(c)))
      malformed(at, "',' or ':' is expected");
    before = c;
    if (c == '"') {
      const size_t begin = at;
      at = stringEnd(whole, at);
      if (at >= whole.size())
        malformed(begin, "the string does not end");
    } else if (c == '[' || c == '{') {
      open.push_back(c == '[' ? ']' : '}');
      if (open.size() > kMaxDepth)
        malformed(at, "values nest deeper than " + Twine(kMaxDepth));
    } else if ((c == ']' || c == '}') &&
               (open.empty() || open.pop_back_val() != c)) {
      malformed(at, Twine("'") + Twine(c) + "' ends nothing");
    }
  }
  if (!open.empty())
    malformed(whole.size(),
              Twine("',' or '") + Twine(open.back()) + "' is expected");
  return !failed;
}

void MapReader::malformed(size_t at, const Twine &text) {
  if (std::exchange(failed, true))
    return;
  const StringRef before = whole.take_front(at);
  const size_t line = before.rfind('\n') + 1; // npos: the first one
  diag.error((file + ":" + Twine(before.count('\n') + 1) + ":" +
              Twine(at - line + 1) + ": no JSON: " + text)
                 .str());
}

void MapReader::wrong(const Twine &member, const Twine &text) {
  if (std::exchange(failed, true))
    return;
  std::string where = member.str();
  if (!path.empty())
    where = path + (where.empty() ? "" : ".") + where;
  diag.error((file + ": " + where + (where.empty() ? "" : ": ") + text).str());
}

std::optional<json::Value> MapReader::parse(StringRef value) {
  if (failed)
    return std::nullopt;
  Expected<json::Value> parsed = json::parse(value);
  if (parsed)
    return std::move(*parsed);
  // "[line:column, byte=offset]: message", behind the character that is wrong
  const std::string error = toString(parsed.takeError());
  const auto [place, message] = StringRef(error).split("]: ");
  size_t offset = 0;
  place.split('=').second.getAsInteger(10, offset);
  malformed(value.data() - whole.data() + std::max<size_t>(offset, 1) - 1,
            message);
  return std::nullopt;
}

/// The elements of an array, or the members of an object.
std::vector<StringRef> MapReader::split(StringRef value, char open,
                                        const Twine &member) {
  std::vector<StringRef> elements;
  if (!value.starts_with(StringRef(&open, 1))) {
    if (parse(value)) // malformed JSON is reported as that
      wrong(member, open == '{' ? "is no object" : "is no array");
    return elements;
  }
  unsigned depth = 0;
  size_t begin = 1;
  for (size_t at = 0; at < value.size(); ++at) {
    const char c = value[at];
    if (c == '"')
      at = stringEnd(value, at);
    depth += c == '[' || c == '{';
    depth -= c == ']' || c == '}';
    if (!(c == ',' && depth == 1) && !((c == ']' || c == '}') && depth == 0))
      continue;
    elements.push_back(value.slice(begin, at).trim(kSpace));
    begin = at + 1;
    if (depth == 0)
      break;
  }
  if (begin != value.size())
    malformed(value.data() + begin - whole.data(), "',' is expected");
  if (elements.size() == 1 && elements[0].empty())
    elements.clear();
  return elements;
}

template <class Fn> void MapReader::readObject(StringRef value, Fn read) {
  decltype(object) members;
  SmallDenseSet<StringRef, 16> names;
  for (StringRef element : split(value, '{', "")) {
    const size_t end = stringEnd(element, 0);
    StringRef rest = element.substr(end + 1).ltrim(kSpace);
    if (!element.starts_with("\"") || !rest.consume_front(":"))
      return malformed(element.data() - whole.data(),
                       "a member's name and ':' are expected");
    members.push_back({element.slice(1, end), rest.ltrim(kSpace)});
    if (!names.insert(members.back().first).second)
      wrong(printable(members.back().first), "stands there twice");
  }
  if (failed)
    return;
  std::swap(object, members);
  read();
  std::swap(object, members);
}

/// Adds the objects of a list.
template <class T, class Fn>
void MapReader::readList(StringRef name, std::vector<T> &into,
                         Presence presence, Fn read) {
  const std::optional<StringRef> value = find(name, presence);
  if (!value)
    return;
  const std::vector<StringRef> elements = split(*value, '[', name);
  const size_t first = into.size(), length = path.size();
  into.resize(first + elements.size());
  for (size_t i = 0; i < elements.size() && !failed; ++i) {
    path += ((length ? "." : "") + name + "[" + Twine(i) + "]").str();
    readObject(elements[i], [&] { read(into[first + i]); });
    check(into[first + i]);
    path.resize(length);
  }
}

std::optional<std::string> MapReader::stringAt(StringRef name,
                                               Presence presence) {
  const std::optional<StringRef> written = find(name, presence);
  const std::optional<json::Value> value =
      written ? parse(*written) : std::nullopt;
  if (!value)
    return std::nullopt;
  if (const std::optional<StringRef> text = value->getAsString())
    return text->str();
  wrong(name, "is no string");
  return std::nullopt;
}

/// A whole number from 0 to `most`.
uint64_t MapReader::number(StringRef value, const Twine &member,
                           uint64_t most) {
  uint64_t result = 0;
  if (!value.getAsInteger(10, result) && result <= most)
    return result;
  if (const std::optional<json::Value> other = parse(value))
    wrong(member, other->kind() == json::Value::Number
                      ? value + " is no whole number from 0 to " + Twine(most)
                      : Twine("is no number"));
  return 0;
}

void MapReader::sectionFlags(StringRef name, uint64_t &into) {
  const std::string value = stringAt(name, Optional).value_or("");
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

void MapReader::entry(StringRef name, LinkMap &map) {
  const std::optional<StringRef> value = find(name, Optional);
  if (!value)
    return;
  path = name.str();
  readObject(*value, [&] {
    text("name", map.entryName);
    address("address", map.entry);
  });
  path.clear();
}

/// [to, count, calls], or to alone: one call
MapReference MapReader::target(StringRef value, uint32_t from,
                               const Twine &member) {
  if (!value.empty() && (isDigit(value[0]) || value[0] == '-'))
    return {from, index(value, member, partCount, "part"), 1, true};
  const std::vector<StringRef> numbers = split(value, '[', member);
  if (numbers.size() < 3) {
    wrong(member, "is not [to, count, calls]");
    return {};
  }
  const uint64_t count =
      number(numbers[1], member + "[1]", MapReference::kMost);
  const uint64_t calls = number(numbers[2], member + "[2]", 1);
  return {from, index(numbers[0], member + "[0]", partCount, "part"),
          uint32_t(count), calls == 1};
}

/// [from, [to, count, calls], ...]
void MapReader::references(StringRef name, LinkMap &map) {
  const std::optional<StringRef> value = find(name, Optional);
  if (!value)
    return;
  map.crossed = true;
  const std::vector<StringRef> elements = split(*value, '[', name);
  for (size_t i = 0; i < elements.size() && !failed; ++i) {
    const std::string member = (name + "[" + Twine(i) + "]").str();
    const std::vector<StringRef> targets = split(elements[i], '[', member);
    if (targets.empty())
      return wrong(member, "is not [from, [to, count, calls], ...]");
    const uint32_t from = index(targets[0], member + "[0]", partCount, "part");
    for (size_t j = 1; j < targets.size(); ++j)
      map.references.push_back(
          target(targets[j], from, member + "[" + Twine(j) + "]"));
  }
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

void MapReader::checkSpace(uint64_t address, uint64_t size,
                           const Twine &member) {
  const uint64_t last = map.addressBits == 32 ? UINT32_MAX : UINT64_MAX;
  // A section may end where the address space does.
  if (address > last || (size && size - 1 > last - address))
    wrong(member, "address " + hex(address) + " and size " + Twine(size) +
                      " go past the end of a " + Twine(map.addressBits) +
                      "-bit address space");
}

/// `end`: where the part in front ends, as a distance from the output section.
void MapReader::checkPart(const MapOutput &out, const MapPart &part,
                          uint64_t &end, const Twine &member) {
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

void MapReader::check(MapOutput &out) {
  checkSpace(out.address, out.size, "");
  uint64_t end = 0;
  for (uint32_t i = 0; i < out.parts && !failed; ++i) {
    MapPart &part = map.parts[out.firstPart + i];
    part.output = uint32_t(&out - map.outputs.data());
    checkPart(out, part, end, "parts[" + Twine(i) + "]");
  }
}

void MapReader::countParts() {
  const std::optional<StringRef> outputs = find("outputs", Optional);
  if (!outputs)
    return;
  for (auto [i, output] : enumerate(split(*outputs, '[', "outputs"))) {
    path = ("outputs[" + Twine(i) + "]").str();
    readObject(output, [&] {
      if (const std::optional<StringRef> parts = find("parts", Optional))
        partCount += split(*parts, '[', "parts").size();
    });
    path.clear();
  }
}

std::optional<LinkMap> MapReader::run() {
  if (!isNested())
    return std::nullopt;
  readObject(whole.trim(kSpace), [&] {
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
  // Lists are indexed with 32 bits, and no map of a program is near this.
  constexpr uint64_t kMostBytes = uint64_t(1) << 30;
  if (text.size() > kMostBytes) {
    diag.error(file.str() + ": is larger than a map can be (1 GB)");
    return std::nullopt;
  }
  return MapReader(file, text, diag).run();
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
