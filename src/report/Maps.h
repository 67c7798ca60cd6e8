//===- Maps.h - the files that tell a whole link --------------------------===//
#ifndef XLINK_REPORT_MAPS_H
#define XLINK_REPORT_MAPS_H

#include "base/Config.h"
#include "map/LinkMap.h"
#include "map/SizeBudget.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include "report/TextFile.h"
#include "llvm/Support/Allocator.h"
#include <optional>
#include <string>
#include <vector>

namespace xlink {

/// The maps that a link was asked for: -Map, --map-json, --html-report. Those
/// that go into files are opened and committed with the link's other outputs,
/// and in between made beside other readers of the link.
class Maps {
public:
  /// Addresses must be fixed.
  Maps(const Link &link, const SymbolValues &values)
      : link(link), values(values), config(link.program.config) {}

  /// Stacks for the value, to be set before it is made. The texts are in
  /// `stackTexts`.
  std::vector<MapStack> stacks;
  llvm::BumpPtrAllocator stackTexts;
  /// The older map; nothing: there is none, or it cannot be read.
  std::optional<Baseline> baseline;

  /// The link as a value, made at the first call.
  const LinkMap &value();
  void text(llvm::raw_ostream &out); ///< -Map, with the cross references
  void json(llvm::raw_ostream &out); ///< --map-json
  void page(llvm::raw_ostream &out); ///< --html-report
  /// No page compares with an older map that cannot be read.
  bool hasPage() const {
    return !config.htmlReport.empty() && (config.baseline.empty() || baseline);
  }

  /// Opens the files, which are not yet, or once more; those that are printed
  /// are none.
  void open(OutputSink &sink);
  /// Writes them. Only reads the link.
  void write();
  /// Why one of them cannot be written; "": so far nothing went wrong.
  std::string error() const;
  /// Whether write() has something to do.
  bool inFiles() const { return !files.empty(); }
  /// The files appear; failures are reported.
  void commit(Diagnostics &diag);

private:
  struct OpenMap {
    std::unique_ptr<TextFile> file;
    void (Maps::*write)(llvm::raw_ostream &);
  };

  const Link &link;
  const SymbolValues &values;
  const Config &config;
  std::optional<LinkMap> map;
  std::vector<OpenMap> files;
};

} // namespace xlink
#endif
