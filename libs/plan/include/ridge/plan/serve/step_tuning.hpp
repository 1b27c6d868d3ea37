// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ridge::plan::serve {

// The limits of an engine's steps that an operator may choose.
struct step_limits {
  std::uint32_t max_sequences = 0, max_batched_tokens = 0;
  bool chunked_prefill = true;
  [[nodiscard]] bool operator==(const step_limits&) const = default;
};

// The engine's own limits first, then powers of two: 16 to 1024 sequences, 512 to 16384 tokens, with and
// without chunked prefill. Left out: steps of fewer tokens than sequences, which engines refuse, and without
// chunked prefill steps that do not hold the longest prompt.
[[nodiscard]] std::vector<step_limits> limits_to_try(const step_limits& own, std::uint32_t longest_prompt);

// A service with such limits under the load that was asked.
struct tuned_limits {
  step_limits limits{};
  std::string refused{};  // why there is no such service; empty: there is
  std::int64_t kv_tokens = 0;
  double ttft_p95_s = 0, tpot_p95_s = 0;
  double goodput_requests_per_s = 0;
  bool met = false;       // the objectives, and not saturated
  double max_rate = 0;    // greatest rate within the objectives, requests per second; 0: no greater than one
                          // before it, or not searched
  bool frontier = false;  // none has both less TTFT and less TPOT
};

// What simulates a service: under the load that was asked, and the greatest rate if that is above `floor`,
// else 0. Without the latter, as for a closed loop, the goodput under the asked load decides among those that
// meet the objectives.
struct tuning_probes {
  std::function<tuned_limits(const step_limits&)> at_load{};
  std::function<double(const step_limits&, double floor)> max_rate{};
};

struct step_tuning {
  std::vector<tuned_limits> tried{};  // in the order given
  std::optional<std::size_t> best{};  // greatest rate, or goodput; none: no limits keep the objectives
};

// Tries all limits. A later one replaces the best only if its rate is greater by more than a hundredth.
[[nodiscard]] step_tuning tune_steps(std::span<const step_limits> limits, const tuning_probes& probes);

}  // namespace ridge::plan::serve
