//===- Maps.h - the files that tell a whole link --------------------------===//
#ifndef XLINK_REPORT_MAPS_H
#define XLINK_REPORT_MAPS_H

#include "base/Config.h"
#include "base/LongText.h"
#include "map/LinkMap.h"
#include "map/SizeBudget.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include "report/LinkMapBuilder.h"
#include "report/TextFiles.h"
#include "llvm/Support/Allocator.h"
#include <optional>
#include <string>
#include <vector>

namespace xlink {

/// The maps that a link was asked for: -Map, --map-json, --html-report. Those
/// that go into files are opened and committed with the link's other outputs,
/// and in between made beside whatever else reads the link.
class Maps {
public:
  /// Addresses must be fixed.
  Maps(const Link &link, const SymbolValues &values)
      : link(link), values(values), config(link.program.config) {}

  /// What else the value tells: to be set before it is made. The texts are in
  /// `stackTexts`.
  std::vector<MapStack> stacks;
  llvm::BumpPtrAllocator stackTexts;
  /// The older map; nothing: there is none, or it cannot be read.
  std::optional<Baseline> baseline;

  /// The link as a value, made at the first call.
  const LinkMap &value();
  LongText text(); ///< of -Map, with the cross references
  /// Of --map-json. Where nobody asks for the value, its parts are made as they
  /// are written and not kept.
  LongText json();
  LongText page(); ///< of --html-report
  /// No page compares with an older map that cannot be read.
  bool hasPage() const {
    return !config.htmlReport.empty() && (config.baseline.empty() || baseline);
  }

  /// Opens the files, which are not yet, or once more; those that are printed
  /// are none.
  void open(OutputSink &sink);
  /// Makes the texts and writes them. Reads the link and tells nobody anything,
  /// so others may read it meanwhile.
  void write(const Parallel &parallel);
  /// Why one of them cannot be written; "": so far nothing went wrong.
  std::string error() const { return files.error(); }
  /// Whether write() has something to do.
  bool inFiles() const { return !makers.empty(); }
  /// The files appear; what failed is reported.
  void commit(Diagnostics &diag) { files.commit(diag); }

private:
  using Maker = LongText (Maps::*)();

  /// Whether the value tells of references: the page draws their graph.
  bool crossed() const { return config.cref || !config.htmlReport.empty(); }
  /// Whether anybody asks for the value.
  bool isKept() const;

  const Link &link;
  const SymbolValues &values;
  const Config &config;
  std::optional<LinkMap> map;
  std::optional<OpenLinkMap> passing; ///< what json() tells of without it
  TextFiles files;
  std::vector<Maker> makers; ///< of the files' texts; that of -Map is first
};

} // namespace xlink
#endif
