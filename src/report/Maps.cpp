//===- Maps.cpp -----------------------------------------------------------===//
#include "report/Maps.h"
#include "map/HtmlReport.h"
#include "map/LinkMapJson.h"
#include "map/MapComparison.h"
#include "report/CrossReference.h"
#include "report/LinkMapBuilder.h"
#include "report/MapFile.h"
#include "resolve/NamedOutputs.h"

using namespace llvm;

namespace xlink {

const LinkMap &Maps::value() {
  if (!map) {
    // The page draws the references.
    map = buildLinkMap(link, values, config.cref || !config.htmlReport.empty());
    map->stacks = stacks;
  }
  return *map;
}

void Maps::text(raw_ostream &out) {
  writeMap(out, link, values);
  if (config.cref)
    writeCrossReferences(out, link.program);
}

void Maps::json(raw_ostream &out) { writeMapJson(out, value()); }

void Maps::page(raw_ostream &out) {
  const LinkMap *older = baseline ? &baseline->map : nullptr;
  writeHtmlReport(
      out, [&](raw_ostream &to) { json(to); },
      older ? comparisonOfPage(compareMaps(*older, value())) : "",
      config.demangle ? readableNames(value(), older) : "");
}

void Maps::open(OutputSink &sink) {
  files.clear();
  auto add = [&](const char *what, const std::string &path, auto write) {
    if (!path.empty() && path != "-")
      files.push_back({std::make_unique<TextFile>(what, path, sink), write});
  };
  if (!config.mapFile.empty() && config.mapFile != "-")
    add("map file", mapPath(link.program), &Maps::text);
  add("map in JSON", config.mapJson, &Maps::json);
  if (hasPage())
    add("HTML report", config.htmlReport, &Maps::page);
}

void Maps::write(const Parallel &parallel) {
  // The map, and beside it the files that are made of the value.
  parallel.forEach(2, link.program.sections.size() * 256, [&](size_t i) {
    for (File &f : files)
      if ((f.write == &Maps::text) == (i == 0)) {
        (this->*f.write)(*f.file);
        f.file->flush();
      }
  });
}

std::string Maps::error() const {
  for (const File &f : files)
    if (!f.file->error().empty())
      return f.file->error();
  return "";
}

void Maps::commit(Diagnostics &diag) {
  for (File &f : files)
    f.file->commit(diag);
  files.clear();
}

} // namespace xlink
