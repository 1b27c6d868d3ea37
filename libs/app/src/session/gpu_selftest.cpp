// SPDX-License-Identifier: Apache-2.0
#include "session/gpu_selftest.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include <ridge/harness/runner.hpp>
#include <ridge/stats/quantile.hpp>

#include "session/laboratory.hpp"
#include "session/run_settings.hpp"

namespace ridge::app {
namespace {

constexpr int all_trials = 200;
constexpr double seconds_each = 0.15;

struct subject {
  std::string name, experiment, variant;
  std::vector<std::string> axes;
};

const std::vector<subject>& subjects() {
  static const std::vector<subject> all{
      {"gpu_aa_memory", "ch01.coalescing", "contiguous", {"stride=1", "elements=2^26"}},
      {"gpu_aa_compute", "ch01.roofline_placement", "tiled", {"kernel=gemm", "n=2048"}},
      {"gpu_aa_gemm", "ch01.precision_ladder", "bf16_wgmma", {"rows=4096", "size=4096"}},
  };
  return all;
}

harness::control_trials trials_of(const subject& s, const context& program,
                                  const harness::instruments& equipment, std::size_t trials) {
  std::vector<experiment> chosen;
  std::ranges::copy_if(program.experiments.all(), std::back_inserter(chosen),
                       [&](const auto& e) { return e->id == s.experiment; });
  if (chosen.empty()) return {.skipped = "this program has no experiment " + s.experiment};
  const auto options = options_of({.axes = s.axes, .backend = "cuda"}, chosen);
  if (!options) return {.skipped = options.why().message};
  const auto families = harness::plan(chosen, *options);
  if (!families) return {.skipped = families.why().message};
  if (families->empty()) return {.skipped = "this build has no problem of " + s.experiment + " on the GPU"};
  auto seen = harness::gpu_control_trials(families->front(), s.variant, equipment, {}, seconds_each, trials);
  if (seen.skipped.empty() && seen.ratios.empty()) seen.skipped = "no session was completed";
  return seen;
}

selftest::row row_of(const subject& s, const harness::control_trials& seen) {
  const auto trials = static_cast<int>(seen.intervals.size());
  const auto told_apart =
      std::ranges::count_if(seen.intervals, [](const auto& ci) { return !ci.contains(1); });
  std::vector<double> distance;
  for (const double ratio : seen.ratios) distance.push_back(std::abs(ratio - 1));
  std::ranges::sort(distance);
  return {.name = s.name,
          .value = static_cast<double>(told_apart),
          .unit = fmt::format("of {}", trials),
          .limit = selftest::false_alarm_limit(trials),
          .detail = fmt::format(
              "sessions of {} s of {}:{} told apart from itself; p95 distance from 1: {:.3f} %", seconds_each,
              s.experiment, s.variant, 100 * stats::sorted_quantile(distance, 0.95))};
}

}  // namespace

std::vector<std::string> gpu_selftest_names() {
  std::vector<std::string> names;
  for (const auto& s : subjects()) names.push_back(s.name);
  return names;
}

void run_gpu_selftest(const context& program, const std::vector<std::string>& wanted, double scale,
                      const std::function<void(const selftest::row&)>& report) {
  const auto trials = static_cast<std::size_t>(std::max(20.0, all_trials * scale));
  const laboratory lab(program.equip);
  const auto missing = harness::gpu_unavailable_because(lab.instruments());
  for (const auto& s : subjects()) {
    if (!wanted.empty() && std::ranges::find(wanted, s.name) == wanted.end()) continue;
    const auto seen = missing.empty() ? trials_of(s, program, lab.instruments(), trials)
                                      : harness::control_trials{.skipped = missing};
    if (seen.skipped.empty()) {
      report(row_of(s, seen));
    } else {
      report({.name = s.name, .unit = "of 200", .skipped = seen.skipped});
    }
  }
}

}  // namespace ridge::app
