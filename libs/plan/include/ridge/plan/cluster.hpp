// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/plan/serve/iteration.hpp>

namespace ridge::plan {

// The lengths of a share of the requests.
struct length_class {
  double input_tokens = 0, output_tokens = 0;
  double weight = 1;
};

// What is asked of a service.
struct serving_load {
  double requests_per_s = 0;  // mean of a day
  double peak_factor = 1;     // busiest hour over the mean
  std::vector<length_class> lengths{};
};

struct latency_objective {
  double ttft_s = 0, tpot_s = 0;  // TTFT at `quantile` of the requests; mean TPOT
  double quantile = 0.95;
};

// One way to build a replica: a GPU, how many of them, and how fast they are.
struct replica_offer {
  std::string gpu{};
  int gpus = 1;                 // tensor-parallel ranks
  double usd_per_gpu_hour = 0;  // 0: unknown
  double power_w = 0;           // of one GPU at full load; 0: unknown
  double idle_power_w = 0;
  std::int64_t kv_tokens = 0;  // that the KV cache of the replica holds
  std::shared_ptr<const serve::iteration_timer> timer{};
  std::string refused{};  // why this cannot be built: "needs 2 GPUs at least: 132 GiB of weights"
};

struct replica_policy {
  int max_sequences = 256;     // in one step (vLLM's max_num_seqs)
  int max_step_tokens = 8192;  // vLLM's max_num_batched_tokens
  double headroom = 0.2;       // share of a replica's greatest rate left free at the peak
  int spare_replicas = 1;      // N+1
};

enum class binding : std::uint8_t {
  none,
  ttft,
  tpot,
  kv_cache,   // sequences that fit in memory
  sequences,  // max_sequences
  compute,    // the engine is busy all the time
  memory,     // the model does not fit
  unknown,    // the catalogue lacks a figure
};
[[nodiscard]] std::string_view name_of(binding b);

// A replica at one rate, by mean-value formulas: what a closed form can say without a simulation.
struct replica_state {
  double requests_per_s = 0;
  double running = 0;    // sequences in a decode step (Little's law)
  double kv_tokens = 0;  // resident, mean
  double busy = 0;       // share of time in steps
  double tpot_s = 0;
  double prefill_s = 0;    // engine time of a mean prompt
  double wait_mean_s = 0;  // Pollaczek-Khinchine
  double ttft_mean_s = 0, ttft_quantile_s = 0;
  binding broken{binding::none};  // the first constraint this rate breaks
};

[[nodiscard]] replica_state replica_at(const replica_offer& o, const serving_load& load,
                                       const latency_objective& slo, const replica_policy& p,
                                       double requests_per_s);

struct cluster_choice {
  std::string gpu{};
  int gpus_per_replica = 1;
  int replicas = 0;  // spare ones included
  std::int64_t gpus = 0;
  double max_requests_per_s = 0;   // of one replica within the objectives
  binding limit{binding::none};    // what keeps it from more
  replica_state peak{};            // of one replica in the busiest hour, spare ones working too
  double output_tokens_per_s = 0;  // of the cluster, mean
  double utilization = 0;          // mean over the day, of what max_requests_per_s allows
  std::optional<double> power_w{}, joules_per_token{};   // mean; at the GPUs
  std::optional<double> usd_per_hour{}, usd_per_mtok{};  // per million output tokens
  std::string rejected{};                                // why it is no choice; empty: it is one
};

struct cluster_answer {
  std::vector<cluster_choice> choices{};  // cheapest first; then those without a price, fewest GPUs first
  std::vector<cluster_choice> rejected{};
  derivation how{};  // of the first choice
};

// Half-width of TTFT and TPOT of the closed form as a share, against the simulator
// (docs/design/plan/cost.md).
inline constexpr double cluster_band = 0.3;

[[nodiscard]] result<cluster_answer> size_cluster(const serving_load& load, const latency_objective& slo,
                                                  const replica_policy& p,
                                                  std::span<const replica_offer> offers);

}  // namespace ridge::plan
