//===- DiffReport.cpp - the differences of two files as text and JSON -----===//
//
// Problem: a single byte may differ, or a hundred thousand symbols, and people
// or programs read it.
//
// Method: text has the counts, then items outside of sections, then each
// section that differs: properties, contents, symbols. Lists end after a number
// of entries, and the rest is counted; adjacent symbols that moved by one
// distance are one line. JSON has everything, in the form of diff.schema.json:
// members in alphabetical order, without those that are empty, 0 or false.
//
// Cost: linear in the differences.
//
//===----------------------------------------------------------------------===//
#include "inspect/FileDiff.h"
#include "map/LinkMapJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace xlink {

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {

constexpr size_t kMostPlaces = 5;      ///< of one function
constexpr size_t kMostEntries = 20;    ///< of one kind in a section
constexpr size_t kMostShownBytes = 16; ///< of a run of bytes

/// Members of DiffCounts that do not count bytes, one and many of them, in the
/// order of the text.
struct CountName {
  const char *member, *one, *many;
};
constexpr CountName kCountNames[] = {
    {"container", "part of the container", "parts of the container"},
    {"header", "field of the ELF header", "fields of the ELF header"},
    {"segments", "property of segments", "properties of segments"},
    {"sections", "section", "sections"},
    {"functionsChanged", "function changed", "functions changed"},
    {"objectsChanged", "object changed", "objects changed"},
    {"unnamedChanged", "range without a name changed",
     "ranges without a name changed"},
    {"grew", "grew", "grew"},
    {"shrank", "shrank", "shrank"},
    {"symbolsNew", "symbol new", "symbols new"},
    {"symbolsGone", "symbol gone", "symbols gone"},
    {"symbolsMoved", "symbol moved", "symbols moved"},
    {"symbolsRevalued", "absolute symbol of another value",
     "absolute symbols of another value"},
    {"symbolsAltered", "symbol of another kind", "symbols of another kind"},
    {"tables", "property of tables", "properties of tables"}};

/// 4312 as "4,312"
std::string number(uint64_t value) { return formatv("{0:N}", value).str(); }

/// "1 byte", "4,312 bytes"
std::string counted(uint64_t count, StringRef one = "byte",
                    StringRef many = "bytes") {
  return number(count) + " " + (count == 1 ? one : many).str();
}

/// "+0x10", "-0x8"
std::string distance(uint64_t from, uint64_t to) {
  return to >= from ? "+" + hex(to - from) : "-" + hex(from - to);
}

/// "01 02 03", with "..." behind a number of bytes
std::string dump(ArrayRef<uint8_t> bytes) {
  std::string text;
  for (uint8_t byte : bytes.take_front(kMostShownBytes))
    text += (text.empty() ? "" : " ") + toHex({byte}, /*LowerCase=*/true);
  return bytes.size() > kMostShownBytes ? text + " ..." : text;
}

/// Whether only the size differs, and one of the files states none.
bool isSizeAlone(const SymbolDiff &symbol) {
  return symbol.presence == Presence::Both && symbol.properties.size() == 1 &&
         symbol.properties.front().property == "size" &&
         (symbol.size[0] == 0) != (symbol.size[1] == 0);
}

class TextWriter {
public:
  explicit TextWriter(bool demangle) : demangle(demangle) {}

  std::string run(const FileDiff &diff) {
    const DiffCounts counts = countsOf(diff);
    if (counts.empty())
      return "";
    out << "--- " << printable(diff.fileA) << "\n+++ " << printable(diff.fileB)
        << "\n";
    summary(counts);
    values("Container", diff.container);
    for (const ProgramDiff &p : diff.programs) {
      const size_t before = text.size();
      if (!p.part.empty())
        out << "\n" << printable(p.part) << "\n";
      const size_t begin = text.size();
      program(p);
      if (text.size() == begin) // equal in both files
        text.resize(before);
    }
    return std::move(text);
  }

private:
  /// "and 3 more places", if `count` is more than `most`
  void rest(size_t count, size_t most, StringRef one, StringRef many) {
    if (count > most)
      out << "    and " << number(count - most) << " more "
          << (count - most == 1 ? one : many) << "\n";
  }
  std::string shown(StringRef name) const {
    return printable(demangle ? demangled(name) : name.str());
  }

  void summary(const DiffCounts &counts) {
    auto valueOf = [&](StringRef member) -> uint64_t {
      const auto found = counts.find(member);
      return found == counts.end() ? 0 : found->second;
    };
    std::vector<std::string> parts;
    for (const auto &[member, one, many] : kCountNames)
      if (const uint64_t value = valueOf(member))
        parts.push_back(counted(value, one, many));
    out << "2 files differ: " << join(parts, ", ");
    const uint64_t real = valueOf("bytesReal"), moved = valueOf("bytesMoved");
    if (real || moved)
      out << (parts.empty() ? "" : "; ") << counted(real)
          << (real == 1 ? " really differs" : " really differ");
    if (moved)
      out << ", " << number(moved) << " because of moved targets";
    out << "\n";
  }

  void values(const char *title, ArrayRef<ValueDiff> list) {
    if (!list.empty() && *title)
      out << "\n" << title << "\n";
    for (const ValueDiff &value : list) {
      out << "  " << printable(value.property) << ": ";
      if (value.b.empty())
        out << (value.a.empty() ? "differs" : printable(value.a)) << "\n";
      else
        out << printable(value.a) << " -> " << printable(value.b) << "\n";
    }
  }

  /// "main+0x4", demangled
  std::string shownTarget(StringRef target) const {
    const size_t plus = target.find_last_of("+-");
    const bool offset =
        plus != StringRef::npos && target.substr(plus + 1).starts_with("0x");
    return offset ? shown(target.take_front(plus)) + target.substr(plus).str()
                  : shown(target);
  }

  void place(const PlaceDiff &place) {
    out << "    +" << hex(place.offset) << ": ";
    if (!place.a.empty()) {
      out << dump(place.a) << " -> " << dump(place.b);
      if (place.a.size() > kMostShownBytes)
        out << " (" << counted(place.a.size()) << ")";
    }
    if (place.row || !place.targetA.empty() || !place.targetB.empty()) {
      out << (place.a.empty() ? "" : ", ")
          << (place.probably ? "probably " : "")
          << (place.row ? place.row->name : "relocation");
      if (place.valueA != place.valueB)
        out << " " << place.valueA << " -> " << place.valueB;
      const std::string from = shownTarget(place.targetA),
                        to = shownTarget(place.targetB);
      if (from != to)
        out << ": " << (from.empty() ? "nothing" : from) << " -> "
            << (to.empty() ? "nothing" : to);
      else if (!from.empty())
        out << ": " << from;
    }
    out << "\n";
  }

  void content(const ContentDiff &content) {
    std::string name = shown(content.name);
    if (content.name.empty()) {
      name = "bytes without a name";
      const auto [where, item] = StringRef(content.near).rsplit(' ');
      if (!where.empty())
        name += " " + where.str() + " " + shown(item);
    }
    const uint64_t sizeA = content.size[0], sizeB = content.size[1];
    if (sizeA == 0 || sizeB == 0) {
      out << "  " << (content.name.empty() ? "" : "bytes of ") << name
          << (sizeA ? " are gone: " : " are new: ") << counted(sizeA + sizeB)
          << " at " << hex(sizeA ? content.address[0] : content.address[1])
          << "\n";
      return;
    }
    out << "  " << name;
    if (content.resized()) {
      const uint64_t equal = content.front + content.back;
      out << (sizeB > sizeA ? " grew by " : " shrank by ")
          << counted(std::max(sizeA, sizeB) - std::min(sizeA, sizeB))
          << ", from " << number(sizeA) << " to " << number(sizeB);
      if (content.real)
        out << ": " << number(content.front) << " equal at the beginning, "
            << number(content.back) << " at the end; at +" << hex(content.front)
            << ", " << counted(sizeA - equal) << " became "
            << number(sizeB - equal);
    } else if (content.real) {
      const auto runs = count_if(
          content.places, [](const PlaceDiff &p) { return !p.a.empty(); });
      out << " changed: " << counted(content.real) << " at "
          << counted(runs, "place", "places");
    } else {
      out << " changed: "
          << counted(content.places.size(), "reference", "references");
    }
    if (content.moved)
      out << "; " << counted(content.moved) << " because of moved targets";
    if (!content.line.empty())
      out << "; " << printable(content.line);
    out << "\n";
    for (const PlaceDiff &p : ArrayRef(content.places).take_front(kMostPlaces))
      place(p);
    rest(content.places.size(), kMostPlaces, "place", "places");
  }

  void contents(ArrayRef<ContentDiff> list) {
    size_t changed = 0;
    uint64_t bytes = 0, probably = 0, count = 0;
    for (const ContentDiff &c : list) {
      if (c.changed() && ++changed <= kMostEntries)
        content(c);
      bytes += c.moved;
      probably += c.probably;
      count += c.moved != 0;
    }
    rest(changed, kMostEntries, "function or object that changed",
         "functions or objects that changed");
    if (!bytes)
      return;
    out << "  because of moved targets: " << counted(bytes) << " in "
        << counted(count, "function or object", "functions or objects");
    if (probably == bytes)
      out << ", probably: no relocations tell";
    else if (probably)
      out << ", " << number(probably) << " of them probably";
    out << "\n";
  }

  void movedSymbols(ArrayRef<SymbolDiff> list) {
    std::vector<const SymbolDiff *> moved;
    for (const SymbolDiff &symbol : list)
      if (symbol.hasOtherValue())
        moved.push_back(&symbol);
    auto by = [](const SymbolDiff &s) {
      return std::pair(s.absolute, s.value[1] - s.value[0]);
    };
    size_t lines = 0;
    for (size_t i = 0, end = 0; i < moved.size(); i = end) {
      while (end < moved.size() && by(*moved[end]) == by(*moved[i]))
        ++end;
      const SymbolDiff &first = *moved[i], &last = *moved[end - 1];
      if (++lines > kMostEntries)
        return rest(moved.size() - i, 0, "symbol that moved",
                    "symbols that moved");
      out << (first.absolute ? "  another value, by " : "  moved by ")
          << distance(first.value[0], first.value[1]) << ": ";
      if (end - i > 2)
        out << counted(end - i, "symbol", "symbols") << ", ";
      out << shown(first.name) << " (" << hex(first.value[0]) << ")";
      if (end - i > 1)
        out << (end - i > 2 ? " to " : ", ") << shown(last.name) << " ("
            << hex(last.value[0]) << ")";
      out << "\n";
    }
  }

  /// Symbols of one file only.
  void newOrGone(ArrayRef<SymbolDiff> list, Presence presence) {
    const bool isNew = presence == Presence::OnlyB;
    size_t count = 0;
    for (const SymbolDiff &s : list) {
      if (s.presence != presence || ++count > kMostEntries)
        continue;
      out << "  " << (isNew ? "new" : "gone") << ": " << shown(s.name);
      if (const uint64_t size = s.size[isNew])
        out << ", " << counted(size);
      if (s.undefined || s.common)
        out << (s.common ? ", common\n" : ", undefined\n");
      else
        out << " at " << hex(s.value[isNew]) << "\n";
    }
    rest(count, kMostEntries, isNew ? "new symbol" : "symbol gone",
         isNew ? "new symbols" : "symbols gone");
  }

  void symbols(ArrayRef<SymbolDiff> list) {
    newOrGone(list, Presence::OnlyB);
    newOrGone(list, Presence::OnlyA);
    // Some linkers give labels a size.
    std::vector<const SymbolDiff *> unsized;
    for (const SymbolDiff &s : list)
      if (isSizeAlone(s))
        unsized.push_back(&s);
    if (!unsized.empty())
      out << "  size stated in one file only: "
          << counted(unsized.size(), "symbol", "symbols") << ", "
          << shown(unsized.front()->name)
          << (unsized.size() > 1 ? " to " + shown(unsized.back()->name) : "")
          << "\n";
    size_t altered = 0;
    for (const SymbolDiff &s : list)
      if (!s.properties.empty() && !isSizeAlone(s) && ++altered <= kMostEntries)
        for (const ValueDiff &p : s.properties)
          out << "  " << shown(s.name) << ": " << p.property << " "
              << printable(p.a) << " -> " << printable(p.b) << "\n";
    rest(altered, kMostEntries, "symbol of another kind",
         "symbols of another kind");
    movedSymbols(list);
  }

  void section(const SectionDiff &section, bool withSymbols) {
    out << "\nSection " << printable(section.name) << "\n";
    if (section.presence != Presence::Both) {
      const bool isNew = section.presence == Presence::OnlyB;
      out << (isNew ? "  new: " : "  gone: ") << counted(section.size[isNew]);
      if (const uint64_t address = section.address[isNew])
        out << " at " << hex(address);
      out << "\n";
    }
    values("", section.properties);
    if (section.text[0] != section.text[1])
      out << "  contents: " << printable(section.text[0]) << " -> "
          << printable(section.text[1]) << "\n";
    else if (section.bytesDiffer)
      out << "  other bytes\n";
    if (section.padding[0] != section.padding[1])
      out << "  padding: " << counted(section.padding[0]) << " -> "
          << number(section.padding[1]) << "\n";
    if (section.otherFill)
      out << "  other fill: " << counted(section.otherFill) << "\n";
    contents(section.contents);
    if (withSymbols)
      symbols(section.symbols);
  }

  void program(const ProgramDiff &program) {
    values("ELF header", program.header);
    if (!program.segments.empty())
      out << "\nSegments\n";
    for (const ValueDiff &segment : program.segments)
      if (segment.a.empty() || segment.b.empty())
        out << "  " << segment.property
            << (segment.a.empty() ? " is new: " : " is gone: ") << segment.a
            << segment.b << "\n";
      else
        values("", segment);
    const bool withSymbols = !program.symbolsIgnored;
    for (const SectionDiff &s : program.sections)
      if (!s.ignored && s.differs(withSymbols))
        section(s, withSymbols);
    if (withSymbols && !program.symbols.empty()) {
      out << "\nSymbols in no section\n";
      symbols(program.symbols);
    }
    if (!program.tablesIgnored)
      values("Tables", program.tables);
  }

  const bool demangle;
  std::string text;
  raw_string_ostream out{text};
};

} // namespace

