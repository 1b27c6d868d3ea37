// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <ridge/plan/serve/tier_use.hpp>
#include <ridge/plan/serve/workload.hpp>

namespace ridge::plan::serve {

inline constexpr double never_s = std::numeric_limits<double>::infinity();

// How a request ended.
enum class outcome : std::uint8_t {
  finished,
  unfinished,  // the simulation stopped before its end
  rejected,    // refused by admission control
  too_long,    // longer than the model's context, or than any replica's cache
};

// The outcome of one request; times are in simulated seconds.
struct served_request {
  double arrival_s = 0;
  double scheduled_s = never_s;  // its first step begins
  double first_token_s = never_s, last_token_s = never_s;
  std::uint32_t prompt_tokens = 0, output_tokens = 0;
  std::uint16_t replica = 0;  // the replica that produced its tokens
  std::uint16_t tenant = 0;
  std::uint16_t preemptions = 0, restarts = 0;  // because of a full cache; because of a failed replica
  outcome ended{outcome::unfinished};

  // Seconds from arrival to the first token, to the last token and to the first step; never_s when it never
  // came.
  [[nodiscard]] double ttft_s() const { return first_token_s - arrival_s; }
  [[nodiscard]] double e2e_s() const { return last_token_s - arrival_s; }
  [[nodiscard]] double queue_s() const { return scheduled_s - arrival_s; }
  // Seconds per output token after the first, as `vllm bench serve` computes it: (e2e - ttft) / (output - 1);
  // 0 for a single token.
  [[nodiscard]] double tpot_s() const;
};

// A histogram of durations with 64 bins per factor of two (each at most 1.6 % wide): quantiles of hundreds of
// millions of gaps in 22 KiB. Mean and maximum are exact. All times are seconds.
class duration_histogram {
 public:
  // Counts a duration so many times.
  void add(double seconds, std::int64_t times);
  // Adds all durations of the other histogram.
  void merge(const duration_histogram& other);
  // Number, mean and maximum of the durations; all 0 without any.
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] double mean_s() const { return count_ > 0 ? total_s_ / static_cast<double>(count_) : 0; }
  [[nodiscard]] double maximum_s() const { return maximum_s_; }
  // The q-quantile, q in [0, 1], as the middle of its bin.
  [[nodiscard]] double quantile_s(double q) const;
  // Share of the durations below so many seconds, to the precision of a bin; 1 without any.
  [[nodiscard]] double share_below(double seconds) const;

 private:
  static constexpr int bins_per_octave = 64, octaves = 44;  // from 1 ns on
  std::array<std::int64_t, static_cast<std::size_t>(bins_per_octave* octaves)> bins_{};
  std::int64_t count_ = 0;
  double total_s_ = 0, maximum_s_ = 0;
};

// The work and use of one replica.
struct replica_use {
  std::string pool{};  // "H100", "prefill"
  double up_s = 0, busy_s = 0;
  std::int64_t steps = 0, requests = 0, preemptions = 0, failures = 0;
  std::int64_t prefill_tokens = 0, decode_tokens = 0;
  std::int64_t prompt_lookups = 0, prompt_hits = 0;  // prompt tokens looked up and found in the prefix cache
  tier_use tiers{};
  std::int64_t adapter_uses = 0, adapter_loads = 0;  // admissions with an adapter; that had to load it
  double mean_kv_use = 0, peak_kv_use = 0;           // shares of its cache blocks
  double peak_waiting = 0;
  double energy_j = 0, cost_usd = 0;  // 0: unknown
};

// The state of all replicas together at one time.
struct timeline_point {
  double t_s = 0;
  double waiting = 0, running = 0;  // requests
  double kv_use = 0;                // share of all cache blocks
  double replicas = 0;              // replicas that are up
};

// Consecutive steps of one kind on one replica, for the timeline of a run.
struct step_span {
  double begin_s = 0, end_s = 0;
  std::uint32_t replica = 0, steps = 0;
  std::int64_t prefill_tokens = 0, decode_tokens = 0;
  bool prefill = false;  // whether the steps compute prompts
};

}  // namespace ridge::plan::serve
