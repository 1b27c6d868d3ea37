// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <ridge/stats/quantile.hpp>

#include "mann_whitney.hpp"
#include "rule.hpp"

namespace ridge::peers {
namespace {

// compare.py warns below nine repetitions that its test says little.
constexpr int repetitions = 10;

// Keeps each repetition's time per iteration; prints nothing.
class collector final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const auto& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      times[run.run_name.function_name].push_back(run.real_accumulated_time /
                                                  static_cast<double>(run.iterations));
    }
  }
  std::map<std::string, std::vector<double>> times{};
};

void add(const char* name, workload& subject, double budget_s) {
  benchmark::RegisterBenchmark(name,
                               [&subject](benchmark::State& state) {
                                 for ([[maybe_unused]] auto _ : state) subject.run(1);
                               })
      ->Repetitions(repetitions)
      ->MinTime(budget_s / 2 / repetitions)
      ->UseRealTime();
}

}  // namespace

// Runs all repetitions of the first arm, then all of the second, as its runner orders them. A difference is
// what compare.py marks: Mann-Whitney's p below 0.05.
outcome google_benchmark(workload& subject, double budget_s) {
  benchmark::ClearRegisteredBenchmarks();
  add("first", subject, budget_s);
  add("second", subject, budget_s);
  collector seen;
  benchmark::RunSpecifiedBenchmarks(&seen, std::string("."));
  const auto &a = seen.times["first"], &b = seen.times["second"];
  return {mann_whitney_p(a, b) < 0.05, stats::median(a) / stats::median(b)};
}

}  // namespace ridge::peers
