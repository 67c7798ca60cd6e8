//===- DiffJson.cpp - the differences of two files as JSON ----------------===//
//
// The form is that of diff.schema.json. Members that say nothing are left
// out; those of an object stand by name. Everything is written as it goes:
// there may be a million entries.
//
//===----------------------------------------------------------------------===//
#include "inspect/FileDiff.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace xlink {

namespace {

constexpr int kVersion = 1;
/// Of a longer run its beginning is written.
constexpr size_t kMostHexBytes = 64;

class Writer {
public:
  explicit Writer(raw_ostream &out) : json(out, 2) {}
  void file(const FileDiff &diff);

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
  /// A list of objects, each with the members that `write` gives it.
  template <class T, class Function>
  void list(StringRef name, const std::vector<T> &list, Function write) {
    if (list.empty())
      return;
    json.attributeArray(name, [&] {
      for (const T &entry : list)
        json.object([&] { write(entry); });
    });
  }
  void texts(StringRef name, const std::vector<std::string> &list) {
    if (list.empty())
      return;
    json.attributeArray(name, [&] {
      for (const std::string &text : list)
        json.value(json::fixUTF8(text));
    });
  }
  void values(StringRef name, const std::vector<ValueDiff> &list);
  void presence(Presence presence) {
    if (presence != Presence::Both)
      json.attribute("only", presence == Presence::OnlyA ? "a" : "b");
  }
  void place(const PlaceDiff &place);
  void content(const ContentDiff &content);
  void symbols(const std::vector<SymbolDiff> &list);
  void section(const SectionDiff &section);
  void program(const ProgramDiff &program);

  json::OStream json;
};

void Writer::values(StringRef name, const std::vector<ValueDiff> &all) {
  list(name, all, [&](const ValueDiff &value) {
    set("a", value.a);
    set("b", value.b);
    json.attribute("what", json::fixUTF8(value.what));
  });
}

void Writer::place(const PlaceDiff &place) {
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

void Writer::content(const ContentDiff &content) {
  json.attribute("addressA", hex(content.addressA));
  json.attribute("addressB", hex(content.addressB));
  if (content.resized() && !content.merged) {
    json.attribute("equalBack", content.back);
    json.attribute("equalFront", content.front);
  }
  setFlag("function", content.function);
  set("line", content.line);
  setFlag("merged", content.merged);
  set("moved", content.moved);
  set("name", content.name);
  set("near", content.near);
  texts("onlyA", content.onlyA);
  texts("onlyB", content.onlyB);
  setFlag("padding", content.padding);
  set("probably", content.probably);
  set("real", content.real);
  json.attribute("sizeA", content.sizeA);
  json.attribute("sizeB", content.sizeB);
  list("places", content.places, [&](const PlaceDiff &p) { place(p); });
}

void Writer::symbols(const std::vector<SymbolDiff> &all) {
  list("symbols", all, [&](const SymbolDiff &symbol) {
    setFlag("function", symbol.function);
    json.attribute("name", json::fixUTF8(symbol.name));
    presence(symbol.presence);
    values("properties", symbol.properties);
    const bool inA = symbol.presence != Presence::OnlyB,
               inB = symbol.presence != Presence::OnlyA;
    set("sizeA", inA ? symbol.sizeA : 0);
    set("sizeB", inB ? symbol.sizeB : 0);
    set("valueA", inA ? hex(symbol.valueA) : "");
    set("valueB", inB ? hex(symbol.valueB) : "");
  });
}

void Writer::section(const SectionDiff &section) {
  static constexpr const char *kKinds[] = {"", "build-id", "comment", "debug",
                                           "table"};
  const bool inA = section.presence != Presence::OnlyB,
             inB = section.presence != Presence::OnlyA;
  set("addressA", inA ? hex(section.addressA) : "");
  set("addressB", inB ? hex(section.addressB) : "");
  setFlag("bytesDiffer", section.bytesDiffer);
  setFlag("ignored", section.ignored);
  set("kind", kKinds[section.kind]);
  json.attribute("name", json::fixUTF8(section.name));
  presence(section.presence);
  set("otherFill", section.otherFill);
  set("paddingA", section.paddingA);
  set("paddingB", section.paddingB);
  values("properties", section.properties);
  if (inA)
    json.attribute("sizeA", section.sizeA);
  if (inB)
    json.attribute("sizeB", section.sizeB);
  set("textA", section.contentsA);
  set("textB", section.contentsB);
  list("contents", section.contents, [&](const ContentDiff &c) { content(c); });
  symbols(section.symbols);
}

void Writer::program(const ProgramDiff &program) {
  values("header", program.header);
  setFlag("otherMachine", !program.comparable);
  set("part", program.part);
  values("segments", program.segments);
  setFlag("symbolsIgnored", program.symbolsIgnored);
  values("tables", program.tables);
  setFlag("tablesIgnored", program.tablesIgnored);
  json.attributeArray("sections", [&] {
    for (const SectionDiff &s : program.sections)
      if (s.differs())
        json.object([&] { section(s); });
  });
  symbols(program.symbols);
}

void Writer::file(const FileDiff &diff) {
  const DiffCounts counts = countsOf(diff);
  json::Object all;
  for (const DiffCount &count : diffCounts())
    if (counts.*count.value)
      all[count.member] = counts.*count.value;
  json.object([&] {
    json.attribute("format", "xlink diff");
    json.attribute("version", kVersion);
    json.attribute("a", json::fixUTF8(diff.fileA));
    json.attribute("b", json::fixUTF8(diff.fileB));
    values("container", diff.container);
    json.attribute("counts", std::move(all));
    json.attribute("differ", counts.any());
    list("programs", diff.programs, [&](const ProgramDiff &p) { program(p); });
  });
}

} // namespace

std::string diffJson(const FileDiff &diff) {
  std::string text;
  raw_string_ostream out(text);
  Writer(out).file(diff);
  out << "\n";
  return text;
}

} // namespace xlink
