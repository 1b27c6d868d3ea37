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

// What is asked of a service. Requests come as a Poisson process.
struct serving_load {
  double requests_per_s = 0;  // mean of a day
  double peak_factor = 1;     // busiest hour by the mean
  std::vector<length_class> lengths{};
};

// Both at this quantile of the requests.
struct latency_objective {
  double ttft_s = 0, tpot_s = 0;
  double quantile = 0.95;
};

enum class binding : std::uint8_t {
  none,
  unknown,    // a figure of the GPU, or times of its kernels
  layout,     // the model cannot be cut so
  memory,     // the model does not fit
  compute,    // the engine falls behind
  sequences,  // max_sequences
  kv_cache,   // sequences that fit in memory
  tpot,
  ttft,
};
[[nodiscard]] std::string_view name_of(binding b);

// One way to build a replica: a GPU, how many of them, and how fast they are.
struct replica_offer {
  std::string gpu{};
  int gpus = 1;                               // tensor-parallel ranks
  double usd_per_gpu_hour = 0;                // 0: unknown
  double busy_power_w = 0, idle_power_w = 0;  // of one GPU; busy 0: unknown
  std::int64_t kv_tokens = 0;                 // that the replica's KV cache holds
  std::shared_ptr<const serve::iteration_timer> timer{};
  std::string refused{};  // why it cannot be built: "a GPU lacks 3.2 GiB ..."
  binding refused_by{binding::none};
};

struct replica_policy {
  int max_sequences = 256;     // in one step (vLLM's max_num_seqs)
  int max_step_tokens = 8192;  // vLLM's max_num_batched_tokens
  double headroom = 0.2;       // share of a replica's greatest rate that the busiest hour leaves free
  int spare_replicas = 1;      // N+1
};

// A replica at one rate by mean-value formulas: what a closed form can say without a simulation.
struct replica_state {
  double requests_per_s = 0;
  double running = 0;           // sequences that decode, mean (Little's law)
  double running_quantile = 0;  // at the objective's quantile
  double kv_tokens = 0;         // resident at that quantile
  double tpot_s = 0, tpot_quantile_s = 0;
  double prefill_s = 0;     // engine time of a mean prompt, steps with decoding sequences in them
  double prefill_load = 0;  // share of the engine's time that waiting prompts need
  double wait_s = 0;        // of a prompt before its first step, mean
  double ttft_s = 0, ttft_quantile_s = 0;
  double busy = 0;                // share of time with a step in progress
  binding broken{binding::none};  // the first constraint that this rate breaks
};
[[nodiscard]] replica_state replica_at(const replica_offer& o, const serving_load& load,
                                       const latency_objective& slo, const replica_policy& p,
                                       double requests_per_s);

struct cluster_choice {
  std::string gpu{};
  int gpus_per_replica = 1;
  int replicas = 0;  // spare ones included
  std::int64_t gpus = 0;
  double max_requests_per_s = 0;  // of one replica within the objectives
  binding limit{binding::none};   // what keeps it from more
  replica_state peak{};           // of one replica in the busiest hour; spare ones work too
  double utilization = 0;         // mean of the day, of max_requests_per_s
  std::optional<double> power_w{}, joules_per_token{};   // mean of the day, at the GPUs; of output tokens
  std::optional<double> usd_per_hour{}, usd_per_mtok{};  // of output tokens
  std::string rejected{};                                // why it is no choice; empty: it is one
};

struct cluster_answer {
  std::vector<cluster_choice> choices{};   // cheapest first; then those without a price, fewest GPUs first
  std::vector<cluster_choice> rejected{};  // in the order offered
  derivation how{};                        // of the first choice
};

// The error names what of the load, the objective or the policy cannot be.
[[nodiscard]] result<cluster_answer> size_cluster(const serving_load& load, const latency_objective& slo,
                                                  const replica_policy& p,
                                                  std::span<const replica_offer> offers);

// Half-width of TTFT, TPOT and rates of the closed form as a share of them (docs/design/plan/cost.md).
inline constexpr double cluster_band = 0.3;

}  // namespace ridge::plan
