//===- LinkMapJson.cpp ----------------------------------------------------===//
//
// Problem: a map of 100,000 functions is some 20 MB of JSON, in a link that
// takes a fifth of a second. A tree of values would cost more than the link.
//
// Method: text is written as it is, member by member, without the members
// that README.md allows to be left out. Names without a character that JSON
// escapes, nearly all, are copied, the others go through LLVM's writer.
//
// Cost: one pass over the map. Nothing of the text is kept.
//
//===----------------------------------------------------------------------===//
#include "map/LinkMapJson.h"
#include "base/Address.h"
#include "map/MapNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace xlink {

namespace {

class Writer {
public:
  Writer(raw_ostream &out, const LinkMap &map) : out(out), map(map) {}
  void run();

private:
  /// Begins an object, whose bracket comes with its first member.
  void open() { before = '{'; }
  void close() {
    if (before == '{')
      out << '{';
    out << '}';
    before = ',';
  }
  void key(StringRef name) {
    out << std::exchange(before, ',') << '"' << name << "\":";
  }
  void quoted(StringRef text);
  /// Members of the object that is open. Empty texts, flags that are not set
  /// and numbers that are `otherwise` are left out.
  void text(StringRef name, StringRef value) {
    if (value.empty())
      return;
    key(name);
    quoted(value);
  }
  void count(StringRef name, uint64_t value) {
    key(name);
    out << value;
  }
  void count(StringRef name, uint64_t value, uint64_t otherwise) {
    if (value != otherwise)
      count(name, value);
  }
  void address(StringRef name, uint64_t value) {
    key(name);
    out << "\"0x";
    out.write_hex(value) << '"';
  }
  void flag(StringRef name, bool value) {
    if (!value)
      return;
    key(name);
    out << "true";
  }
  /// A list of objects; `separator` stands in front of each.
  template <class List, class Fn>
  void objects(const List &list, StringRef separator, Fn write) {
    StringRef comma;
    out << '[';
    for (const auto &element : list) {
      out << std::exchange(comma, ",") << separator;
      open();
      write(element);
      close();
    }
    out << ']';
  }
  /// A list of the map, with a line for each object.
  template <class List, class T>
  void lines(StringRef name, const List &list,
             void (Writer::*write)(const T &)) {
    out << ",\n\"" << name << "\":";
    objects(list, "\n", [&](const T &element) { (this->*write)(element); });
  }

  void region(const MapRegion &region);
  void file(const MapFile &file);
  void pattern(const MapPattern &pattern);
  void output(const MapOutput &output);
  void part(const MapPart &part);
  void symbol(const MapSymbol &symbol, const MapPart *part);
  void absolute(const MapSymbol &value) { symbol(value, nullptr); }
  void references();
  void discarded(const MapDiscarded &discarded);
  void relocation(const MapRelocationCount &relocation);
  void stack(const MapStack &stack);

  raw_ostream &out;
  const LinkMap &map;
  char before = '{'; ///< in front of the next member
};

} // namespace

