// SPDX-License-Identifier: Apache-2.0
// Prints how often each method of comparing two benchmarks calls identical ones different.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "neighbours.hpp"
#include "tally.hpp"

namespace {

using namespace ridge::peers;

std::vector<rule> chosen(const std::vector<std::string>& names) {
  std::vector<rule> some;
  for (const auto& r : rules()) {
    if (names.empty() || std::ranges::find(names, r.name) != names.end()) some.push_back(r);
  }
  return some;
}

void print(const tally& t) {
  fmt::print("{:<18} {:<9} {:>6} {:>15} {:>10.3f} % {:>10.1f} ms\n", t.rule, t.workload, t.trials,
             fmt::format("{} ({:.1f} %)", t.false_positives,
                         100 * static_cast<double>(t.false_positives) / static_cast<double>(t.trials)),
             100 * t.p95_error, 1e3 * t.seconds_per_trial);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t trials = 400;
  double budget_ms = 50;
  int busy = 0;
  std::vector<std::string> rule_names, workload_names;
  CLI::App app{"How often each way of comparing two benchmarks calls identical ones different"};
  app.add_option("--trials", trials, "per rule and workload")->check(CLI::PositiveNumber);
  app.add_option("--budget-ms", budget_ms, "wall time of a trial")->check(CLI::PositiveNumber);
  app.add_option("--neighbours", busy, "busy threads beside")->check(CLI::NonNegativeNumber);
  app.add_option("--rule", rule_names, "only these");
  app.add_option("--workload", workload_names, "register, cache, memory");
  CLI11_PARSE(app, argc, argv);

  const neighbours beside(busy);
  fmt::print("{:<18} {:<9} {:>6} {:>15} {:>12} {:>13}\n", "rule", "workload", "trials", "false positives",
             "p95 error", "wall a trial");
  for (const auto& w : workloads()) {
    if (!workload_names.empty() && std::ranges::find(workload_names, w->name()) == workload_names.end())
      continue;
    for (const auto& t : tallies(chosen(rule_names), *w, trials, budget_ms / 1e3)) print(t);
  }
  return 0;
}
