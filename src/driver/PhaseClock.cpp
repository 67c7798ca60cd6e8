//===- PhaseClock.cpp -----------------------------------------------------===//
#include "driver/PhaseClock.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatAdapters.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/resource.h>

using namespace llvm;

namespace xlink {

/// Bytes; Linux counts in kilobytes. 0 where the system does not say.
static uint64_t peakMemory() {
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? uint64_t(usage.ru_maxrss) * 1024
                                             : 0;
}

void PhaseClock::begin(const char *name) {
  if (measure)
    phases.push_back({name, std::chrono::steady_clock::now()});
}

void PhaseClock::end() {
  if (measure)
    phases.push_back({nullptr, std::chrono::steady_clock::now()});
}

void PhaseClock::count(const char *title, uint64_t number) {
  if (measure)
    counts.emplace_back(title, number);
}

uint64_t PhaseClock::at(size_t phase) const {
  using std::chrono::duration_cast, std::chrono::microseconds;
  return uint64_t(
      duration_cast<microseconds>(phases[phase].begin - phases[0].begin)
          .count());
}

std::string PhaseClock::text() const {
  std::string text;
  raw_string_ostream out(text);
  const uint64_t total = phases.empty() ? 0 : at(phases.size() - 1);
  auto line = [&](StringRef name, uint64_t time) {
    out << left_justify(name, 24)
        << format("%12.3f ms  %5.1f%%\n", double(time) / 1000.0,
                  total ? double(time) * 100.0 / double(total) : 100.0);
  };
  out << left_justify("Phase", 24) << "           Time   Share\n";
  for (size_t i = 0; i + 1 < phases.size(); ++i)
    line(phases[i].name, at(i + 1) - at(i));
  line("total", total);
  for (const auto &[title, number] : counts)
    out << left_justify(title, 24) << right_justify(std::to_string(number), 12)
        << "\n";
  out << left_justify("peak memory, bytes", 24)
      << right_justify(std::to_string(peakMemory()), 12) << "\n";
  return text;
}

std::string PhaseClock::trace() const {
  json::Array events;
  events.push_back(json::Object{{"ph", "M"},
                                {"name", "process_name"},
                                {"pid", 1},
                                {"tid", 1},
                                {"args", json::Object{{"name", "xlink"}}}});
  for (size_t i = 0; i + 1 < phases.size(); ++i)
    events.push_back(json::Object{{"ph", "X"},
                                  {"name", phases[i].name},
                                  {"cat", "phase"},
                                  {"pid", 1},
                                  {"tid", 1},
                                  {"ts", at(i)},
                                  {"dur", at(i + 1) - at(i)}});
  json::Object figures;
  for (const auto &[title, number] : counts)
    figures[title] = number;
  figures["peak memory, bytes"] = peakMemory();
  std::string text;
  raw_string_ostream out(text);
  out << json::Value(json::Object{{"traceEvents", std::move(events)},
                                  {"displayTimeUnit", "ms"},
                                  {"otherData", std::move(figures)}})
      << "\n";
  return text;
}

} // namespace xlink
