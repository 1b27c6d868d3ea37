// SPDX-License-Identifier: Apache-2.0
#include "disturbances.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

namespace ridge::report {
namespace {

constexpr double least_share = 0.2;  // of all rounds: a smaller share is not mentioned

struct disturbed_total {
  model::disturbance sum{};
  std::uint64_t rounds = 0;
};

disturbed_total total_of(const model::run& run) {
  disturbed_total all;
  for (const auto& f : run.families) {
    if (!f.disturbance) continue;
    all.rounds += f.rounds;
    all.sum.disturbed_rounds += f.disturbance->disturbed_rounds;
    all.sum.steal_s += f.disturbance->steal_s;
    all.sum.involuntary_switches += f.disturbance->involuntary_switches;
    all.sum.throttled_periods += f.disturbance->throttled_periods;
  }
  return all;
}

void add_interference(std::vector<disturbance_line>& lines, const disturbed_total& all) {
  if (static_cast<double>(all.sum.disturbed_rounds) <= least_share * static_cast<double>(all.rounds)) return;
  if (all.sum.steal_s > 0) {
    lines.push_back({fmt::format("steal: the hypervisor gave {} of CPU time to other machines",
                                 format_quantity(all.sum.steal_s, "s")),
                     "run again at a quieter time"});
  }
  if (all.sum.involuntary_switches > 0) {
    lines.push_back(
        {fmt::format("context switches: other programs took the CPU {} times", all.sum.involuntary_switches),
         "close them, or use --budget 2min"});
  }
  if (all.sum.throttled_periods > 0) {
    lines.push_back(
        {fmt::format("CPU quota: the container was stopped in {} periods", all.sum.throttled_periods),
         "raise its CPU quota"});
  }
  if (!lines.empty())
    lines.back().seen += fmt::format("; disturbed rounds: {} of {}", all.sum.disturbed_rounds, all.rounds);
}

void add_clocks(std::vector<disturbance_line>& lines, const model::run& run) {
  for (const auto& f : run.families) {
    const auto clocks = std::ranges::find(f.checks, "clocks", &model::check::id);
    if (clocks == f.checks.end() || clocks->result != model::outcome::warn) continue;
    lines.push_back({"clocks: the GPU's clock was held down, " + clocks->evidence,
                     "improve the cooling, or wait until the GPU is cool, and run again"});
    return;
  }
}

void add_ceilings(std::vector<disturbance_line>& lines, const model::run& run) {
  std::size_t doubtful = 0;
  const model::measurement* first = nullptr;
  for (const auto& f : run.families) {
    for (const auto& m : f.measurements) {
      if (m.ceiling_disturbed.empty()) continue;
      ++doubtful;
      if (first == nullptr) first = &m;
    }
  }
  if (first == nullptr) return;
  lines.push_back({fmt::format("ceilings: {} variant{} in doubt ({}: {})", doubtful,
                               doubtful == 1 ? " is" : "s are", first->ceiling, first->ceiling_disturbed),
                   "run `ridge peak` first"});
}

}  // namespace

std::vector<disturbance_line> disturbances(const model::run& run) {
  std::vector<disturbance_line> lines;
  add_interference(lines, total_of(run));
  add_clocks(lines, run);
  add_ceilings(lines, run);
  return lines;
}

}  // namespace ridge::report
