// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <ridge/plan/serve/workload.hpp>

namespace ridge::plan::serve {

inline constexpr double never_s = std::numeric_limits<double>::infinity();

enum class outcome : std::uint8_t {
  finished,
  unfinished,  // the simulation was stopped before
  rejected,    // by admission
  too_long,    // no replica's cache holds it
};

// What became of one request; times on the simulation's clock.
struct served_request {
  double arrival_s = 0;
  double scheduled_s = never_s;  // the first step with a token of it begins
  double first_token_s = never_s, last_token_s = never_s;
  std::uint32_t prompt_tokens = 0, output_tokens = 0;
  std::uint16_t replica = 0;  // that made its tokens
  std::uint16_t tenant = 0;
  std::uint16_t preemptions = 0, restarts = 0;  // by a full cache; by a failed replica
  outcome ended{outcome::unfinished};

  [[nodiscard]] double ttft_s() const { return first_token_s - arrival_s; }
  [[nodiscard]] double e2e_s() const { return last_token_s - arrival_s; }
  [[nodiscard]] double queue_s() const { return scheduled_s - arrival_s; }
  // As `vllm bench serve`: (e2e - ttft)/(output - 1); 0 for a single token.
  [[nodiscard]] double tpot_s() const;
};

// Durations by bins of which 64 divide each factor of two (1.6 % wide at most), with counts: quantiles of
// hundreds of millions of gaps in 22 KiB. Mean and maximum are exact.
class duration_histogram {
 public:
  void add(double seconds, std::int64_t times);
  void merge(const duration_histogram& other);
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] double mean_s() const { return count_ > 0 ? total_s_ / static_cast<double>(count_) : 0; }
  [[nodiscard]] double maximum_s() const { return maximum_s_; }
  [[nodiscard]] double quantile_s(double q) const;  // the middle of its bin
  [[nodiscard]] double share_below(double seconds) const;

 private:
  static constexpr int bins_per_octave = 64, octaves = 44;  // from 1 ns on
  std::array<std::int64_t, static_cast<std::size_t>(bins_per_octave* octaves)> bins_{};
  std::int64_t count_ = 0;
  double total_s_ = 0, maximum_s_ = 0;
};

// What one replica did.
struct replica_use {
  std::string pool{};  // "H100", "prefill"
  double up_s = 0, busy_s = 0;
  std::int64_t steps = 0, requests = 0, preemptions = 0, failures = 0;
  std::int64_t prefill_tokens = 0, decode_tokens = 0;
  std::int64_t prompt_lookups = 0, prompt_hits = 0;  // prompt tokens looked up in the prefix cache, and found
  double mean_kv_use = 0, peak_kv_use = 0;           // shares of its blocks
  double peak_waiting = 0;
  double energy_j = 0, cost_usd = 0;  // 0: unknown
};

// One point of the run over time, of all replicas together.
struct timeline_point {
  double t_s = 0;
  double waiting = 0, running = 0;  // requests
  double kv_use = 0;                // share
  double replicas = 0;              // that are up
};

// One stretch of a replica's steps of one kind, for the timeline of a run.
struct step_span {
  double begin_s = 0, end_s = 0;
  std::uint32_t replica = 0, steps = 0;
  std::int64_t prefill_tokens = 0, decode_tokens = 0;
  bool prefill = false;  // has prompts in it
};

}  // namespace ridge::plan::serve
