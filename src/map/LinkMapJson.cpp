//===- LinkMapJson.cpp ----------------------------------------------------===//
//
// Problem: a map of 100,000 functions is some 20 MB of JSON, in a link that
// takes a fifth of a second. A tree of values would cost more than the link.
//
// Method: text is appended as it is, member by member; what the description in
// README.md leaves out is left out. Names are looked at once: those without a
// character that JSON escapes, nearly all, are copied, the others go through
// LLVM's. Parts and references are cut into chunks of some thousands that
// threads write side by side; a chunk of references begins where those of
// another part do.
//
// Cost: one pass over the map, and the text once.
//
//===----------------------------------------------------------------------===//
#include "map/LinkMapJson.h"
#include "base/Address.h"
#include "map/MapNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xlink {

namespace {

constexpr uint32_t kNoIndex = LinkMap::kNoIndex;

/// Members of an object, one behind the other.
class Text {
public:
  explicit Text(size_t room = 1024) : out(room) {}
  TextBlock out;

  void open(char bracket) {
    out += bracket;
    first = true;
  }
  void close(char bracket) {
    out += bracket;
    first = false;
  }
  void key(StringRef name) {
    if (!first)
      out += ',';
    first = false;
    out += '"';
    out += name;
    out += "\":";
  }
  void string(StringRef text);
  void text(StringRef name, StringRef value) {
    if (value.empty())
      return;
    key(name);
    string(value);
  }
  void count(StringRef name, uint64_t value) {
    key(name);
    out.number(value);
  }
  /// Left out when it is `otherwise`.
  void count(StringRef name, uint64_t value, uint64_t otherwise) {
    if (value != otherwise)
      count(name, value);
  }
  void address(StringRef name, uint64_t value) {
    key(name);
    out += "\"0x";
    out.number(value, 16);
    out += '"';
  }
  void flag(StringRef name, bool value) {
    if (!value)
      return;
    key(name);
    out += "true";
  }

private:
  bool first = true; ///< no comma in front of the next member
};

/// Writes lists in pieces that threads make side by side.
class Writer {
public:
  Writer(const LinkMap &map, const Parallel &parallel)
      : map(map), parallel(parallel) {}
  std::vector<TextBlock> run();

private:
  void head(Text &t) const;
  void region(Text &t, const MapRegion &region) const;
  void file(Text &t, const MapFile &file) const;
  void outputHead(Text &t, const MapOutput &output) const;
  void pattern(Text &t, const MapPattern &pattern) const;
  void part(Text &t, const MapPart &part) const;
  void prefetch(const MapPart &part) const;
  void symbol(Text &t, const MapSymbol &symbol, const MapPart *part) const;
  void absolute(Text &t, const MapSymbol &value) const {
    symbol(t, value, nullptr);
  }
  void referencesOf(Text &t, size_t &next, size_t end) const;
  void discarded(Text &t, const MapDiscarded &discarded) const;
  void stack(Text &t, const MapStack &stack) const;

  /// Adds a member that is a list; an element takes about `bytes`.
  template <class List, class Fn>
  void list(StringRef name, const List &values, size_t bytes, Fn write);
  void outputs();
  void references();
  /// Adds what write(Text &, i) writes for each i below `count`.
  void chunks(size_t count, size_t bytes,
              function_ref<void(Text &, size_t)> write);

  const LinkMap &map;
  const Parallel &parallel;
  std::vector<TextBlock> pieces; ///< never empty once run() has begun
};

} // namespace

