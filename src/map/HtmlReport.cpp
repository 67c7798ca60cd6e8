//===- HtmlReport.cpp -----------------------------------------------------===//
//
// Problem: a report that may be mailed, archived by a build server and opened
// years later, so one file that needs no other; that holds names which come
// from object files, and may be written to harm whoever opens the page; and
// whose numbers are those of the JSON map, which other programs read.
//
// Method: the page (html/*) is constant, compiled in, and holds no number: it
// draws what it finds in three blocks of JSON behind it. These are the map and
// the baseline, byte for byte but for `<`, which is written \u003c: in JSON it
// stands in strings only, and without it no text can end the block or open a
// comment. So the page shows what --map-json writes, or nothing. The third
// block tells how people read mangled names, those of strings in either map:
// the demangler is here, and a map has the names of the file. A policy in the
// page's head allows one script and one style sheet, by the hash of their text,
// and nothing else: neither a network nor a script that slipped into the data.
//
// Cost: linear in the maps, and a demangled text for each mangled name. Nothing
// before a report is asked for; the page is some 100 KB of constant data.
//
//===----------------------------------------------------------------------===//
#include "map/HtmlReport.h"
#include "base/Demangle.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xlink {

static constexpr char kPage[] =
#include "report.html.inc"
    ;
static constexpr char kStyle[] =
#include "report.css.inc"
    ;
static constexpr char kScript[] =
#include "report.js.inc"
    ;

/// How the policy of a page names a text that it allows.
static std::string allowed(StringRef text) {
  return "'sha256-" + encodeBase64(SHA256::hash(arrayRefFromStringRef(text))) +
         "'";
}

/// JSON as the text of a script element.
static void writeHarmless(raw_ostream &out, StringRef json) {
  std::string whole;
  if (!json::isUTF8(json)) {
    whole = json::fixUTF8(json);
    json = whole;
  }
  while (!json.empty()) {
    const size_t at = std::min(json.find('<'), json.size());
    out << json.take_front(at);
    json = json.drop_front(at);
    if (json.consume_front("<"))
      out << "\\u003c";
  }
}

/// Calls `found` with the text of each string in `json` that has no escape
/// sequence: mangled names have none.
template <class Function>
static void eachString(StringRef json, Function found) {
  for (size_t at = 0; (at = json.find('"', at)) != StringRef::npos; ++at) {
    const size_t begin = ++at;
    bool escapes = false;
    while (at < json.size() && json[at] != '"') {
      escapes |= json[at] == '\\';
      at += json[at] == '\\' ? 2 : 1;
    }
    if (!escapes && at < json.size())
      found(json.slice(begin, at));
  }
}

/// {"_Zmangled": "as people read it"}, in the order of appearance.
static std::string readableNames(StringRef mapJson, StringRef baselineJson) {
  std::string text;
  raw_string_ostream stream(text);
  json::OStream out(stream);
  StringSet<> seen;
  out.object([&] {
    for (StringRef json : {mapJson, baselineJson})
      eachString(json, [&](StringRef name) {
        if (!name.starts_with("_") || !seen.insert(name).second)
          return;
        if (std::string shown = demangled(name); shown != name)
          out.attribute(name, json::fixUTF8(shown));
      });
  });
  return text;
}

std::string htmlReport(StringRef mapJson, StringRef baselineJson,
                       bool demangle) {
  std::string text;
  text.reserve(sizeof kPage + sizeof kStyle + sizeof kScript + mapJson.size() +
               baselineJson.size());
  raw_string_ostream out(text);
  // The page names the places: @POLICY@, @STYLE@, @MAP@ ...
  StringRef page = kPage;
  while (!page.empty()) {
    auto [before, rest] = page.split('@');
    out << before;
    StringRef place;
    std::tie(place, page) = rest.split('@');
    if (place == "POLICY")
      out << "default-src 'none'; base-uri 'none'; form-action 'none'; "
             "script-src "
          << allowed(kScript) << "; style-src " << allowed(kStyle);
    else if (place == "STYLE")
      out << kStyle;
    else if (place == "SCRIPT")
      out << kScript;
    else if (place == "MAP")
      writeHarmless(out, mapJson);
    else if (place == "BASELINE")
      writeHarmless(out, baselineJson);
    else if (place == "NAMES" && demangle)
      writeHarmless(out, readableNames(mapJson, baselineJson));
  }
  return text;
}

} // namespace xlink
