// SPDX-License-Identifier: Apache-2.0
#include "session/run_settings.hpp"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>
#include <string_view>

#include <ridge/app/amounts.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/base/text.hpp>

namespace ridge::app {
namespace {

result<void> check_variants(const std::vector<std::string>& patterns,
                            const std::vector<experiment>& experiments) {
  std::set<std::string> names;
  for (const auto& one : experiments) {
    for (const auto& v : one->variants) names.insert(v.name);
  }
  for (const auto& pattern : patterns) {
    const auto matches = [&](const std::string& name) { return glob_matches(pattern, name); };
    if (std::ranges::any_of(names, matches)) continue;
    return unknown_name("variant of the chosen experiments", pattern, {names.begin(), names.end()},
                        "see `ridge show ID`");
  }
  return {};
}

// Tests of Ridge itself run unoptimized builds and builds with sanitizers.
bool judges_unoptimized_code() {
  const char* const word = std::getenv("RIDGE_UNOPTIMIZED");
  return word != nullptr && std::string_view(word) == "judged";
}

}  // namespace

std::uint64_t drawn_seed() { return std::random_device{}(); }

void add_run_settings(command& command, run_settings& s) {
  command
      .choice("--profile", s.profile, {"minimal", "standard", "deep"},
              "How thorough: one problem of each experiment, all problems, or all in several processes")
      .option("--axis", s.axes, "AXIS=VALUES",
              "Measure only these values of an axis: n=2^20..26:2, n=8,16, dtype=fp32 (repeats)")
      .option("--variant", s.variants, "VARIANT",
              "Measure only these variants, or those that a glob matches, besides the baseline (repeats)")
      .choice("--backend", s.backend, {"cpu", "cuda"}, "Measure only the variants on this backend")
      .option("--mode", s.modes, "MODE",
              "Also measure on the GPU with a warm cache, in a CUDA graph, or by the host's latency: warm, "
              "graph, latency (repeats)")
      .option("--budget", s.budget, "TIME",
              "Time for the whole run: 60s, 2min (the profile's time for each variant)")
      .checked(is_duration)
      .option("--timeout", s.timeout, "TIME",
              "Longest time of one call: 30s, 2min (15 s, or 20 times what a call was seen to take)")
      .checked(is_duration)
      .option("--min-effect", s.min_effect, "SHARE", "Smallest relative difference that matters (1%)")
      .checked(is_share)
      .option("--seed", s.seed, "N",
              "Random seed for data and order of samples (drawn for every run and printed)")
      .option("--forks", s.forks, "N",
              "Measure each problem in N processes with different memory layouts (the profile's)")
      .option("--arm-budget", s.arm_budget, "TIME",
              "Time of each variant, in processes that this program starts")
      .checked(is_duration)
      .secret();
}

result<harness::run_options> options_of(const run_settings& s, const std::vector<experiment>& experiments) {
  harness::run_options made;
  auto profile = harness::profile_named(s.profile);
  if (!profile) return profile.why();
  made.profile = *profile;
  for (const auto& text : s.axes) {
    auto axis = harness::parse_axis_override(text);
    if (!axis) return axis.why();
    made.axes.push_back(*axis);
  }
  if (auto known = check_variants(s.variants, experiments); !known) return known.why();
  made.variants = s.variants;
  if (!s.backend.empty()) made.backend = model::named<model::backend>(s.backend);
  for (const auto& word : s.modes) {
    const auto chosen = harness::mode_named(word);
    if (!chosen) return chosen.why();
    if (std::ranges::find(made.profile.modes, *chosen) == made.profile.modes.end())
      made.profile.modes.push_back(*chosen);
  }
  if (!s.budget.empty()) {
    made.suite_budget_s = *parse_seconds(s.budget);
    made.deadline_s =
        harness::monotonic_seconds() + made.suite_budget_s;  // what comes before a session counts, too
  }
  if (!s.timeout.empty()) made.call_limit_s = *parse_seconds(s.timeout);
  if (s.forks < 0) return error{"--forks must not be negative", "write --forks 5"};
  if (s.forks > 0) made.profile.forks = s.forks;
  if (!s.arm_budget.empty()) made.profile.budget_per_arm_s = *parse_seconds(s.arm_budget);
  if (judges_unoptimized_code()) made.unoptimized = harness::unoptimized_code::judged;
  made.protocol.seed = s.seed;
  made.protocol.min_effect = *parse_share(s.min_effect);
  return made;
}

std::vector<std::string> formats() { return {"table", "json", "jsonl", "csv", "md", "gbench", "nvbench"}; }

}  // namespace ridge::app