/// Whether JSON has a text as it is: no control character, quote or backslash,
/// and nothing beyond ASCII. Eight letters at a time.
static bool isPlain(StringRef text) {
  constexpr uint64_t ones = 0x0101010101010101, highs = ones * 0x80;
  // Letters that are 0 have their highest bit set, and maybe some behind them.
  auto zeros = [](uint64_t word) { return (word - ones) & ~word; };
  uint64_t special = 0;
  auto look = [&](uint64_t word) {
    special |= word | (word - ones * 0x20) | zeros(word ^ (ones * '"')) |
               zeros(word ^ (ones * '\\')) | zeros(word ^ (ones * 0x7f));
  };
  size_t i = 0;
  for (uint64_t word; i + sizeof word <= text.size(); i += sizeof word) {
    memcpy(&word, text.data() + i, sizeof word);
    look(word);
  }
  for (; i < text.size(); ++i)
    look(ones * uint8_t(text[i]));
  return !(special & highs);
}

void Text::string(StringRef text) {
  if (isPlain(text)) {
    out += '"';
    out += text;
    out += '"';
    return;
  }
  std::string escaped;
  raw_string_ostream stream(escaped);
  stream << json::Value(json::isUTF8(text) ? text.str() : json::fixUTF8(text));
  out += escaped;
}

/// The letters of readelf for sh_flags; what has none follows as a number.
static std::string flagLetters(uint64_t flags) {
  std::string text;
  for (auto [letter, flag] : kSectionFlagLetters)
    if (flags & flag) {
      text += letter;
      flags &= ~flag;
    }
  if (flags)
    text += hex(Size(flags));
  return text;
}

void Writer::head(Text &t) const {
  t.open('{');
  t.text("format", "xlink map");
  t.count("version", LinkMap::kVersion);
  t.text("machine", map.machine);
  t.text("output", map.output);
  t.count("addressBits", map.addressBits);
  if (map.entryName.empty())
    return;
  t.key("entry");
  t.open('{');
  t.text("name", map.entryName);
  t.address("address", map.entry);
  t.close('}');
}

void Writer::region(Text &t, const MapRegion &region) const {
  t.key("name");
  t.string(region.name);
  t.address("origin", region.origin);
  t.count("length", region.length);
  t.count("used", region.used);
  t.count("loadOnly", region.loadOnly, 0);
  t.flag("builtin", region.builtin);
  if (region.reservations.empty())
    return;
  t.key("reservations");
  t.open('[');
  for (const MapReservation &r : region.reservations) {
    if (&r != &region.reservations.front())
      t.out += ',';
    t.open('{');
    t.text("name", r.name);
    t.text("kind", kReservationKinds[r.kind]);
    t.address("address", r.address);
    t.count("size", r.size);
    t.close('}');
  }
  t.close(']');
}

void Writer::file(Text &t, const MapFile &file) const {
  t.key("path");
  t.string(file.path);
  t.text("member", file.member);
  t.text("symbol", file.symbol);
  t.count("neededBy", file.neededBy, kNoIndex);
  t.text("source", file.source);
}

void Writer::outputHead(Text &t, const MapOutput &output) const {
  t.key("name");
  t.string(output.name);
  t.address("address", output.address);
  if (output.loadAddress != output.address)
    t.address("loadAddress", output.loadAddress);
  t.count("size", output.size);
  t.count("align", output.align);
  t.count("type", output.type, ELF::SHT_PROGBITS);
  t.text("flags", flagLetters(output.flags));
  t.count("region", output.region, kNoIndex);
  t.count("loadRegion", output.loadRegion, kNoIndex);
}

/// `part`: where it is, null: in none.
void Writer::symbol(Text &t, const MapSymbol &symbol,
                    const MapPart *part) const {
  t.key("name");
  t.string(symbol.name);
  if (!part || part->address != symbol.address)
    t.address("address", symbol.address);
  t.count("size", symbol.size, 0);
  if (symbol.kind)
    t.text("kind", kSymbolKinds[symbol.kind]);
  t.flag("local", symbol.local);
  t.flag("weak", symbol.weak);
  t.flag("inferred", symbol.inferred);
}

void Writer::pattern(Text &t, const MapPattern &pattern) const {
  t.text("script", pattern.script);
  t.count("line", pattern.line, 0);
  t.text("text", pattern.text);
}

