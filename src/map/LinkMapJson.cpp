//===- LinkMapJson.cpp ----------------------------------------------------===//
//
// Problem: a map of 100,000 functions is some 20 MB of JSON, in a link that
// takes a fifth of a second. A tree of values would cost more than the link.
//
// Method: text is appended as it is, member by member; what the description in
// README.md leaves out is left out. Names are looked at once: those without a
// character that JSON escapes, nearly all, are copied, the others go through
// LLVM's. Lists are cut into chunks of some thousands, which are made when they
// are written, by several threads; a chunk of references begins where those of
// another part do. Parts are asked for some hundreds at a time, which stay in a
// cache where somebody makes them.
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
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xlink {

/// As many letters as are looked at in one step, or of a text's end half as
/// many.
using Letters = int8_t __attribute__((vector_size(16)));
using FewLetters = int8_t __attribute__((vector_size(8)));

/// Copies letters; marks those that JSON has otherwise than as they are: a
/// control character, quote or backslash, or one beyond ASCII, which is a
/// negative number.
template <class T>
static inline void copyLetters(char *to, const char *from, T &specials) {
  T letters;
  memcpy(&letters, from, sizeof letters);
  memcpy(to, &letters, sizeof letters);
  specials |= T((letters < 0x20) | (letters == '"') | (letters == '\\'));
}

/// A text's letters in steps of T, the last of which may take some again;
/// whether none is special. At least one step long.
template <class T> static inline bool copyPlain(char *to, StringRef text) {
  T specials{};
  for (size_t i = 0; i + sizeof(T) < text.size(); i += sizeof(T))
    copyLetters(to + i, text.data() + i, specials);
  const size_t last = text.size() - sizeof(T);
  copyLetters(to + last, text.data() + last, specials);
  uint64_t any[sizeof(T) / 8];
  memcpy(any, &specials, sizeof any);
  return all_of(any, [](uint64_t specials) { return specials == 0; });
}

/// The same, whatever the length.
LLVM_ATTRIBUTE_NOINLINE static bool copyPlainText(char *to, StringRef text) {
  if (LLVM_LIKELY(text.size() >= sizeof(Letters)))
    return copyPlain<Letters>(to, text);
  if (text.size() >= sizeof(FewLetters))
    return copyPlain<FewLetters>(to, text);
  bool plain = true;
  for (char letter : text) {
    *to++ = letter;
    plain &= int8_t(letter) >= 0x20 && letter != '"' && letter != '\\';
  }
  return plain;
}

/// A text as JSON has it, behind the first quote.
LLVM_ATTRIBUTE_NOINLINE static std::string escaped(StringRef text) {
  std::string all;
  raw_string_ostream stream(all);
  stream << json::Value(json::isUTF8(text) ? text.str() : json::fixUTF8(text));
  return all.substr(1);
}

namespace {

/// `,"name":"` of a member, made by the compiler and copied at once.
struct Key {
  consteval Key(const char *name) { // NOLINT(google-explicit-constructor)
    text[0] = ',';
    text[1] = '"';
    for (length = 2; *name; ++length)
      text[length] = *name++;
    text[length++] = '"';
    text[length++] = ':';
    text[length] = '"';
  }
  char text[TextBlock::kShort] = {};
  unsigned length; ///< without the quote of a text
};

/// Members of an object, one behind the other.
class Text : public LocalBlock {
public:
  using LocalBlock::LocalBlock;

  /// Begins an object, whose bracket comes with its first member.
  void open() { before = '{'; }
  void close() {
    if (before == '{')
      out += '{';
    out += '}';
    before = ',';
  }
  template <Key name> void key() { addKey<name>(0); }
  /// A text in quotes, empty or not.
  void string(StringRef text) {
    out += '"';
    restOfString(text);
  }
  template <Key name> void text(StringRef value) {
    if (value.empty())
      return;
    addKey<name>(1);
    restOfString(value);
  }
  /// One of our own words, in which nothing needs another form.
  template <Key name> void word(StringRef value) {
    addKey<name>(1);
    out += value;
    out += '"';
  }
  template <Key name> void count(uint64_t value) {
    key<name>();
    out.number(value);
  }
  /// Left out when it is `otherwise`.
  template <Key name> void count(uint64_t value, uint64_t otherwise) {
    if (value != otherwise)
      count<name>(value);
  }
  template <Key name> void address(uint64_t value) {
    addKey<name>(1);
    const unsigned bits = 64 - unsigned(countl_zero(value | 1));
    out.hexDigits(value, (bits + 3) / 4);
    out += '"';
  }
  template <Key name> void flag(bool value) {
    if (!value)
      return;
    key<name>();
    out += "true";
  }
  /// A member that is a list of objects.
  template <Key name, class List, class Fn>
  void list(const List &elements, Fn write) {
    key<name>();
    char separator = '[';
    for (const auto &element : elements) {
      out += std::exchange(separator, ',');
      open();
      write(element);
      close();
    }
    if (separator == '[')
      out += '[';
    out += ']';
  }

private:
  template <Key name> void addKey(unsigned quotes) {
    static constexpr Key letters = name;
    char *const to = out.room(TextBlock::kShort);
    memcpy(to, letters.text, TextBlock::kShort);
    *to = std::exchange(before, ',');
    out.use(letters.length + quotes);
  }
  /// A text and the quote behind it.
  void restOfString(StringRef text) {
    char *const to = out.room(text.size() + 1);
    if (LLVM_UNLIKELY(!copyPlainText(to, text))) {
      out += escaped(text);
      return;
    }
    to[text.size()] = '"';
    out.use(text.size() + 1);
  }

  char before = '{'; ///< in front of the next member
};

/// Writes elements, or what will write them.
class Writer {
public:
  Writer(const LinkMap &map, std::shared_ptr<const PartSource> source)
      : map(map), source(std::move(source)) {}
  LongText run();

private:
  void head(TextBlock &to) const;
  void region(Text &t, const MapRegion &region) const;
  void file(Text &t, const MapFile &file) const;
  void outputHead(Text &t, const MapOutput &output) const;
  void pattern(Text &t, const MapPattern &pattern) const;
  static void symbol(Text &t, const MapSymbol &symbol, const MapPart *part);
  static void part(Text &t, const MapPart &part, ArrayRef<MapSymbol> symbols);
  void absolute(Text &t, const MapSymbol &value) const {
    symbol(t, value, nullptr);
  }
  void referencesOf(Text &t, size_t firstList, size_t endList) const;
  void discarded(Text &t, const MapDiscarded &discarded) const;
  void relocation(Text &t, const MapRelocationCount &relocation) const;
  void stack(Text &t, const MapStack &stack) const;

  void output(TextBlock &to, size_t i) const;
  void parts(TextBlock &to, size_t begin, size_t end) const;
  static void partRun(TextBlock &to, const MapParts &some, size_t begin,
                      size_t end, bool first);

  /// Adds a member that is a list; an element takes about `bytes`.
  template <class List, class Fn>
  void list(StringRef name, const List &values, size_t bytes, Fn write);
  void outputs();
  void references();
  /// Adds pieces, to each of which write(writer, TextBlock &, begin, end)
  /// appends some elements of `count`; an element takes about `bytes`.
  template <class Fn> void pieces(size_t count, size_t bytes, Fn write);

  const LinkMap &map;
  const std::shared_ptr<const PartSource> source; ///< of its parts
  LongText text;
};

} // namespace

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

void Writer::head(TextBlock &to) const {
  Text t(to);
  t.open();
  t.text<"format">("xlink map");
  t.count<"version">(LinkMap::kVersion);
  t.text<"machine">(map.machine);
  t.text<"output">(map.output);
  t.count<"addressBits">(map.addressBits);
  if (map.entryName.empty())
    return;
  t.key<"entry">();
  t.open();
  t.text<"name">(map.entryName);
  t.address<"address">(map.entry);
  t.close();
}

void Writer::region(Text &t, const MapRegion &region) const {
  t.key<"name">();
  t.string(region.name);
  t.address<"origin">(region.origin);
  t.count<"length">(region.length);
  t.count<"used">(region.used);
  t.count<"loadOnly">(region.loadOnly, 0);
  t.flag<"builtin">(region.builtin);
  if (region.reservations.empty())
    return;
  t.list<"reservations">(region.reservations, [&](const MapReservation &r) {
    t.text<"name">(r.name);
    t.word<"kind">(kReservationKinds[r.kind]);
    t.address<"address">(r.address);
    t.count<"size">(r.size);
  });
}

void Writer::file(Text &t, const MapFile &file) const {
  t.key<"path">();
  t.string(file.path);
  t.text<"member">(file.member);
  t.text<"symbol">(file.symbol);
  t.count<"neededBy">(file.neededBy, kNoIndex);
  t.text<"source">(file.source);
}

void Writer::outputHead(Text &t, const MapOutput &output) const {
  t.key<"name">();
  t.string(output.name);
  t.address<"address">(output.address);
  if (output.loadAddress != output.address)
    t.address<"loadAddress">(output.loadAddress);
  t.count<"size">(output.size);
  t.count<"align">(output.align);
  t.count<"type">(output.type, ELF::SHT_PROGBITS);
  t.text<"flags">(flagLetters(output.flags));
  t.count<"region">(output.region, kNoIndex);
  t.count<"loadRegion">(output.loadRegion, kNoIndex);
}

/// `part`: where it is, null: in none.
void Writer::symbol(Text &t, const MapSymbol &symbol, const MapPart *part) {
  t.key<"name">();
  t.string(symbol.name);
  if (!part || part->address != symbol.address)
    t.address<"address">(symbol.address);
  t.count<"size">(symbol.size, 0);
  if (symbol.kind)
    t.word<"kind">(kSymbolKinds[symbol.kind]);
  t.flag<"local">(symbol.local);
  t.flag<"weak">(symbol.weak);
  t.flag<"inferred">(symbol.inferred);
}

void Writer::pattern(Text &t, const MapPattern &pattern) const {
  t.text<"script">(pattern.script);
  t.count<"line">(pattern.line, 0);
  t.text<"text">(pattern.text);
}

void Writer::part(Text &t, const MapPart &part, ArrayRef<MapSymbol> symbols) {
  if (part.kind)
    t.word<"kind">(kPartKinds[part.kind]);
  t.text<"name">(part.name);
  t.count<"file">(part.file, kNoIndex);
  t.address<"address">(part.address);
  t.count<"size">(part.size);
  t.count<"align">(part.align, 1);
  t.count<"pattern">(part.pattern, kNoIndex);
  t.text<"cause">(part.cause);
  if (part.live)
    t.word<"live">(kLiveReasons[part.live]);
  t.count<"from">(part.liveFrom, kNoIndex);
  if (!symbols.empty())
    t.list<"symbols">(symbols,
                      [&](const MapSymbol &s) { symbol(t, s, &part); });
}

void Writer::discarded(Text &t, const MapDiscarded &d) const {
  t.text<"name">(d.name);
  t.count<"file">(d.file, kNoIndex);
  t.count<"size">(d.size);
  t.word<"reason">(kDiscardReasons[d.reason]);
}

void Writer::relocation(Text &t, const MapRelocationCount &r) const {
  t.text<"type">(r.type);
  t.count<"count">(r.count);
}

void Writer::stack(Text &t, const MapStack &stack) const {
  t.text<"root">(stack.root);
  t.text<"kind">(stack.kind);
  t.count<"bytes">(stack.bytes);
  if (!stack.bounded) {
    t.key<"bounded">();
    t.out += "false";
  }
  t.count<"limit">(stack.limit, 0);
  t.list<"path">(stack.path, [&](const MapStack::Frame &frame) {
    t.text<"function">(frame.function);
    if (frame.bytes)
      t.count<"bytes">(*frame.bytes);
  });
}

template <class Fn> void Writer::pieces(size_t count, size_t bytes, Fn write) {
  constexpr size_t kChunk = 2048;
  for (size_t begin = 0; begin < count; begin += kChunk) {
    const size_t end = std::min(count, begin + kChunk);
    // Each piece has a writer of its own: this one is gone by then.
    text.add((end - begin) * bytes,
             [begin, end, write, writer = Writer(map, source)](TextBlock &out) {
               write(writer, out, begin, end);
             });
  }
}

/// Names lie all over the input files: fetching one takes longer than writing
/// an element. So they are asked for when this many elements in front of theirs
/// are written.
static constexpr size_t kAhead = 16;

static void prefetch(StringRef name) {
  if (name.empty())
    return;
  __builtin_prefetch(name.begin());
  __builtin_prefetch(name.end() - 1);
}

template <class List, class Fn>
void Writer::list(StringRef name, const List &values, size_t bytes, Fn write) {
  text += ",\n\"";
  text += name;
  text += "\":[";
  pieces(values.size(), bytes,
         [&values, write](const Writer &writer, TextBlock &to, size_t begin,
                          size_t end) {
           Text t(to);
           for (size_t i = begin; i < end; ++i) {
             if constexpr (requires { values[i].name; })
               if (i + kAhead < end)
                 prefetch(values[i + kAhead].name);
             t.out += i ? ",\n" : "\n";
             t.open();
             (writer.*write)(t, values[i]);
             t.close();
           }
         });
  text += "]";
}

/// The element of an output section, up to its parts.
void Writer::output(TextBlock &to, size_t i) const {
  Text t(to);
  t.out += i ? ",\n" : "\n";
  t.open();
  outputHead(t, map.outputs[i]);
  if (map.outputs[i].parts) {
    t.key<"parts">();
    t.out += '[';
  } else {
    t.close();
  }
}

/// Some parts of one output section; `first`: they are its first ones. What
/// appends is made a part of it, so that nothing but itself knows the block.
[[gnu::flatten]] void Writer::partRun(TextBlock &to, const MapParts &some,
                                      size_t begin, size_t end, bool first) {
  Text t(to);
  for (size_t i = begin; i < end; ++i) {
    if (i + kAhead < some.parts.size()) {
      const MapPart &later = some.parts[i + kAhead];
      prefetch(later.name);
      for (const MapSymbol &s : some.symbolsOf(later).take_front())
        prefetch(s.name);
    }
    t.out += std::exchange(first, false) ? "\n" : ",\n";
    t.open();
    part(t, some.parts[i], some.symbolsOf(some.parts[i]));
    t.close();
  }
}

/// Some parts, and in front of those with which an output section begins its
/// head, behind the heads of those that have no parts.
void Writer::parts(TextBlock &to, size_t begin, size_t end) const {
  constexpr size_t kStep = 256;
  PartSource::Room room;
  auto next = partition_point(
      map.outputs, [&](const MapOutput &o) { return o.firstPart < begin; });
  for (size_t first = begin; first < end; first += kStep) {
    const MapParts some =
        source->parts(first, std::min(end, first + kStep), room);
    for (size_t i = 0; i < some.parts.size();) {
      for (; next != map.outputs.end() && next->firstPart <= first + i; ++next)
        output(to, size_t(next - map.outputs.begin()));
      const MapOutput &of = *std::prev(next);
      const size_t behind = of.firstPart + of.parts - first;
      assert(behind > i &&
             "output sections have all parts, one after the other");
      const size_t stop = std::min(some.parts.size(), behind);
      partRun(to, some, i, stop, first + i == of.firstPart);
      if (stop == behind)
        to += "]}";
      i = stop;
    }
  }
}

/// Parts are what there are many of, so pieces are of these. Behind the last
/// one are output sections without any.
void Writer::outputs() {
  text += ",\n\"outputs\":[";
  const size_t count = source->count();
  pieces(count, 160,
         [](const Writer &writer, TextBlock &to, size_t begin, size_t end) {
           writer.parts(to, begin, end);
         });
  TextBlock rest;
  for (size_t i = 0; i < map.outputs.size(); ++i)
    if (map.outputs[i].firstPart == count)
      output(rest, i);
  text += rest.str();
  text += "]";
}

/// An element for each part that refers to others: of some lists.
void Writer::referencesOf(Text &t, size_t firstList, size_t endList) const {
  uint32_t from = kNoIndex;
  for (size_t list = firstList; list < endList; ++list)
    for (const MapReference &r : map.references[list]) {
      if (r.from != from) {
        t.out += from == kNoIndex ? "\n[" : "],\n[";
        t.out.number(r.from);
        from = r.from;
      }
      t.out += ',';
      if (r.call() && r.count() == 1) {
        t.out.number(r.to);
        continue;
      }
      t.out += '[';
      t.out.number(r.to);
      t.out += ',';
      t.out.number(r.count());
      t.out += r.call() ? ",1]" : ",0]";
    }
  t.out += ']';
}

/// A list has all references of a part, so no element is in two pieces.
void Writer::references() {
  constexpr size_t kChunk = 16384;
  text += ",\n\"references\":[";
  const auto &lists = map.references;
  const char *separator = "";
  for (size_t begin = 0, end = 0; end < lists.size(); begin = end) {
    size_t count = 0;
    while (end < lists.size() && count < kChunk)
      count += lists[end++].size();
    if (!count)
      break;
    text += std::exchange(separator, ",");
    text.add(count * 12,
             [begin, end, writer = Writer(map, source)](TextBlock &out) {
               Text t(out);
               writer.referencesOf(t, begin, end);
             });
  }
  text += "]";
}

LongText Writer::run() {
  TextBlock first;
  head(first);
  text += first.str();
  list("regions", map.regions, 256, &Writer::region);
  list("files", map.files, 64, &Writer::file);
  list("patterns", map.patterns, 128, &Writer::pattern);
  outputs();
  list("absolutes", map.absolutes, 64, &Writer::absolute);
  list("discarded", map.discarded, 96, &Writer::discarded);
  if (map.crossed) {
    references();
    list("relocations", map.relocations, 64, &Writer::relocation);
  }
  if (!map.stacks.empty())
    list("stacks", map.stacks, 512, &Writer::stack);
  text += "}\n";
  return std::move(text);
}

LongText mapJsonText(const LinkMap &map,
                     std::shared_ptr<const PartSource> parts) {
  return Writer(map, std::move(parts)).run();
}

LongText mapJsonText(const LinkMap &map) {
  return mapJsonText(map, std::make_shared<StoredParts>(map));
}

} // namespace xlink
