//===- PhaseClock.h - how long each phase of a link takes -----------------===//
#ifndef XLINK_DRIVER_PHASECLOCK_H
#define XLINK_DRIVER_PHASECLOCK_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstdint>
#include <string>
#include <sys/resource.h>
#include <utility>
#include <vector>

namespace xlink {

/// Bytes; Linux counts in kilobytes. 0 where the system does not say.
inline uint64_t peakMemory() {
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? uint64_t(usage.ru_maxrss) * 1024
                                             : 0;
}

/// Notes when the phases of a link begin, for --time and the like. Phases
/// follow each other and do not nest.
class PhaseClock {
public:
  /// Ends the phase in progress and begins another. `name` is in static
  /// storage.
  void begin(const char *name) {
    phases.push_back({name, std::chrono::steady_clock::now()});
  }
  /// Ends the phase in progress, the last one.
  void end() { begin(nullptr); }
  /// A figure of the link, for the reports: "input files", 12.
  void count(const char *title, uint64_t number) {
    counts.emplace_back(title, number);
  }

  /// --time: a line for each phase with milliseconds and share, then the
  /// figures, and the largest amount of memory that the process had.
  std::string text() const {
    std::string text;
    llvm::raw_string_ostream out(text);
    const uint64_t total = phases.empty() ? 0 : at(phases.size() - 1);
    auto line = [&](llvm::StringRef name, uint64_t time) {
      out << llvm::left_justify(name, 24)
          << llvm::format("%12.3f ms  %5.1f%%\n", double(time) / 1000.0,
                          total ? double(time) * 100.0 / double(total) : 100.0);
    };
    out << llvm::left_justify("Phase", 24) << "           Time   Share\n";
    for (size_t i = 0; i + 1 < phases.size(); ++i)
      line(phases[i].name, at(i + 1) - at(i));
    line("total", total);
    for (const auto &[title, number] : counts)
      out << llvm::left_justify(title, 24)
          << llvm::right_justify(std::to_string(number), 12) << "\n";
    out << llvm::left_justify("peak memory, bytes", 24)
        << llvm::right_justify(std::to_string(peakMemory()), 12) << "\n";
    return text;
  }
  /// --time-trace: the phases as complete events in the JSON Trace Event
  /// Format, which browsers draw; times in microseconds from the first phase's
  /// beginning. The figures are members of `otherData`.
  std::string trace() const {
    llvm::json::Array events;
    events.push_back(
        llvm::json::Object{{"ph", "M"},
                           {"name", "process_name"},
                           {"pid", 1},
                           {"tid", 1},
                           {"args", llvm::json::Object{{"name", "xlink"}}}});
    for (size_t i = 0; i + 1 < phases.size(); ++i)
      events.push_back(llvm::json::Object{{"ph", "X"},
                                          {"name", phases[i].name},
                                          {"cat", "phase"},
                                          {"pid", 1},
                                          {"tid", 1},
                                          {"ts", at(i)},
                                          {"dur", at(i + 1) - at(i)}});
    llvm::json::Object figures;
    for (const auto &[title, number] : counts)
      figures[title] = number;
    figures["peak memory, bytes"] = peakMemory();
    std::string text;
    llvm::raw_string_ostream out(text);
    out << llvm::json::Value(
               llvm::json::Object{{"traceEvents", std::move(events)},
                                  {"displayTimeUnit", "ms"},
                                  {"otherData", std::move(figures)}})
        << "\n";
    return text;
  }

private:
  using Time = std::chrono::steady_clock::time_point;
  struct Phase {
    const char *name;
    Time begin;
  };
  /// Microseconds from the beginning of the first phase.
  uint64_t at(size_t phase) const {
    using std::chrono::duration_cast, std::chrono::microseconds;
    return uint64_t(
        duration_cast<microseconds>(phases[phase].begin - phases[0].begin)
            .count());
  }

  std::vector<Phase> phases; ///< the last one, once ended, has no name
  std::vector<std::pair<const char *, uint64_t>> counts;
};

} // namespace xlink
#endif