void Writer::part(Text &t, const MapPart &part) const {
  if (part.kind)
    t.text("kind", kPartKinds[part.kind]);
  t.text("name", part.name);
  t.count("file", part.file, kNoIndex);
  t.address("address", part.address);
  t.count("size", part.size);
  t.count("align", part.align, 1);
  t.count("pattern", part.pattern, kNoIndex);
  t.text("cause", part.cause);
  if (part.live)
    t.text("live", kLiveReasons[part.live]);
  t.count("from", part.liveFrom, kNoIndex);
  if (!part.symbols)
    return;
  t.key("symbols");
  t.open('[');
  for (uint32_t i = 0; i < part.symbols; ++i) {
    if (i)
      t.out += ',';
    t.open('{');
    symbol(t, map.symbols[part.firstSymbol + i], &part);
    t.close('}');
  }
  t.close(']');
}

/// Names lie all over the input files: fetching one takes longer than writing
/// a part.
void Writer::prefetch(const MapPart &part) const {
  __builtin_prefetch(part.name.data());
  if (part.symbols)
    __builtin_prefetch(map.symbols[part.firstSymbol].name.data());
}

void Writer::discarded(Text &t, const MapDiscarded &d) const {
  t.text("name", d.name);
  t.count("file", d.file, kNoIndex);
  t.count("size", d.size);
  t.text("reason", kDiscardReasons[d.reason]);
}

void Writer::stack(Text &t, const MapStack &stack) const {
  t.text("root", stack.root);
  t.text("kind", stack.kind);
  t.count("bytes", stack.bytes);
  if (!stack.bounded) {
    t.key("bounded");
    t.out += "false";
  }
  t.count("limit", stack.limit, 0);
  t.key("path");
  t.open('[');
  for (size_t i = 0; i < stack.path.size(); ++i) {
    if (i)
      t.out += ',';
    t.open('{');
    t.text("function", stack.path[i].function);
    t.count("bytes", stack.path[i].bytes);
    t.close('}');
  }
  t.close(']');
}

void Writer::chunks(size_t count, size_t bytes,
                    function_ref<void(Text &, size_t)> write) {
  constexpr size_t kChunk = 8192;
  const size_t first = pieces.size();
  pieces.resize(first + (count + kChunk - 1) / kChunk);
  parallel.forEach(pieces.size() - first, count * bytes, [&](size_t chunk) {
    const size_t begin = chunk * kChunk, end = std::min(count, begin + kChunk);
    Text t((end - begin) * bytes);
    for (size_t i = begin; i < end; ++i)
      write(t, i);
    pieces[first + chunk] = std::move(t.out);
  });
  pieces.emplace_back();
}

template <class List, class Fn>
void Writer::list(StringRef name, const List &values, size_t bytes, Fn write) {
  pieces.back() += ",\n\"";
  pieces.back() += name;
  pieces.back() += "\":[";
  chunks(values.size(), bytes, [&](Text &t, size_t i) {
    t.out += i ? ",\n" : "\n";
    write(t, values[i]);
  });
  pieces.back() += ']';
}

