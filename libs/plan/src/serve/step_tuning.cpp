// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/step_tuning.hpp>

#include <algorithm>

namespace ridge::plan::serve {
namespace {

constexpr double least_gain = 0.01;

bool stands(const tuned_limits& t) { return t.refused.empty() && t.ttft_p95_s > 0; }

void mark_frontier(std::vector<tuned_limits>& all) {
  // Of several with the same times the first counts.
  for (auto& one : all)
    one.frontier = stands(one) && std::ranges::none_of(all, [&](const tuned_limits& other) {
                     const bool same =
                         other.ttft_p95_s == one.ttft_p95_s && other.tpot_p95_s == one.tpot_p95_s;
                     return stands(other) && other.ttft_p95_s <= one.ttft_p95_s &&
                            other.tpot_p95_s <= one.tpot_p95_s && (!same || &other < &one);
                   });
}

}  // namespace

std::vector<step_limits> limits_to_try(const step_limits& own, std::uint32_t longest_prompt) {
  std::vector<step_limits> all{own};
  const auto add = [&](const step_limits& one) {
    const bool holds = one.chunked_prefill || one.max_batched_tokens >= longest_prompt;
    if (holds && one.max_batched_tokens >= one.max_sequences && std::ranges::find(all, one) == all.end())
      all.push_back(one);
  };
  for (const bool chunked : {true, false})
    for (std::uint32_t tokens = 512; tokens <= 16384; tokens *= 2)
      for (std::uint32_t sequences = 16; sequences <= 1024; sequences *= 2) add({sequences, tokens, chunked});
  return all;
}

step_tuning tune_steps(std::span<const step_limits> limits, const tuning_probes& probes) {
  step_tuning made;
  double best = 0;
  for (const auto& one : limits) {
    auto tried = probes.at_load(one);
    if (tried.refused.empty()) {
      if (probes.max_rate) tried.max_rate = probes.max_rate(one, best * (1 + least_gain));
      const double reached = probes.max_rate ? tried.max_rate : tried.met ? tried.goodput_requests_per_s : 0;
      if (reached > best * (1 + least_gain)) best = reached, made.best = made.tried.size();
    }
    made.tried.push_back(std::move(tried));
  }
  mark_frontier(made.tried);
  return made;
}

}  // namespace ridge::plan::serve
