//===- Maps.cpp -----------------------------------------------------------===//
#include "report/Maps.h"
#include "map/HtmlReport.h"
#include "map/LinkMapJson.h"
#include "map/MapComparison.h"
#include "report/CrossReference.h"
#include "report/LinkMapBuilder.h"
#include "report/MapFile.h"

using namespace llvm;

namespace xlink {

const LinkMap &Maps::value() {
  if (!map) {
    // The page draws the graph of references.
    map = buildLinkMap(link, values, config.cref || !config.htmlReport.empty());
    map->stacks = std::move(stacks);
  }
  return *map;
}

LongText Maps::text() {
  LongText text = mapText(link, values);
  if (config.cref)
    text += crossReferenceText(link.program);
  return text;
}

LongText Maps::json() { return mapJsonText(value()); }

LongText Maps::page() {
  const LinkMap *older = baseline ? &baseline->map : nullptr;
  return htmlReport(
      json(),
      older ? LongText(comparisonOfPage(compareMaps(*older, value())))
            : LongText(),
      config.demangle ? readableNames(value(), older) : LongText());
}

void Maps::open(OutputSink &sink) {
  files.close();
  makers.clear();
  auto add = [&](const char *what, const std::string &path, Maker maker) {
    if (path.empty() || path == "-")
      return;
    files.open(what, path, sink);
    makers.push_back(maker);
  };
  if (!config.mapFile.empty() && config.mapFile != "-")
    add("map file", mapPath(link.program), &Maps::text);
  add("map in JSON", config.mapJson, &Maps::json);
  if (hasPage())
    add("HTML report", config.htmlReport, &Maps::page);
}

void Maps::write(const Parallel &parallel) {
  std::vector<LongText> texts(makers.size());
  const size_t first = inFiles() && makers.front() == &Maps::text;
  // Each has parts that only one thread can do.
  parallel.forEach(2, link.program.sections.size() * 256, [&](size_t i) {
    if (i == 0 && first)
      texts.front() = text();
    else if (i == 1 && makers.size() > first)
      value();
  });
  for (size_t i = first; i < makers.size(); ++i)
    texts[i] = (this->*makers[i])();
  files.write(texts, parallel);
}

} // namespace xlink
