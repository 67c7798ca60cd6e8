//===- PhaseClock.h - how long each phase of a link takes -----------------===//
#ifndef XLINK_DRIVER_PHASECLOCK_H
#define XLINK_DRIVER_PHASECLOCK_H

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace xlink {

/// Notes when the phases of a link begin, if --time or the like asks. Phases
/// follow each other and do not nest.
class PhaseClock {
public:
  /// `measure`: for text() and trace(). Without it nothing is noted.
  explicit PhaseClock(bool measure) : measure(measure) {}

  /// Ends the phase in progress and begins another. `name` is in static
  /// storage.
  void begin(const char *name);
  /// Ends the phase in progress, the last one.
  void end();
  /// A figure of the link, for the reports: "input files", 12.
  void count(const char *title, uint64_t number);
  bool measures() const { return measure; }

  /// --time: a line for each phase with milliseconds and share, then the
  /// figures, and the largest amount of memory that the process had.
  std::string text() const;
  /// --time-trace: the phases as complete events in the JSON Trace Event
  /// Format, which browsers draw; times in microseconds from the first phase's
  /// beginning. The figures are members of `otherData`.
  std::string trace() const;

private:
  using Time = std::chrono::steady_clock::time_point;
  struct Phase {
    const char *name;
    Time begin;
  };
  /// Microseconds from the beginning of the first phase.
  uint64_t at(size_t phase) const;

  const bool measure;
  std::vector<Phase> phases; ///< the last one, once ended, has no name
  std::vector<std::pair<const char *, uint64_t>> counts;
};

} // namespace xlink
#endif