/// Parts are what there are many of: a piece is some of them, with the heads of
/// the output sections in front of them.
void Writer::outputs() {
  // Where output sections begin: of each part, whose it is, and of the rest,
  // which have no parts, what they stand in front of.
  pieces.back() += ",\n\"outputs\":[";
  std::vector<uint32_t> firstOutput(map.parts.size() + 1);
  for (uint32_t i = 0, o = 0; i <= map.parts.size(); ++i) {
    firstOutput[i] = o;
    while (o < map.outputs.size() && map.outputs[o].firstPart <= i)
      ++o;
  }
  auto begin = [&](Text &t, uint32_t o) {
    t.out += o ? ",\n" : "\n";
    t.open('{');
    outputHead(t, map.outputs[o]);
    if (map.outputs[o].parts) {
      t.key("parts");
      t.open('[');
    } else {
      t.close('}');
    }
  };
  chunks(map.parts.size() + 1, 256, [&](Text &t, size_t i) {
    const bool isEnd = i == map.parts.size();
    const uint32_t last =
        isEnd ? uint32_t(map.outputs.size()) : map.parts[i].output + 1;
    for (uint32_t o = firstOutput[i]; o < last; ++o)
      begin(t, o);
    if (isEnd)
      return;
    constexpr size_t kAhead = 8;
    if (i + kAhead < map.parts.size())
      prefetch(map.parts[i + kAhead]);
    const MapPart &p = map.parts[i];
    const MapOutput &of = map.outputs[p.output];
    t.out += i == of.firstPart ? "\n" : ",\n";
    t.open('{');
    part(t, p);
    t.close('}');
    if (i + 1 == of.firstPart + of.parts)
      t.out += "]}";
  });
  pieces.back() += ']';
}

/// The element of a part that refers to others, which begins at `next`; what
/// follows begins there afterwards.
void Writer::referencesOf(Text &t, size_t &next, size_t end) const {
  const uint32_t from = map.references[next].from;
  t.out += next ? ",\n[" : "\n[";
  t.out.number(from);
  for (; next < end && map.references[next].from == from; ++next) {
    const MapReference &r = map.references[next];
    t.out += ",[";
    t.out.number(r.to);
    t.out += ',';
    t.out.number(r.count);
    t.out += r.call ? ",1]" : ",0]";
  }
  t.out += ']';
}

/// Those of one part are one element, so a piece ends where a part does.
void Writer::references() {
  constexpr size_t kChunk = 131072;
  const std::vector<MapReference> &all = map.references;
  auto cut = [&](size_t i) {
    i = std::min(i, all.size());
    while (i && i < all.size() && all[i].from == all[i - 1].from)
      ++i;
    return i;
  };
  pieces.back() += ",\n\"references\":[";
  const size_t first = pieces.size();
  pieces.resize(first + (all.size() + kChunk - 1) / kChunk);
  parallel.forEach(pieces.size() - first, all.size() * 16, [&](size_t chunk) {
    const size_t end = cut((chunk + 1) * kChunk);
    Text t(std::min(kChunk, all.size()) * 16);
    for (size_t next = cut(chunk * kChunk); next < end;)
      referencesOf(t, next, end);
    pieces[first + chunk] = std::move(t.out);
  });
  pieces.emplace_back() += ']';
}

std::vector<TextBlock> Writer::run() {
  auto object = [this](auto write) {
    return [this, write](Text &t, const auto &value) {
      t.open('{');
      (this->*write)(t, value);
      t.close('}');
    };
  };
  Text t;
  head(t);
  pieces.push_back(std::move(t.out));
  list("regions", map.regions, 256, object(&Writer::region));
  list("files", map.files, 256, object(&Writer::file));
  list("patterns", map.patterns, 128, object(&Writer::pattern));
  outputs();
  list("absolutes", map.absolutes, 128, object(&Writer::absolute));
  references();
  list("discarded", map.discarded, 192, object(&Writer::discarded));
  list("relocations", map.relocations, 64,
       [](Text &t, const MapRelocationCount &r) {
         t.open('{');
         t.text("type", r.type);
         t.count("count", r.count);
         t.close('}');
       });
  if (!map.stacks.empty())
    list("stacks", map.stacks, 512, object(&Writer::stack));
  pieces.back() += "}\n";
  return std::move(pieces);
}

std::vector<TextBlock> mapJsonPieces(const LinkMap &map,
                                     const Parallel &parallel) {
  return Writer(map, parallel).run();
}

std::string mapJson(const LinkMap &map, const Parallel &parallel) {
  std::string text;
  for (const TextBlock &piece : mapJsonPieces(map, parallel))
    text += piece.str();
  return text;
}

} // namespace xlink
