//===- LinkMapJson.cpp ----------------------------------------------------===//
//
// Problem: a map of 100,000 functions is some 20 MB of JSON, in a link that
// takes a tenth of a second. A tree of values would cost more than the link.
//
// Method: text is appended as it is, member by member; what the description in
// README.md leaves out is left out. Names are looked at once: those without a
// character that JSON escapes, nearly all, are copied, the others go through
// LLVM's. Parts and references are cut into chunks of some thousands that
// threads write side by side.
//
// Cost: one pass over the map, and one copy of the text.
//
//===----------------------------------------------------------------------===//
#include "map/LinkMapJson.h"
#include "base/Address.h"
#include "map/MapNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <charconv>

using namespace llvm;

namespace xlink {

namespace {

constexpr uint32_t kNoIndex = LinkMap::kNoIndex;

/// Members of an object, one behind the other.
class Text {
public:
  std::string out;

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
  void number(uint64_t value, int base = 10) {
    char digits[24];
    auto [end, error] = std::to_chars(digits, digits + 24, value, base);
    (void)error; // they fit
    out.append(digits, end);
  }
  void text(StringRef name, StringRef value) {
    if (value.empty())
      return;
    key(name);
    string(value);
  }
  void count(StringRef name, uint64_t value) {
    key(name);
    number(value);
  }
  /// Left out when it is `otherwise`.
  void count(StringRef name, uint64_t value, uint64_t otherwise) {
    if (value != otherwise)
      count(name, value);
  }
  void address(StringRef name, uint64_t value) {
    key(name);
    out += "\"0x";
    number(value, 16);
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
  std::vector<std::string> run();

private:
  void head(Text &t) const;
  void region(Text &t, const MapRegion &region) const;
  void file(Text &t, const MapFile &file) const;
  void outputHead(Text &t, const MapOutput &output) const;
  void part(Text &t, const MapPart &part) const;
  void symbol(Text &t, const MapSymbol &symbol) const;
  void discarded(Text &t, const MapDiscarded &discarded) const;
  void stack(Text &t, const MapStack &stack) const;

  /// Adds a member that is a list; an element takes about `bytes`.
  template <class List, class Fn>
  void list(StringRef name, const List &values, size_t bytes, Fn write);
  void outputs();
  /// Adds what write(Text &, i) writes for each i below `count`.
  void chunks(size_t count, size_t bytes,
              function_ref<void(Text &, size_t)> write);

  const LinkMap &map;
  const Parallel &parallel;
  std::vector<std::string> pieces; ///< never empty once run() has begun
};

} // namespace

void Text::string(StringRef text) {
  // Without a way out of the loop, which lets the compiler take many at once.
  unsigned special = 0;
  for (const char c : text)
    special |= unsigned(uint8_t(c - 0x20) >= 0x5f) | unsigned(c == '"') |
               unsigned(c == '\\');
  if (!special) {
    out += '"';
    out += text;
    out += '"';
    return;
  }
  raw_string_ostream stream(out);
  stream << json::Value(json::isUTF8(text) ? text.str() : json::fixUTF8(text));
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

void Writer::symbol(Text &t, const MapSymbol &symbol) const {
  t.key("name");
  t.string(symbol.name);
  t.address("address", symbol.address);
  t.count("size", symbol.size, 0);
  if (symbol.kind)
    t.text("kind", kSymbolKinds[symbol.kind]);
  t.flag("local", symbol.local);
  t.flag("weak", symbol.weak);
}

void Writer::part(Text &t, const MapPart &part) const {
  if (part.kind)
    t.text("kind", kPartKinds[part.kind]);
  t.text("name", part.name);
  t.count("file", part.file, kNoIndex);
  t.address("address", part.address);
  t.count("size", part.size);
  t.count("align", part.align, 1);
  if (part.line) {
    t.text("script", part.script);
    t.count("line", part.line);
  }
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
    symbol(t, map.symbols[part.firstSymbol + i]);
    t.close('}');
  }
  t.close(']');
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
  constexpr size_t kChunk = 2048;
  const size_t first = pieces.size();
  pieces.resize(first + (count + kChunk - 1) / kChunk);
  parallel.forEach(pieces.size() - first, count * bytes, [&](size_t chunk) {
    Text t;
    const size_t begin = chunk * kChunk, end = std::min(count, begin + kChunk);
    // What of it stays unused is never touched, so it costs nothing.
    t.out.reserve((end - begin) * bytes);
    for (size_t i = begin; i < end; ++i)
      write(t, i);
    pieces[first + chunk] = std::move(t.out);
  });
  pieces.emplace_back();
}

template <class List, class Fn>
void Writer::list(StringRef name, const List &values, size_t bytes, Fn write) {
  pieces.back() += (",\n\"" + name + "\":[").str();
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
  chunks(map.parts.size() + 1, 512, [&](Text &t, size_t i) {
    const bool isEnd = i == map.parts.size();
    const uint32_t last =
        isEnd ? uint32_t(map.outputs.size()) : map.parts[i].output + 1;
    for (uint32_t o = firstOutput[i]; o < last; ++o)
      begin(t, o);
    if (isEnd)
      return;
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

std::vector<std::string> Writer::run() {
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
  outputs();
  list("absolutes", map.absolutes, 128, object(&Writer::symbol));
  list("references", map.references, 32, [](Text &t, const MapReference &r) {
    t.out += '[';
    t.number(r.from);
    t.out += ',';
    t.number(r.to);
    t.out += ',';
    t.number(r.count);
    t.out += r.call ? ",1]" : ",0]";
  });
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

std::vector<std::string> mapJsonPieces(const LinkMap &map,
                                       const Parallel &parallel) {
  return Writer(map, parallel).run();
}

std::string mapJson(const LinkMap &map, const Parallel &parallel) {
  std::string text;
  for (const std::string &piece : mapJsonPieces(map, parallel))
    text += piece;
  return text;
}

} // namespace xlink
