//===- DiffJson.cpp - the differences of two files as JSON ----------------===//
//
// The form is described in inspect/README.md.
//
//===----------------------------------------------------------------------===//
#include "inspect/DiffText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace xlink {

namespace {

constexpr int kVersion = 1;
/// Of a longer run its beginning is written.
constexpr size_t kMostHexBytes = 64;

std::string utf8(StringRef text) { return json::fixUTF8(text); }

/// Sets a member unless it says nothing.
void set(json::Object &object, StringRef name, uint64_t value) {
  if (value)
    object[name] = value;
}
void set(json::Object &object, StringRef name, StringRef value) {
  if (!value.empty())
    object[name] = utf8(value);
}
void setFlag(json::Object &object, StringRef name, bool value) {
  if (value)
    object[name] = true;
}
void setTexts(json::Object &object, StringRef name,
              const std::vector<std::string> &texts) {
  json::Array array;
  for (const std::string &text : texts)
    array.push_back(utf8(text));
  if (!array.empty())
    object[name] = std::move(array);
}
template <class T, class Function>
void setList(json::Object &object, StringRef name, const std::vector<T> &list,
             Function toJson) {
  if (list.empty())
    return;
  json::Array array;
  for (const T &entry : list)
    array.push_back(toJson(entry));
  object[name] = std::move(array);
}

json::Object valueJson(const ValueDiff &value) {
  json::Object object{{"what", utf8(value.what)}};
  set(object, "a", value.a);
  set(object, "b", value.b);
  return object;
}

void setPresence(json::Object &object, Presence presence) {
  if (presence != Presence::Both)
    object["only"] = presence == Presence::OnlyA ? "a" : "b";
}

json::Object placeJson(const PlaceDiff &place) {
  json::Object object{{"offset", uint64_t(place.offsetA)},
                      {"size", uint64_t(place.a.size())}};
  set(object, "a", toHex(place.a.take_front(kMostHexBytes), true));
  set(object, "b", toHex(place.b.take_front(kMostHexBytes), true));
  if (place.row) {
    object["relocation"] = place.row->name;
    object["valueA"] = place.valueA;
    object["valueB"] = place.valueB;
  }
  set(object, "targetA", place.targetA);
  set(object, "targetB", place.targetB);
  setFlag(object, "probably", place.probably);
  return object;
}

json::Object contentJson(const ContentDiff &content) {
  json::Object object;
  set(object, "name", content.name);
  set(object, "near", content.near);
  setFlag(object, "function", content.function);
  setFlag(object, "padding", content.padding);
  object["addressA"] = hex(content.addressA);
  object["addressB"] = hex(content.addressB);
  object["sizeA"] = uint64_t(content.sizeA);
  object["sizeB"] = uint64_t(content.sizeB);
  setFlag(object, "merged", content.merged);
  setTexts(object, "onlyA", content.onlyA);
  setTexts(object, "onlyB", content.onlyB);
  if (content.resized() && !content.merged) {
    object["equalFront"] = uint64_t(content.front);
    object["equalBack"] = uint64_t(content.back);
  }
  set(object, "real", content.real);
  set(object, "moved", content.moved);
  set(object, "probably", content.probably);
  set(object, "line", content.line);
  return object;
}

json::Object symbolJson(const SymbolDiff &symbol) {
  json::Object object{{"name", utf8(symbol.name)}};
  setPresence(object, symbol.presence);
  setFlag(object, "function", symbol.function);
  if (symbol.presence != Presence::OnlyB) {
    object["valueA"] = hex(symbol.valueA);
    set(object, "sizeA", symbol.sizeA);
  }
  if (symbol.presence != Presence::OnlyA) {
    object["valueB"] = hex(symbol.valueB);
    set(object, "sizeB", symbol.sizeB);
  }
  setList(object, "properties", symbol.properties, valueJson);
  return object;
}

json::Object sectionJson(const SectionDiff &section) {
  static constexpr const char *kKinds[] = {"ordinary", "build-id", "comment",
                                           "debug", "table"};
  json::Object object{{"name", utf8(section.name)}};
  setPresence(object, section.presence);
  if (section.kind != SectionDiff::Ordinary)
    object["kind"] = kKinds[section.kind];
  setFlag(object, "ignored", section.ignored);
  if (section.presence != Presence::OnlyB) {
    object["addressA"] = hex(section.addressA);
    object["sizeA"] = uint64_t(section.sizeA);
  }
  if (section.presence != Presence::OnlyA) {
    object["addressB"] = hex(section.addressB);
    object["sizeB"] = uint64_t(section.sizeB);
  }
  setList(object, "properties", section.properties, valueJson);
  setFlag(object, "bytesDiffer", section.bytesDiffer);
  set(object, "textA", section.contentsA);
  set(object, "textB", section.contentsB);
  set(object, "paddingA", section.paddingA);
  set(object, "paddingB", section.paddingB);
  set(object, "otherFill", section.otherFill);
  return object;
}

json::Object programJson(const ProgramDiff &program) {
  json::Object object;
  set(object, "part", program.part);
  setList(object, "header", program.header, valueJson);
  setList(object, "segments", program.segments, valueJson);
  setList(object, "tables", program.tables, valueJson);
  setFlag(object, "symbolsIgnored", program.symbolsIgnored);
  setFlag(object, "tablesIgnored", program.tablesIgnored);
  setFlag(object, "otherMachine", !program.comparable);
  return object;
}

json::Object countsJson(const DiffCounts &counts) {
  json::Object object;
  set(object, "functionsChanged", counts.functionsChanged);
  set(object, "objectsChanged", counts.objectsChanged);
  set(object, "unnamedChanged", counts.unnamedChanged);
  set(object, "reordered", counts.reordered);
  set(object, "grew", counts.grew);
  set(object, "shrank", counts.shrank);
  set(object, "symbolsMoved", counts.moved);
  set(object, "symbolsRevalued", counts.revalued);
  set(object, "symbolsNew", counts.added);
  set(object, "symbolsGone", counts.removed);
  set(object, "symbolsAltered", counts.altered);
  set(object, "header", counts.header);
  set(object, "segments", counts.segments);
  set(object, "sections", counts.sections);
  set(object, "tables", counts.tables);
  set(object, "container", counts.container);
  set(object, "bytesReal", counts.real);
  set(object, "bytesMoved", counts.movedBytes);
  set(object, "bytesProbablyMoved", counts.probably);
  return object;
}

/// Writes the members of an object that is open, by name.
void writeMembers(json::OStream &out, const json::Object &object) {
  std::vector<StringRef> names;
  for (const auto &member : object)
    names.push_back(member.first);
  sort(names);
  for (StringRef name : names)
    out.attribute(name, *object.get(name));
}

/// Writes a list, one entry at a time: there may be a million.
template <class T, class Function>
void writeList(json::OStream &out, StringRef name, const std::vector<T> &list,
               Function write) {
  if (list.empty())
    return;
  out.attributeArray(name, [&] {
    for (const T &entry : list)
      write(entry);
  });
}

void writeContent(json::OStream &out, const ContentDiff &content) {
  out.object([&] {
    writeMembers(out, contentJson(content));
    writeList(out, "places", content.places,
              [&](const PlaceDiff &place) { out.value(placeJson(place)); });
  });
}

void writeSymbols(json::OStream &out, const std::vector<SymbolDiff> &symbols) {
  writeList(out, "symbols", symbols,
            [&](const SymbolDiff &symbol) { out.value(symbolJson(symbol)); });
}

void writeProgram(json::OStream &out, const ProgramDiff &program) {
  out.object([&] {
    writeMembers(out, programJson(program));
    out.attributeArray("sections", [&] {
      for (const SectionDiff &section : program.sections)
        if (section.differs())
          out.object([&] {
            writeMembers(out, sectionJson(section));
            writeList(out, "contents", section.contents,
                      [&](const ContentDiff &c) { writeContent(out, c); });
            writeSymbols(out, section.symbols);
          });
    });
    writeSymbols(out, program.symbols);
  });
}

} // namespace

void writeDiffJson(const FileDiff &diff, raw_ostream &stream) {
  const DiffCounts counts = countsOf(diff);
  json::Object object{{"a", utf8(diff.fileA)},
                      {"b", utf8(diff.fileB)},
                      {"differ", counts.any()},
                      {"counts", countsJson(counts)}};
  setList(object, "container", diff.container, valueJson);
  json::OStream out(stream, 2);
  out.object([&] {
    out.attribute("format", "xlink diff");
    out.attribute("version", kVersion);
    writeMembers(out, object);
    writeList(out, "programs", diff.programs,
              [&](const ProgramDiff &program) { writeProgram(out, program); });
  });
  stream << "\n";
}

} // namespace xlink
