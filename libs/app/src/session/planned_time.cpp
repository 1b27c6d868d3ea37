// SPDX-License-Identifier: Apache-2.0
#include "session/planned_time.hpp"

#include <algorithm>
#include <utility>

#include <ridge/base/error.hpp>

namespace ridge::app {
namespace {

// Returns the work of the problem; none where its sizes are beyond what the experiment can count, which its
// measurement will report.
work work_of(const harness::planned_family& family) {
  try {
    return family.experiment->work(family.problem);
  } catch (const failure&) {
    return {};
  }
}

}  // namespace

planned_time planned_time_of(const harness::planned_family& family, const harness::run_options& options,
                             const std::set<std::string>& missing_libraries) {
  // Fitted to chapter 1 on two cores: a child process and its checks, then generating, verifying and
  // comparing every array for each variant, and its operations. A run learns how far this machine is from it.
  constexpr double family_s = 0.15, arm_s = 0.1, byte_s = 1e-8, flop_s = 1e-9;
  const auto is_timed = [&](const variant_facts& v) {
    return harness::takes_part(v, family.backend, options) && !missing_libraries.contains(v.needs.library);
  };
  const auto arms = static_cast<double>(std::ranges::count_if(family.experiment->variants, is_timed));
  const auto work = work_of(family);
  return {.fixed_s = family_s + arms * (arm_s + options.profile.budget_per_arm_s),
          .data_s = arms * (byte_s * work.bytes() + flop_s * work.flop)};
}

double edges_time_of(const harness::planned_family& family, const harness::run_options& options,
                     harness::edge_record* edges) {
  // Chapter 1 takes 4 s for 128 sizes in 900 children: one for each size, the others by variants.
  constexpr double size_s = 0.006, variant_s = 0.008;
  if (edges == nullptr) return 0;
  const auto is_new = [&](const variant_facts& v) {
    return harness::takes_part(v, family.backend, options) && !edges->find(family.experiment, v);
  };
  const auto untried = static_cast<double>(std::ranges::count_if(family.experiment->variants, is_new));
  if (untried <= 0) return 0;
  const auto sizes = harness::plan_edges(family.experiment, family.backend).size();
  return static_cast<double>(sizes) * (size_s + untried * variant_s);
}

std::vector<planned_time> planned_times_of(const std::vector<harness::planned_family>& families,
                                           const harness::run_options& options,
                                           const std::set<std::string>& missing_libraries,
                                           harness::edge_record* edges, duration_cache* durations) {
  std::vector<planned_time> all;
  std::set<std::pair<std::string, model::backend>> seen;
  for (const auto& f : families) {
    all.push_back(planned_time_of(f, options, missing_libraries));
    if (const auto before = durations == nullptr ? std::nullopt : durations->find(f, options)) {
      all.back().data_s = std::max(0.0, *before - all.back().fixed_s);
      all.back().measured_before = true;
    }
    if (seen.emplace(f.experiment->id, f.backend).second)
      all.back().data_s += edges_time_of(f, options, edges);
  }
  return all;
}

}  // namespace ridge::app
