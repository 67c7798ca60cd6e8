//===- HtmlReport.cpp -----------------------------------------------------===//
//
// Problem: a report that may be mailed, archived by a build server and opened
// years later, so one file that needs no other. It holds names of object files,
// which may be written to harm the reader of the page; and its numbers are
// those of the JSON map, which other programs read.
//
// Method: the page (html/*) is constant, compiled in, and holds no number: it
// draws the contents of three blocks of JSON behind it. These are the map and
// its comparison with the baseline, byte for byte but for `<`, which is written
// \u003c: in JSON it stands in strings only, and without it no text can end the
// block or open a comment. So the page shows the output of --map-json and
// xlink-inspect, or nothing. The third block tells how people read the mangled
// names of either map: the demangler is here, and a map has the names of the
// file. A policy in the page's head allows one script and one style sheet, by
// the hash of their text, and nothing else: neither a network nor a script that
// slipped into the data.
//
// Cost: linear in the maps, and a demangled text for each mangled name. Nothing
// before a report is asked for; the page is some 100 KB of constant data.
//
//===----------------------------------------------------------------------===//
#include "base/Diagnostics.h"
#include "map/LinkMapJson.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"

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

/// Writes JSON as the text of a script element, in the form of takeBlocks in
/// html/model.js.
static void writeJson(raw_ostream &out, StringRef json) {
  constexpr size_t kMostPlain = 1 << 20;
  if (json.size() > kMostPlain && compression::zlib::isAvailable()) {
    SmallVector<uint8_t, 0> packed;
    compression::zlib::compress(arrayRefFromStringRef(json), packed);
    out << encodeBase64(packed);
    return;
  }
  for (size_t end; (end = json.find('<')) != StringRef::npos;) {
    out << json.take_front(end) << "\\u003c";
    json = json.drop_front(end + 1);
  }
  out << json;
}

/// Calls fn with each name of a map that may be mangled.
static void eachName(const LinkMap &map, function_ref<void(StringRef)> fn) {
  fn(map.entryName);
  for (const MapRegion &region : map.regions)
    for (const MapReservation &r : region.reservations)
      fn(r.name);
  for (const MapInput &file : map.files)
    fn(file.symbol);
  for (const MapSymbol &symbol : map.symbols)
    fn(symbol.name);
  for (const MapSymbol &symbol : map.absolutes)
    fn(symbol.name);
  for (const MapStack &stack : map.stacks) {
    fn(stack.root);
    for (const MapStack::Frame &frame : stack.path)
      fn(frame.function);
  }
}

std::string readableNames(const LinkMap &map, const LinkMap *baseline) {
  std::string text;
  raw_string_ostream stream(text);
  json::OStream out(stream);
  StringSet<> seen;
  auto add = [&](StringRef name) {
    if (!isMangled(name) || !seen.insert(name).second)
      return;
    if (std::string shown = demangled(name); shown != name)
      out.attribute(name, json::fixUTF8(shown));
  };
  out.object([&] {
    eachName(map, add);
    if (baseline)
      eachName(*baseline, add);
  });
  return text;
}

void writeHtmlReport(raw_ostream &out, StringRef map, StringRef changes,
                     StringRef names) {
  // The page names the places: @POLICY@, @STYLE@, @MAP@ ...
  StringRef page = kPage;
  while (!page.empty()) {
    auto [before, rest] = page.split('@');
    out << before;
    StringRef place;
    std::tie(place, page) = rest.split('@');
    if (place == "POLICY") {
      out << "default-src 'none'; base-uri 'none'; form-action 'none'; "
             "script-src "
          << allowed(kScript) << "; style-src " << allowed(kStyle);
    } else if (place == "STYLE") {
      out << kStyle;
    } else if (place == "SCRIPT") {
      out << kScript;
    } else if (place == "MAP") {
      writeJson(out, map);
    } else if (place == "CHANGES") {
      writeJson(out, json::fixUTF8(changes));
    } else if (place == "NAMES") {
      writeJson(out, names);
    }
  }
}

} // namespace xlink
