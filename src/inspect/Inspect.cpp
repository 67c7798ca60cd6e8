//===- Inspect.cpp --------------------------------------------------------===//
#include "inspect/Inspect.h"
#include "inspect/Diff.h"
#include "inspect/FinishedFile.h"
#include "inspect/SizeTables.h"
#include "map/HtmlReport.h"
#include "map/LinkMapJson.h"
#include "map/MapComparison.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xlink {

namespace {

/// A file and its map.
struct Mapped {
  FinishedFile file;
  std::optional<LinkMap> map;
};

Mapped openMap(const std::string &path, vfs::FileSystem *fs,
               Diagnostics &diag) {
  Mapped opened;
  if (openFinished(path, fs, opened.file, diag))
    opened.map = mapOf(opened.file, diag);
  return opened;
}

InspectStatus compareFiles(const InspectOptions &options, vfs::FileSystem *fs,
                           std::string &text, Diagnostics &diag) {
  // Both are read even if the first is bad: two messages in one run.
  const Mapped before = openMap(options.files[0], fs, diag),
               after = openMap(options.files[1], fs, diag);
  if (!before.map || !after.map)
    return kTrouble;
  const MapComparison comparison = compareMaps(*before.map, *after.map);
  const ComparisonNames names{options.files[0], options.files[1],
                              options.demangle};
  text = options.format == InspectOptions::Json
             ? comparisonJson(comparison, names)
         : options.format == InspectOptions::Markdown
             ? comparisonMarkdown(comparison, names)
             : comparisonText(comparison, names);
  return comparison.equal() ? kSame : kDifferent;
}

InspectStatus showSizes(const InspectOptions &options, vfs::FileSystem *fs,
                        std::string &text, Diagnostics &diag) {
  const Mapped opened = openMap(options.files[0], fs, diag);
  if (!opened.map)
    return kTrouble;
  const LinkMap empty;
  MapComparison sizes = compareMaps(empty, *opened.map);
  erase_if(sizes.outputs, [](const SizeChange &out) { return !*out.after; });
  const ComparisonNames names{"", options.files[0], options.demangle};
  text = options.format == InspectOptions::Json
             ? sizesJson(sizes, names)
             : sizesText(sizes, names, options.rows);
  return kSame;
}

InspectStatus makePage(const InspectOptions &options, vfs::FileSystem *fs,
                       std::string &text, Diagnostics &diag) {
  const Mapped opened = openMap(options.files[0], fs, diag);
  Mapped older;
  if (!options.baseline.empty())
    older = openMap(options.baseline, fs, diag);
  if (!opened.map || diag.failed())
    return kTrouble;
  if (options.format == InspectOptions::Json) {
    text = mapJson(*opened.map);
    return kSame;
  }
  const LinkMap *baseline = older.map ? &*older.map : nullptr;
  raw_string_ostream out(text);
  writeHtmlReport(
      out, [&](raw_ostream &to) { writeMapJson(to, *opened.map); },
      baseline ? comparisonOfPage(compareMaps(*baseline, *opened.map)) : "",
      options.demangle ? readableNames(*opened.map, baseline) : "");
  return kSame;
}

/// A listing for people.
std::string listingText(const ContainerListing &listing, StringRef file) {
  if (listing.title.empty())
    return "";
  std::string text = (file + ": " + listing.title + "\n").str();
  for (const ContainerListing::Entry &entry : listing.entries) {
    text += hex(entry.offset) + ": " + entry.kind;
    for (const ContainerListing::Fact &fact : entry.facts)
      text += ", " + fact.text;
    text += "\n";
  }
  return printableLines(text);
}

std::string listingJson(const ContainerListing &listing, StringRef file) {
  std::string text;
  raw_string_ostream out(text);
  json::OStream json(out, 2);
  json.object([&] {
    json.attribute("format", "xlink container");
    json.attribute("version", 1);
    json.attribute("file", json::fixUTF8(file));
    json.attribute("title", listing.title);
    json.attributeArray("entries", [&] {
      for (const ContainerListing::Entry &entry : listing.entries)
        json.object([&] {
          json.attribute("offset", hex(entry.offset));
          json.attribute("kind", entry.kind);
          for (const ContainerListing::Fact &fact : entry.facts) {
            uint64_t number = 0;
            if (StringRef(fact.value).getAsInteger(10, number))
              json.attribute(fact.member, fact.value);
            else
              json.attribute(fact.member, number);
          }
        });
    });
  });
  out << '\n';
  return text;
}

InspectStatus listContainer(const InspectOptions &options, vfs::FileSystem *fs,
                            std::string &text, Diagnostics &diag) {
  FinishedFile file;
  if (!openFinished(options.files[0], fs, file, diag))
    return kTrouble;
  std::vector<TargetMessage> messages;
  const Container &format = *findContainer("xe");
  const ContainerListing listing = format.list(file.bytes(), messages);
  for (const TargetMessage &m : messages)
    if (m.severity == TargetMessage::Error)
      diag.error(file.path + ": " + m.text);
    else
      diag.warn(WarningGroup::General, file.path + ": " + m.text);
  text = options.format == InspectOptions::Json
             ? listingJson(listing, file.path)
             : listingText(listing, file.path);
  return kSame;
}

} // namespace

InspectResult inspect(const std::vector<std::string> &arguments,
                      vfs::FileSystem *fs) {
  InspectResult result;
  Diagnostics diag;
  if (const std::optional<InspectOptions> options =
          parseInspectOptions(arguments, diag)) {
    result.output = options->output;
    switch (options->command) {
    case InspectOptions::Help:
      result.text = options->help;
      result.status = kSame;
      break;
    case InspectOptions::Diff:
      result.status = diffFiles(*options, fs, result.text, diag);
      break;
    case InspectOptions::Compare:
      result.status = compareFiles(*options, fs, result.text, diag);
      break;
    case InspectOptions::Sizes:
      result.status = showSizes(*options, fs, result.text, diag);
      break;
    case InspectOptions::Page:
      result.status = makePage(*options, fs, result.text, diag);
      break;
    case InspectOptions::Container:
      result.status = listContainer(*options, fs, result.text, diag);
      break;
    }
  }
  if (diag.failed())
    result.status = kTrouble;
  result.diagnostics = diag.all();
  return result;
}

} // namespace xlink
