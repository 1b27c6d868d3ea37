// SPDX-License-Identifier: Apache-2.0
// trace_ingest [FILE [RUNS [PROCESSORS]]]: how fast a trace is read and summed up on one processor or
// several, from the page cache, each run in a process of its own. Without a file it makes a trace of 500 MB,
// and fails below the floors.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "generator/trace_text.hpp"
#include "measured_run.hpp"

namespace {

using ridge::trace::measured_run;

constexpr double least_gb_per_s = 1.5, least_events_per_s = 5e6, most_s = 1.0;
constexpr std::int64_t most_bytes = 300'000'000;

std::string made_trace() {
  auto path =
      (std::filesystem::temp_directory_path() / fmt::format("trace_ingest.{}.json", std::rand())).string();
  std::ofstream file(path, std::ios::binary);
  ridge::trace::generator::trace_text(1'900'000, 1).write([&file](std::string_view part) {
    file.write(part.data(), static_cast<std::streamsize>(part.size()));
  });
  return path;
}

template <class T>
T median(const std::vector<measured_run>& runs, T measured_run::*field) {
  std::vector<T> values;
  for (const auto& r : runs) values.push_back(r.*field);
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// Whether the floors hold.
bool show(const std::vector<measured_run>& runs) {
  const auto open_s = median(runs, &measured_run::open_s), summary_s = median(runs, &measured_run::summary_s);
  const auto gb_per_s = static_cast<double>(runs[0].content_bytes) / open_s / 1e9;
  const auto events_per_s = static_cast<double>(runs[0].events) / open_s;
  const auto bytes = median(runs, &measured_run::summary_bytes);
  for (const auto& r : runs)
    fmt::print("open {:.3f} s ({:.3f} s of CPU), summary {:.3f} s\n", r.open_s, r.open_cpu_s, r.summary_s);
  fmt::print("{:.1f} MB, {} events; medians of {}:\n", static_cast<double>(runs[0].content_bytes) / 1e6,
             runs[0].events, runs.size());
  fmt::print("read    {:.2f} GB/s, {:.2f} M events/s, {:.0f} MB resident\n", gb_per_s, events_per_s / 1e6,
             static_cast<double>(median(runs, &measured_run::open_bytes)) / 1e6);
  fmt::print("summary {:.3f} s with reading, {:.0f} MB resident\n", open_s + summary_s,
             static_cast<double>(bytes) / 1e6);
  return gb_per_s >= least_gb_per_s && events_per_s >= least_events_per_s && open_s + summary_s < most_s &&
         bytes < most_bytes;
}

}  // namespace

int main(int count, char** arguments) {
  const auto number = [&](int i, int otherwise) { return count > i ? std::atoi(arguments[i]) : otherwise; };
  const std::string path = count > 1 ? arguments[1] : made_trace();
  static_cast<void>(ridge::trace::run_once(path, number(3, 1)));  // fills the page cache
  std::vector<measured_run> runs;
  for (int i = 0; i < number(2, 5); ++i) runs.push_back(ridge::trace::run_once(path, number(3, 1)));
  const bool holds = show(runs);
  if (count == 1) std::filesystem::remove(path);
  return holds || count > 1 ? 0 : 1;
}