void Writer::quoted(StringRef text) {
  bool plain = true;
  for (char c : text)
    plain &= int8_t(c) >= 0x20 && c != '"' && c != '\\';
  if (plain)
    out << '"' << text << '"';
  else
    out << json::Value(json::fixUTF8(text));
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

void Writer::region(const MapRegion &region) {
  key("name");
  quoted(region.name);
  address("origin", region.origin);
  count("length", region.length);
  count("used", region.used);
  count("loadOnly", region.loadOnly, 0);
  flag("builtin", region.builtin);
  if (region.reservations.empty())
    return;
  key("reservations");
  objects(region.reservations, "", [&](const MapReservation &r) {
    text("name", r.name);
    text("kind", kReservationKinds[r.kind]);
    address("address", r.address);
    count("size", r.size);
  });
}

void Writer::file(const MapFile &file) {
  key("path");
  quoted(file.path);
  text("member", file.member);
  text("symbol", file.symbol);
  count("neededBy", file.neededBy, kNoIndex);
  text("source", file.source);
}

void Writer::pattern(const MapPattern &pattern) {
  text("script", pattern.script);
  count("line", pattern.line, 0);
  text("text", pattern.text);
}

void Writer::output(const MapOutput &output) {
  key("name");
  quoted(output.name);
  address("address", output.address);
  if (output.loadAddress != output.address)
    address("loadAddress", output.loadAddress);
  count("size", output.size);
  count("align", output.align);
  count("type", output.type, ELF::SHT_PROGBITS);
  text("flags", flagLetters(output.flags));
  count("region", output.region, kNoIndex);
  count("loadRegion", output.loadRegion, kNoIndex);
  if (!output.parts)
    return;
  key("parts");
  objects(ArrayRef(map.parts).slice(output.firstPart, output.parts), "\n",
          [&](const MapPart &p) { part(p); });
}

void Writer::part(const MapPart &part) {
  if (part.kind)
    text("kind", kPartKinds[part.kind]);
  text("name", part.name);
  count("file", part.file, kNoIndex);
  address("address", part.address);
  count("size", part.size);
  count("align", part.align, 1);
  count("pattern", part.pattern, kNoIndex);
  text("cause", part.cause);
  if (part.live)
    text("live", kLiveReasons[part.live]);
  count("from", part.liveFrom, kNoIndex);
  if (!part.symbols)
    return;
  key("symbols");
  objects(ArrayRef(map.symbols).slice(part.firstSymbol, part.symbols), "",
          [&](const MapSymbol &s) { symbol(s, &part); });
}

/// `part`: where it is, null: in none.
void Writer::symbol(const MapSymbol &symbol, const MapPart *part) {
  key("name");
  quoted(symbol.name);
  if (!part || part->address != symbol.address)
    address("address", symbol.address);
  count("size", symbol.size, 0);
  if (symbol.kind)
    text("kind", kSymbolKinds[symbol.kind]);
  flag("local", symbol.local);
  flag("weak", symbol.weak);
  flag("inferred", symbol.inferred);
}

void Writer::discarded(const MapDiscarded &d) {
  text("name", d.name);
  count("file", d.file, kNoIndex);
  count("size", d.size);
  text("reason", kDiscardReasons[d.reason]);
}

/// A list for each part that refers to others: its index, and theirs.
void Writer::references() {
  out << ",\n\"references\":[";
  uint32_t from = kNoIndex;
  for (const std::vector<MapReference> &list : map.references)
    for (const MapReference &r : list) {
      if (r.from != from)
        out << (from == kNoIndex ? "\n[" : "],\n[") << r.from;
      from = r.from;
      if (r.call() && r.count() == 1)
        out << ',' << r.to;
      else
        out << ",[" << r.to << ',' << r.count() << (r.call() ? ",1]" : ",0]");
    }
  out << (from == kNoIndex ? "]" : "]]");
}

void Writer::relocation(const MapRelocationCount &r) {
  text("type", r.type);
  count("count", r.count);
}

void Writer::stack(const MapStack &stack) {
  text("root", stack.root);
  text("kind", stack.kind);
  count("bytes", stack.bytes);
  if (!stack.bounded) {
    key("bounded");
    out << "false";
  }
  count("limit", stack.limit, 0);
  key("path");
  objects(stack.path, "", [&](const MapStack::Frame &frame) {
    text("function", frame.function);
    if (frame.bytes)
      count("bytes", *frame.bytes);
  });
}

void Writer::run() {
  open();
  text("format", "xlink map");
  count("version", LinkMap::kVersion);
  text("machine", map.machine);
  text("output", map.output);
  count("addressBits", map.addressBits);
  if (!map.entryName.empty()) {
    key("entry");
    open();
    text("name", map.entryName);
    address("address", map.entry);
    close();
  }
  lines("regions", map.regions, &Writer::region);
  lines("files", map.files, &Writer::file);
  lines("patterns", map.patterns, &Writer::pattern);
  lines("outputs", map.outputs, &Writer::output);
  lines("absolutes", map.absolutes, &Writer::absolute);
  lines("discarded", map.discarded, &Writer::discarded);
  if (map.crossed) {
    references();
    lines("relocations", map.relocations, &Writer::relocation);
  }
  if (!map.stacks.empty())
    lines("stacks", map.stacks, &Writer::stack);
  out << "}\n";
}

void writeMapJson(raw_ostream &out, const LinkMap &map) {
  Writer(out, map).run();
}

std::string mapJson(const LinkMap &map) {
  std::string text;
  raw_string_ostream out(text);
  writeMapJson(out, map);
  return text;
}

} // namespace xlink
