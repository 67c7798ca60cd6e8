//===- DiffText.cpp -------------------------------------------------------===//
//
// Problem: what differs may be one byte or a hundred thousand symbols, and
// somebody wants to read it.
//
// Method: the counts first, then what is not in a section, then each section
// that differs: what it is, what of its contents changed, which symbols came
// and went, which moved. Of each kind so many are shown and the rest is
// counted. Symbols that moved by the same distance, one behind the other, are
// one line.
//
// Cost: linear in the differences.
//
//===----------------------------------------------------------------------===//
#include "base/Demangle.h"
#include "inspect/FileDiff.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

namespace {

constexpr size_t kMostPlaces = 5;      ///< of one function
constexpr size_t kMostEntries = 20;    ///< of one kind in a section
constexpr size_t kMostShownBytes = 16; ///< of a run of bytes

/// 4312 as "4,312"
std::string number(uint64_t value) {
  std::string text = std::to_string(value);
  for (size_t at = text.size(); at > 3; at -= 3)
    text.insert(at - 3, ",");
  return text;
}

/// "1 byte", "4,312 bytes"
std::string counted(uint64_t count, StringRef one, StringRef many) {
  return number(count) + " " + (count == 1 ? one : many).str();
}
std::string bytesText(uint64_t count) {
  return counted(count, "byte", "bytes");
}
/// "+0x10", "-0x8"
std::string distance(uint64_t from, uint64_t to) {
  return to >= from ? "+" + hex(to - from) : "-" + hex(from - to);
}

class Teller {
public:
  Teller(const FileDiff &diff, bool demangle)
      : diff(diff), demangle(demangle), out(text) {}
  std::string run();

private:
  void summary(const DiffCounts &counts);
  void values(StringRef indent, ArrayRef<ValueDiff> list);
  void program(const ProgramDiff &program);
  void section(const SectionDiff &section, bool symbols);
  void contents(const SectionDiff &section);
  void content(const ContentDiff &content);
  void merged(const ContentDiff &content);
  void place(const PlaceDiff &place);
  void movedBytes(const SectionDiff &section);
  void symbols(ArrayRef<SymbolDiff> list);
  void movedSymbols(ArrayRef<SymbolDiff> list);
  /// "and 3 more places"
  void rest(size_t count, StringRef one, StringRef many);
  std::string shown(StringRef name) const {
    return printable(demangle ? demangled(name) : name.str());
  }
  /// "main+0x4", demangled
  std::string shownTarget(StringRef target) const {
    const size_t plus = target.find_last_of("+-");
    const bool offset =
        plus != StringRef::npos && target.substr(plus + 1).starts_with("0x");
    return offset ? shown(target.take_front(plus)) + target.substr(plus).str()
                  : shown(target);
  }

