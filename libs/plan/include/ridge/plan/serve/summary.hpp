// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ridge/plan/serve/objective.hpp>
#include <ridge/plan/serve/served.hpp>

namespace ridge::plan::serve {

struct cluster_run;  // defined in simulated_cluster.hpp

// Share of the requests that must meet an objective without a statistic: 90 %, as in DistServe (OSDI 2024).
inline constexpr double attained_share = 0.9;

// Statistics of one latency in seconds. Quantiles interpolate between order statistics (type 7, as NumPy
// does).
struct latency_summary {
  std::int64_t count = 0;
  double mean_s = 0, p50_s = 0, p90_s = 0, p95_s = 0, p99_s = 0, p999_s = 0, max_s = 0;
};
// Summarizes samples in seconds, or a histogram (quantiles to the width of its bins). All 0 without samples.
[[nodiscard]] latency_summary summarize(std::vector<double> seconds);
[[nodiscard]] latency_summary summarize(const duration_histogram& gaps);

// Whether a run met an objective.
struct objective_result {
  serve::objective objective{};
  double value_s = 0;     // value of its statistic
  double good_share = 0;  // share of all requests, finished or not, below the limit
  bool met = false;
};

// Whether requests arrive faster than they are served: their queue grows, or a backlog of it never goes.
struct saturation {
  bool tested = false;      // false for a closed loop, and where too few requests arrive to tell
  bool saturated = false;   // growing or backlogged
  bool growing = false;     // the requests in the system have a trend upwards
  bool backlogged = false;  // the queue never empties, and twice as many requests wait as run
  double mean_waiting = 0, mean_running = 0;  // requests, over the second half of the arrivals
  double queue_slope_per_s = 0;  // growth of requests in the system during the second half of the arrivals
  double lower_slope_per_s = 0;  // lower end of its 95 % interval, from batch means
  double drain_s = 0;            // from the last arrival to the last completion
  std::string evidence{};        // "1.9 more requests wait each second (at least 1.7)"
};

// The share of one tenant.
struct tenant_summary {
  std::string name{};
  std::int64_t requests = 0, finished = 0;
  double tokens_per_s = 0, ttft_p95_s = 0;
  double speed_tokens_per_s = 0;  // answer tokens per second that its requests were in the system
};

// The summary of a simulated run.
struct serving_summary {
  std::int64_t requests = 0, finished = 0, rejected = 0, too_long = 0, unfinished = 0, restarts = 0;
  std::int64_t preemptions = 0, preempted_requests = 0;
  double duration_s = 0;                               // first arrival to last token
  std::int64_t prompt_tokens = 0, output_tokens = 0;   // of finished requests
  std::int64_t prompt_lookups = 0, cached_tokens = 0;  // prompt tokens looked up and found in prefix caches
  double requests_per_s = 0, throughput_tokens_per_s = 0,
         total_tokens_per_s = 0;  // output tokens; all tokens
  latency_summary ttft{}, tpot{}, itl{}, e2e{}, queue{};
  double prefix_hit_rate = 0;  // cached prompt tokens over prompt tokens
  tier_use tiers{};            // of all replicas
  std::int64_t adapter_uses = 0, adapter_loads = 0;
  std::vector<objective_result> objectives{};
  bool objectives_met = true;
  double good_share = 0, goodput_requests_per_s = 0;  // requests below every limit
  saturation saturated{};
  std::vector<tenant_summary> tenants{};
  double fairness = 1;  // Jain's index over the tenants' speeds: 1 when equal, 1/n when one has all
  double utilization = 0, kv_use_mean = 0, kv_use_peak = 0;
  double peak_waiting = 0;
  double energy_j = 0, cost_usd = 0, usd_per_million_output = 0;  // 0: unknown
};

// Summarizes a run of this workload; the run must hold one served_request per request.
[[nodiscard]] serving_summary summarize(const workload& asked, const cluster_run& run,
                                        std::span<const objective> objectives);

// Jain's fairness index (Σ x)² / (n · Σ x²); 1 without values. R. Jain, D. Chiu, W. Hawe, DEC-TR-301 (1984).
[[nodiscard]] double jain_index(std::span<const double> x);

// Tests for saturation over the second half of the arrivals: growing where the number of requests in the
// system has a slope whose 95 % interval lies above 2 % of the arrival rate; backlogged where some request
// waits for its first step all the time and on average twice as many wait as run.
[[nodiscard]] saturation saturation_of(std::span<const served_request> requests);

}  // namespace ridge::plan::serve
