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
// without the members that README.md allows to be left out. The reader parses
// the text to a tree of slices of it and leaves single values to llvm::json. An
// index is read after its list, whatever the order of the text, and so it is
// checked at once. The version comes before all else: the members of another
// one may mean something else.
//
// Cost: writing is one pass over the map, reading one over the text; 60 bytes
// for each value of that.
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

/// A value of JSON in the text of the file.
struct JsonNode {
  StringRef name; ///< of a member
  StringRef text; ///< as it is written
  /// Members of an object, elements of an array.
  std::vector<JsonNode> children;
};

/// Reads the members of an object that it is told.
class MapReader {
public:
  MapReader(StringRef file, StringRef text, Diagnostics &diag)
      : file(file), whole(text), diag(diag) {}
  std::optional<LinkMap> run();

  void text(StringRef name, StringRef &into,
            MemberPresence presence = Optional) {
    if (const std::optional<std::string> value = stringAt(name, presence))
      into = map.keep(*value);
  }
  template <class T>
  void count(StringRef name, T &into, MemberPresence presence = Optional,
             uint64_t otherwise = 0) {
    into = T(otherwise);
    if (const JsonNode *node = find(name, presence))
      into = T(number(*node, name, std::numeric_limits<T>::max()));
  }
  void count(StringRef name, std::optional<uint64_t> &into) {
    if (const JsonNode *node = find(name, Optional))
      into = number(*node, name, UINT64_MAX);
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
    const JsonNode *node = find(name, Optional);
    into = node ? node->text == "true" : otherwise;
    if (node && !into && node->text != "false")
      wrong(name, "is neither true nor false");
  }
  template <class T>
  void word(StringRef name, T &into, ArrayRef<StringLiteral> words,
            MemberPresence presence = Optional) {
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
    if (const JsonNode *node = find(name, Optional))
      into = index(*node, name, countOf(list), element);
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
  void entry(StringRef name, LinkMap &map);
  void references(StringRef name, LinkMap &map);

private:
  /// How deep values may stand in others: texts from outside must not decide
  /// how much stack reading them takes.
  static constexpr unsigned kMaxDepth = 64;

  bool parse(JsonNode &node, unsigned depth);
  bool parseName(JsonNode &node);
  bool parseValue(StringRef value);
  void passSpace() {
    at = std::min(whole.find_first_not_of(" \n\t\r", at), whole.size());
  }
  void passString() {
    for (++at; at < whole.size() && whole[at] != '"'; ++at)
      at += whole[at] == '\\';
    at = std::min(at + 1, whole.size());
  }
  /// Takes `c` if it is next.
  bool take(char c) {
    passSpace();
    const bool next = at < whole.size() && whole[at] == c;
    at += next;
    return next;
  }
  /// Reports the first error, at an offset of the text.
  bool malformed(size_t offset, const Twine &text);
  /// The same at a member of the object that is being read, or at that object.
  /// Nothing that is read afterwards matters.
  void wrong(const Twine &member, const Twine &text);

  template <class Fn>
  void readObject(const JsonNode &node, const Twine &member, Fn read);
  template <class T, class Fn>
  void readList(StringRef name, std::vector<T> &into, MemberPresence presence,
                Fn read);
  const JsonNode *find(StringRef name, MemberPresence presence) {
    for (const JsonNode &member : object->children)
      if (member.name == name)
        return &member;
    if (presence == Needed)
      wrong("", "member '" + name + "' is missing");
    return nullptr;
  }
  std::optional<std::string> stringAt(StringRef name, MemberPresence presence);
  ArrayRef<JsonNode> elements(const JsonNode &node, const Twine &member) {
    if (node.text[0] != '[')
      wrong(member, "is no array");
    return node.children;
  }
  uint64_t number(const JsonNode &node, const Twine &member, uint64_t most);
  uint32_t index(const JsonNode &node, const Twine &member, size_t count,
                 const char *element) {
    const uint64_t result = number(node, member, kNoIndex - 1);
    if (result >= count)
      wrong(member, Twine(result) + " is no " + element +
                        " of the map, which has " + Twine(count));
    return uint32_t(result);
  }
  /// Parts refer to later ones too.
  template <class T> size_t countOf(std::vector<T> LinkMap::*list) const {
    return std::is_same_v<T, MapPart> ? partCount : (map.*list).size();
  }
  void countParts();
  MapReference target(const JsonNode &node, uint32_t from, const Twine &member);

  /// Compares the numbers of an object with each other.
  template <class T> void check(T &) {}
  void check(MapOutput &out);
  void checkPart(const MapOutput &out, const MapPart &part, uint64_t &end,
                 const Twine &member);
  void checkSpace(uint64_t address, uint64_t size, const Twine &member);

  const StringRef file, whole;
  Diagnostics &diag;
  size_t at = 0; ///< up to where `whole` is parsed
  bool failed = false;
  LinkMap map;
  size_t partCount = 0;             ///< of all output sections
  const JsonNode *object = nullptr; ///< that is being read
  std::string path;                 ///< of that object
};

} // namespace