  const FileDiff &diff;
  const bool demangle;
  std::string text;
  raw_string_ostream out;
};

void Teller::summary(const DiffCounts &counts) {
  std::vector<std::string> parts;
  for (const DiffCount &count : diffCounts())
    if (count.one && counts.*count.value)
      parts.push_back(counted(counts.*count.value, count.one, count.many));
  out << "2 files differ: " << join(parts, ", ");
  if (counts.real || counts.movedBytes) {
    out << (parts.empty() ? "" : "; ") << bytesText(counts.real)
        << (counts.real == 1 ? " really differs" : " really differ");
    if (counts.movedBytes)
      out << ", " << number(counts.movedBytes) << " because of moved targets";
  }
  out << "\n";
}

void Teller::values(StringRef indent, ArrayRef<ValueDiff> list) {
  for (const ValueDiff &value : list) {
    out << indent << printable(value.what) << ": ";
    if (value.b.empty() && value.a.empty())
      out << "differs\n";
    else if (value.b.empty())
      out << printable(value.a) << "\n";
    else
      out << printable(value.a) << " -> " << printable(value.b) << "\n";
  }
}

void Teller::rest(size_t count, StringRef one, StringRef many) {
  if (count)
    out << "    and " << number(count) << " more " << (count == 1 ? one : many)
        << "\n";
}

void Teller::place(const PlaceDiff &place) {
  auto dump = [](ArrayRef<uint8_t> bytes) {
    std::string dump;
    for (uint8_t byte : bytes.take_front(kMostShownBytes))
      dump += (dump.empty() ? "" : " ") + toHex({byte}, /*LowerCase=*/true);
    return bytes.size() > kMostShownBytes ? dump + " ..." : dump;
  };
  out << "    +" << hex(place.offset) << ": ";
  if (!place.a.empty()) {
    out << dump(place.a) << " -> " << dump(place.b);
    if (place.a.size() > kMostShownBytes)
      out << " (" << bytesText(place.a.size()) << ")";
  }
  if (place.row || !place.targetA.empty() || !place.targetB.empty()) {
    out << (place.a.empty() ? "" : ", ") << (place.probably ? "probably " : "")
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

/// Behind the name: which strings or constants came and went.
void Teller::merged(const ContentDiff &content) {
  if (content.onlyA.empty() && content.onlyB.empty()) {
    out << ": the same strings or constants, merged in another way\n";
    return;
  }
  out << " changed: strings or constants, in any order\n";
  auto list = [&](const char *what, ArrayRef<std::string> entries) {
    if (entries.empty())
      return;
    out << "    " << what << ": "
        << join(entries.take_front(kMostEntries), ", ");
    if (entries.size() > kMostEntries)
      out << " and " << number(entries.size() - kMostEntries) << " more";
    out << "\n";
  };
  list("gone", content.onlyA);
  list("new", content.onlyB);
}

void Teller::content(const ContentDiff &content) {
  const std::string name =
      content.name.empty()
          ? (content.padding ? "padding" : "bytes without a name") +
                (content.near.empty()
                     ? ""
                     : " " + StringRef(content.near).rsplit(' ').first.str() +
                           " " +
                           shown(StringRef(content.near).rsplit(' ').second))
          : shown(content.name);
  if (content.sizeA == 0 || content.sizeB == 0) {
    out << "  " << (content.name.empty() ? "" : "bytes of ") << name
        << (content.sizeA ? " are gone: " : " are new: ")
        << bytesText(content.sizeA ? content.sizeA : content.sizeB) << " at "
        << hex(content.sizeA ? content.addressA : content.addressB) << "\n";
    return;
  }
  out << "  " << name;
  if (content.merged)
    return merged(content);
  if (content.resized()) {
    const uint64_t middleA = content.sizeA - content.front - content.back,
                   middleB = content.sizeB - content.front - content.back;
    out << (content.sizeB > content.sizeA ? " grew by " : " shrank by ")
        << bytesText(std::max(content.sizeA, content.sizeB) -
                     std::min(content.sizeA, content.sizeB))
        << ", from " << number(content.sizeA) << " to "
        << number(content.sizeB);
    if (content.real)
      out << ": " << number(content.front) << " equal at the beginning, "
          << number(content.back) << " at the end; at +" << hex(content.front)
          << ", " << bytesText(middleA) << " became " << number(middleB);
  } else {
    out << " changed: ";
    const auto bytes = count_if(
        content.places, [](const PlaceDiff &p) { return !p.a.empty(); });
    if (content.real)
      out << bytesText(content.real) << " at "
          << counted(bytes, "place", "places");
    else
      out << counted(content.places.size(), "reference", "references");
  }
  if (content.moved)
    out << "; " << bytesText(content.moved) << " because of moved targets";
  if (!content.line.empty())
    out << "; " << printable(content.line);
  out << "\n";
  for (const PlaceDiff &p : ArrayRef(content.places).take_front(kMostPlaces))
    place(p);
  if (content.places.size() > kMostPlaces)
    rest(content.places.size() - kMostPlaces, "place", "places");
}

void Teller::movedBytes(const SectionDiff &section) {
  uint64_t bytes = 0, probably = 0, where = 0;
  for (const ContentDiff &content : section.contents) {
    bytes += content.moved;
    probably += content.probably;
    where += content.moved != 0;
  }
  if (!bytes)
    return;
  out << "  because of moved targets: " << bytesText(bytes) << " in "
      << counted(where, "function or object", "functions or objects");
  if (probably == bytes)
    out << ", probably: no relocations tell";
  else if (probably)
    out << ", " << number(probably) << " of them probably";
  out << "\n";
}

void Teller::contents(const SectionDiff &section) {
  size_t changed = 0;
  for (const ContentDiff &c : section.contents)
    if (c.changed() && ++changed <= kMostEntries)
      content(c);
  if (changed > kMostEntries)
    rest(changed - kMostEntries, "function or object that changed",
         "functions or objects that changed");
  movedBytes(section);
}

void Teller::movedSymbols(ArrayRef<SymbolDiff> list) {
  std::vector<const SymbolDiff *> moved;
  for (const SymbolDiff &symbol : list)
    if (symbol.hasOtherValue())
      moved.push_back(&symbol);
  size_t lines = 0;
  auto by = [](const SymbolDiff &s) {
    return std::pair(s.absolute, s.valueB - s.valueA);
  };
  for (size_t i = 0; i < moved.size();) {
    size_t end = i + 1;
    while (end < moved.size() && by(*moved[end]) == by(*moved[i]))
      ++end;
    const SymbolDiff &first = *moved[i], &last = *moved[end - 1];
    if (++lines > kMostEntries)
      return rest(moved.size() - i, "symbol that moved", "symbols that moved");
    out << (first.absolute ? "  another value, by " : "  moved by ")
        << distance(first.valueA, first.valueB) << ": ";
    if (end - i > 2)
      out << counted(end - i, "symbol", "symbols") << ", ";
    out << shown(first.name) << " (" << hex(first.valueA) << ")";
    if (end - i > 1)
      out << (end - i > 2 ? " to " : ", ") << shown(last.name) << " ("
          << hex(last.valueA) << ")";
    out << "\n";
    i = end;
  }
}

/// Whether only the size differs, and one of the files states none.
bool isSizeAlone(const SymbolDiff &symbol) {
  return symbol.presence == Presence::Both && symbol.properties.size() == 1 &&
         symbol.properties.front().what == "size" &&
         (symbol.sizeA == 0) != (symbol.sizeB == 0);
}

void Teller::symbols(ArrayRef<SymbolDiff> list) {
  for (const Presence presence : {Presence::OnlyB, Presence::OnlyA}) {
    size_t count = 0;
    const bool isNew = presence == Presence::OnlyB;
    for (const SymbolDiff &s : list) {
      if (s.presence != presence || ++count > kMostEntries)
        continue;
      out << "  " << (isNew ? "new" : "gone") << ": " << shown(s.name);
      if (const uint64_t size = isNew ? s.sizeB : s.sizeA)
        out << ", " << bytesText(size);
      if (s.undefined || s.common)
        out << (s.common ? ", common\n" : ", undefined\n");
      else
        out << " at " << hex(isNew ? s.valueB : s.valueA) << "\n";
    }
    if (count > kMostEntries)
      rest(count - kMostEntries, isNew ? "new symbol" : "symbol gone",
           isNew ? "new symbols" : "symbols gone");
  }
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
        out << "  " << shown(s.name) << ": " << p.what << " " << printable(p.a)
            << " -> " << printable(p.b) << "\n";
  if (altered > kMostEntries)
    rest(altered - kMostEntries, "symbol of another kind",
         "symbols of another kind");
  movedSymbols(list);
}

void Teller::section(const SectionDiff &section, bool withSymbols) {
  out << "\nSection " << printable(section.name) << "\n";
  if (section.presence != Presence::Both) {
    const bool isNew = section.presence == Presence::OnlyB;
    out << (isNew ? "  new: " : "  gone: ")
        << bytesText(isNew ? section.sizeB : section.sizeA);
    if (const uint64_t address = isNew ? section.addressB : section.addressA)
      out << " at " << hex(address);
    out << "\n";
  }
  values("  ", section.properties);
  if (section.contentsA != section.contentsB)
    out << "  contents: " << printable(section.contentsA) << " -> "
        << printable(section.contentsB) << "\n";
  else if (section.bytesDiffer)
    out << "  other bytes\n";
  if (section.paddingA != section.paddingB)
    out << "  padding: " << bytesText(section.paddingA) << " -> "
        << number(section.paddingB) << "\n";
  if (section.otherFill)
    out << "  other fill: " << bytesText(section.otherFill) << "\n";
  contents(section);
  if (withSymbols)
    symbols(section.symbols);
}

void Teller::program(const ProgramDiff &program) {
  auto list = [&](const char *title, ArrayRef<ValueDiff> entries) {
    if (entries.empty())
      return;
    out << "\n" << title << "\n";
    values("  ", entries);
  };
  list("ELF header", program.header);
  if (!program.comparable)
    out << "  nothing else was compared\n";
  for (const ValueDiff &segment : program.segments) {
    if (&segment == program.segments.data())
      out << "\nSegments\n";
    if (segment.a.empty() || segment.b.empty())
      out << "  " << segment.what
          << (segment.a.empty() ? " is new: " : " is gone: ")
          << (segment.a.empty() ? segment.b : segment.a) << "\n";
    else
      values("  ", segment);
  }
  const bool withSymbols = !program.symbolsIgnored;
  for (const SectionDiff &s : program.sections) {
    if (!s.ignored && s.differs(withSymbols))
      section(s, withSymbols);
  }
  if (withSymbols && !program.symbols.empty()) {
    out << "\nSymbols in no section\n";
    symbols(program.symbols);
  }
  if (!program.tablesIgnored)
    list("Tables", program.tables);
}

std::string Teller::run() {
  const DiffCounts counts = countsOf(diff);
  if (!counts.any())
    return "";
  out << "--- " << printable(diff.fileA) << "\n+++ " << printable(diff.fileB)
      << "\n";
  summary(counts);
  if (!diff.container.empty()) {
    out << "\nContainer\n";
    values("  ", diff.container);
  }
  for (const ProgramDiff &p : diff.programs) {
    const size_t before = text.size();
    if (!p.part.empty())
      out << "\n" << printable(p.part) << "\n";
    const size_t begin = text.size();
    program(p);
    if (text.size() == begin) // it is the same in both files
      text.resize(before);
  }
  return std::move(text);
}

} // namespace

std::string diffText(const FileDiff &diff, bool demangle) {
  return Teller(diff, demangle).run();
}

} // namespace xlink