std::string diffText(const FileDiff &diff, bool demangle) {
  return TextWriter(demangle).run(diff);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

namespace {

constexpr size_t kMostHexBytes = 64; ///< of a run of bytes

class JsonWriter {
public:
  explicit JsonWriter(json::OStream &json) : json(json) {}

  void write(const FileDiff &diff) {
    const DiffCounts counts = countsOf(diff);
    json.attribute("a", json::fixUTF8(diff.fileA));
    json.attribute("b", json::fixUTF8(diff.fileB));
    set("container", diff.container);
    json.attributeObject("counts", [&] {
      for (const auto &[member, value] : counts)
        json.attribute(member, value);
    });
    json.attribute("differ", !counts.empty());
    set("programs", diff.programs);
  }

private:
  void set(StringRef name, uint64_t value) {
    if (value)
      json.attribute(name, value);
  }
  void set(StringRef name, StringRef value) {
    if (!value.empty())
      json.attribute(name, json::fixUTF8(value));
  }
  void setFlag(StringRef name, bool value) {
    if (value)
      json.attribute(name, true);
  }
  /// A list of objects.
  template <class T> void set(StringRef name, const std::vector<T> &list) {
    if (!list.empty())
      json.attributeArray(name, [&] {
        for (const T &entry : list)
          json.object([&] { write(entry); });
      });
  }
  /// "addressA" and "addressB", of the files that have the item.
  void setAddresses(StringRef name, const uint64_t (&addresses)[2],
                    Presence presence) {
    if (presence != Presence::OnlyB)
      json.attribute((name + "A").str(), hex(addresses[0]));
    if (presence != Presence::OnlyA)
      json.attribute((name + "B").str(), hex(addresses[1]));
  }
  void write(Presence presence) {
    if (presence != Presence::Both)
      json.attribute("only", presence == Presence::OnlyA ? "a" : "b");
  }

  void write(const ValueDiff &value) {
    set("a", value.a);
    set("b", value.b);
    json.attribute("what", json::fixUTF8(value.property));
  }

  void write(const PlaceDiff &place) {
    set("a", toHex(place.a.take_front(kMostHexBytes), true));
    set("b", toHex(place.b.take_front(kMostHexBytes), true));
    json.attribute("offset", place.offset);
    setFlag("probably", place.probably);
    if (place.row)
      json.attribute("relocation", place.row->name);
    json.attribute("size", place.a.size());
    set("targetA", place.targetA);
    set("targetB", place.targetB);
    if (place.row) {
      json.attribute("valueA", place.valueA);
      json.attribute("valueB", place.valueB);
    }
  }

  void write(const ContentDiff &content) {
    setAddresses("address", content.address, Presence::Both);
    if (content.resized()) {
      json.attribute("equalBack", content.back);
      json.attribute("equalFront", content.front);
    }
    setFlag("function", content.function);
    set("line", content.line);
    set("moved", content.moved);
    set("name", content.name);
    set("near", content.near);
    set("probably", content.probably);
    set("real", content.real);
    json.attribute("sizeA", content.size[0]);
    json.attribute("sizeB", content.size[1]);
    set("places", content.places);
  }

  void write(const SymbolDiff &symbol) {
    setFlag("function", symbol.function);
    json.attribute("name", json::fixUTF8(symbol.name));
    write(symbol.presence);
    set("properties", symbol.properties);
    set("sizeA", symbol.size[0]);
    set("sizeB", symbol.size[1]);
    setAddresses("value", symbol.value, symbol.presence);
  }

  void write(const SectionDiff &section) {
    static constexpr const char *kKinds[] = {"", "build-id", "comment", "debug",
                                             "table"};
    setAddresses("address", section.address, section.presence);
    setFlag("bytesDiffer", section.bytesDiffer);
    setFlag("ignored", section.ignored);
    set("kind", kKinds[section.kind]);
    json.attribute("name", json::fixUTF8(section.name));
    write(section.presence);
    set("otherFill", section.otherFill);
    set("paddingA", section.padding[0]);
    set("paddingB", section.padding[1]);
    set("properties", section.properties);
    if (section.presence != Presence::OnlyB)
      json.attribute("sizeA", section.size[0]);
    if (section.presence != Presence::OnlyA)
      json.attribute("sizeB", section.size[1]);
    set("textA", section.text[0]);
    set("textB", section.text[1]);
    set("contents", section.contents);
    set("symbols", section.symbols);
  }

  void write(const ProgramDiff &program) {
    set("header", program.header);
    set("part", program.part);
    set("segments", program.segments);
    setFlag("symbolsIgnored", program.symbolsIgnored);
    set("tables", program.tables);
    setFlag("tablesIgnored", program.tablesIgnored);
    json.attributeArray("sections", [&] {
      for (const SectionDiff &s : program.sections)
        if (s.differs())
          json.object([&] { write(s); });
    });
    set("symbols", program.symbols);
  }

  json::OStream &json;
};

} // namespace

std::string diffJson(const FileDiff &diff) {
  return jsonAnswer("xlink diff",
                    [&](json::OStream &json) { JsonWriter(json).write(diff); });
}

} // namespace xlink
