//===- Maps.cpp -----------------------------------------------------------===//
#include "report/Maps.h"
#include "map/HtmlReport.h"
#include "map/LinkMapJson.h"
#include "map/MapComparison.h"
#include "report/CrossReference.h"
#include "report/MapFile.h"
#include "resolve/NamedOutputs.h"

using namespace llvm;

namespace xlink {

const LinkMap &Maps::value() {
  if (!map) {
    map = buildLinkMap(link, values, crossed());
    map->stacks = stacks;
  }
  return *map;
}

bool Maps::isKept() const {
  return hasPage() || config.memoryUsage != ReportFormat::None ||
         config.sizeAttribution || !config.sizeBudget.empty();
}

LongText Maps::text() {
  LongText text = mapText(link, values);
  if (config.cref)
    text += crossReferenceText(link.program);
  return text;
}

LongText Maps::json() {
  if (isKept())
    return mapJsonText(value());
  if (!passing) {
    passing = openLinkMap(link, values, crossed());
    passing->map.stacks = stacks;
  }
  return mapJsonText(passing->map, passing->parts);
}

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
  const size_t first = inFiles() && makers.front() == &Maps::text;
  // The map, and what is made of the value: each begins with what only one
  // thread can do, so they are made side by side.
  parallel.forEach(2, link.program.sections.size() * 256, [&](size_t i) {
    if (i == 0) {
      if (first)
        files.write(text(), parallel);
      return;
    }
    std::vector<LongText> texts;
    for (size_t k = first; k < makers.size(); ++k)
      texts.push_back((this->*makers[k])());
    files.write(texts, parallel, first);
  });
}

} // namespace xlink