bool MapReader::malformed(size_t offset, const Twine &text) {
  if (std::exchange(failed, true))
    return false;
  const StringRef before = whole.take_front(offset);
  const size_t line = before.rfind('\n') + 1; // npos: the first one
  diag.error((file + ":" + Twine(before.count('\n') + 1) + ":" +
              Twine(offset - line + 1) + ": no JSON: " + text)
                 .str());
  return false;
}

void MapReader::wrong(const Twine &member, const Twine &text) {
  if (std::exchange(failed, true))
    return;
  std::string where = member.str();
  if (!path.empty())
    where = path + (where.empty() ? "" : ".") + where;
  diag.error((file + ": " + where + (where.empty() ? "" : ": ") + text).str());
}

bool MapReader::parse(JsonNode &node, unsigned depth) {
  passSpace();
  const size_t begin = at;
  const char open = at < whole.size() ? whole[at] : 0;
  if (open == '{' || open == '[') {
    if (depth == kMaxDepth)
      return malformed(at, "values nest deeper than " + Twine(kMaxDepth));
    const char close = open == '{' ? '}' : ']';
    for (++at; !take(close);) {
      if (!node.children.empty() && !take(','))
        return malformed(at,
                         Twine("',' or '") + Twine(close) + "' is expected");
      JsonNode &child = node.children.emplace_back();
      if ((open == '{' && !parseName(child)) || !parse(child, depth + 1))
        return false;
    }
  } else if (open == '"') {
    passString();
  } else {
    at = std::min(whole.find_first_of(" \n\t\r,:{}[]\"", at), whole.size());
  }
  node.text = whole.slice(begin, at);
  return !node.children.empty() || parseValue(node.text);
}

bool MapReader::parseName(JsonNode &node) {
  passSpace();
  const size_t begin = at;
  if (at == whole.size() || whole[at] != '"')
    return malformed(at, "the name of a member is expected");
  passString();
  node.name = whole.slice(begin + 1, at - 1);
  return parseValue(whole.slice(begin, at)) &&
         (take(':') || malformed(at, "':' is expected"));
}

/// Whether a value without others in it is one.
bool MapReader::parseValue(StringRef value) {
  // Nearly all are whole numbers, or strings without escapes.
  if (!value.empty() && all_of(value, isDigit))
    return true;
  if (value.size() > 1 && value.front() == '"' && value.back() == '"' &&
      none_of(value, [](char c) { return c == '\\' || uint8_t(c) < ' '; }))
    return true;
  Expected<json::Value> parsed = json::parse(value);
  if (parsed)
    return true;
  // "[line:column, byte=offset]: message", behind the character that is wrong
  const std::string error = toString(parsed.takeError());
  const auto [place, message] = StringRef(error).split("]: ");
  size_t offset = 0;
  place.split('=').second.getAsInteger(10, offset);
  return malformed(
      value.data() - whole.data() + std::max<size_t>(offset, 1) - 1, message);
}

