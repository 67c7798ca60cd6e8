//===- Maps.cpp -----------------------------------------------------------===//
#include "report/Maps.h"
#include "map/HtmlReport.h"
#include "map/LinkMapJson.h"
#include "map/MapComparison.h"
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
  writeHtmlReport(out, mapJson(value()),
                  older ? comparisonOfPage(compareMaps(*older, value())) : "",
                  config.demangle ? readableNames(value(), older) : "");
}

void Maps::open(OutputSink &sink) {
  files.clear();
  auto add = [&](const char *kind, const std::string &path, auto write) {
    if (!path.empty() && path != "-")
      files.push_back({std::make_unique<TextFile>(kind, path, sink), write});
  };
  if (!config.mapFile.empty() && config.mapFile != "-")
    add("map file", mapPath(link.program), &Maps::text);
  add("map in JSON", config.mapJson, &Maps::json);
  if (hasPage())
    add("HTML report", config.htmlReport, &Maps::page);
}

void Maps::write() {
  for (OpenMap &f : files) {
    (this->*f.write)(*f.file);
    f.file->flush();
  }
}

std::string Maps::error() const {
  for (const OpenMap &f : files)
    if (!f.file->error().empty())
      return f.file->error();
  return "";
}

void Maps::commit(Diagnostics &diag) {
  for (OpenMap &f : files)
    f.file->commit(diag);
  files.clear();
}

} // namespace xlink