template <class Fn>
void MapReader::readObject(const JsonNode &node, const Twine &member, Fn read) {
  const size_t length = path.size();
  path += ((length ? "." : "") + member).str();
  const JsonNode *around = std::exchange(object, &node);
  if (node.text[0] != '{')
    wrong("", "is no object");
  SmallDenseSet<StringRef, 16> names;
  for (const JsonNode &child : node.children)
    if (!names.insert(child.name).second)
      wrong(printable(child.name), "stands there twice");
  if (!failed)
    read();
  object = around;
  path.resize(length);
}

/// Adds the objects of a list.
template <class T, class Fn>
void MapReader::readList(StringRef name, std::vector<T> &into,
                         MemberPresence presence, Fn read) {
  const JsonNode *node = find(name, presence);
  if (!node)
    return;
  const ArrayRef<JsonNode> objects = elements(*node, name);
  const size_t first = into.size();
  into.resize(first + objects.size());
  for (size_t i = 0; i < objects.size() && !failed; ++i)
    readObject(objects[i], name + "[" + Twine(i) + "]", [&] {
      read(into[first + i]);
      check(into[first + i]);
    });
}

std::optional<std::string> MapReader::stringAt(StringRef name,
                                               MemberPresence presence) {
  const JsonNode *node = find(name, presence);
  if (!node)
    return std::nullopt;
  if (node->text[0] != '"') {
    wrong(name, "is no string");
    return std::nullopt;
  }
  if (!node->text.contains('\\'))
    return node->text.drop_front().drop_back().str();
  return cantFail(json::parse(node->text)).getAsString()->str();
}

/// A whole number from 0 to `most`.
uint64_t MapReader::number(const JsonNode &node, const Twine &member,
                           uint64_t most) {
  uint64_t result = 0;
  if (!node.text.getAsInteger(10, result) && result <= most)
    return result;
  if (isDigit(node.text[0]) || node.text[0] == '-')
    wrong(member, node.text + " is no whole number from 0 to " + Twine(most));
  else
    wrong(member, "is no number");
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
  if (const JsonNode *node = find(name, Optional))
    readObject(*node, name, [&] {
      text("name", map.entryName);
      address("address", map.entry);
    });
}

/// [to, count, calls], or to alone: one call
MapReference MapReader::target(const JsonNode &node, uint32_t from,
                               const Twine &member) {
  if (isDigit(node.text[0]) || node.text[0] == '-')
    return {from, index(node, member, partCount, "part"), 1, true};
  const ArrayRef<JsonNode> numbers = elements(node, member);
  if (numbers.size() < 3) {
    wrong(member, "is not [to, count, calls]");
    return {};
  }
  return {from, index(numbers[0], member + "[0]", partCount, "part"),
          uint32_t(number(numbers[1], member + "[1]", MapReference::kMost)),
          number(numbers[2], member + "[2]", 1) == 1};
}

/// [from, [to, count, calls], ...]
void MapReader::references(StringRef name, LinkMap &map) {
  const JsonNode *node = find(name, Optional);
  if (!node)
    return;
  map.crossed = true;
  for (auto [i, list] : enumerate(elements(*node, name))) {
    const std::string member = (name + "[" + Twine(i) + "]").str();
    const ArrayRef<JsonNode> targets = elements(list, member);
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
  const JsonNode *outputs = find("outputs", Optional);
  if (!outputs)
    return;
  for (const JsonNode &output : outputs->children)
    for (const JsonNode &member : output.children)
      if (member.name == "parts")
        partCount += member.children.size();
}

std::optional<LinkMap> MapReader::run() {
  JsonNode top;
  size_t offset = 0;
  if (!json::isUTF8(whole, &offset))
    malformed(offset, "this is not UTF-8");
  else if (parse(top, 0) && (passSpace(), at != whole.size()))
    malformed(at, "something follows the value");
  if (failed)
    return std::nullopt;
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
