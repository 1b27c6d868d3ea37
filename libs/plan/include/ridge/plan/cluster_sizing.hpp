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

// The mean lengths of one class of requests.
struct length_class {
  double input_tokens = 0, output_tokens = 0;
  double weight = 1;  // share of all requests, relative to the other classes
};

// The load on a service. Requests arrive as a Poisson process.
struct serving_load {
  double requests_per_s = 0;  // mean over a day
  double peak_factor = 1;     // rate of the busiest hour over the mean
  std::vector<length_class> lengths{};
};

// Limits that this quantile of the requests must stay below.
struct latency_objective {
  double ttft_s = 0, tpot_s = 0;
  double quantile = 0.95;
};

// The constraint that limits a replica or rules it out.
enum class binding : std::uint8_t {
  none,
  unknown,    // a figure of the GPU, or its kernel times, are not known
  layout,     // the model cannot be divided so
  memory,     // the model does not fit
  compute,    // the engine falls behind
  sequences,  // max_sequences is reached
  kv_cache,   // no more sequences fit into the cache
  tpot,       // the limit on time per output token
  ttft,       // the limit on time to first token
};
// Its name in reports, options and JSON files.
[[nodiscard]] std::string_view name_of(binding b);

// One way to build a replica: which GPU, how many of them, and how fast they are.
struct replica_offer {
  std::string gpu{};
  int gpus = 1;                               // tensor-parallel ranks
  double usd_per_gpu_hour = 0;                // 0: unknown
  double busy_power_w = 0, idle_power_w = 0;  // per GPU; busy 0: unknown
  std::int64_t kv_tokens = 0;                 // tokens that the replica's KV cache holds
  std::shared_ptr<const serve::iteration_timer> timer{};
  double request_s = 0;     // of a request outside steps, until its first token
  int max_sequences = 0;    // in one step, where the policy leaves it to the engine
  int max_step_tokens = 0;  // likewise
  std::string refused{};    // why it cannot be built: "each GPU lacks 3.2 GiB ..."; empty: it can
  binding refused_by{binding::none};
};

struct replica_policy {
  int max_sequences = 0;    // in one step (vLLM's max_num_seqs); 0: the offer's
  int max_step_tokens = 0;  // vLLM's max_num_batched_tokens; 0: the offer's
  double headroom = 0.2;    // share of a replica's greatest rate that the busiest hour leaves free
  int spare_replicas = 1;   // beyond those that the load needs (N+1)
};

// The state of one replica at one request rate, by mean-value formulas rather than simulation.
struct replica_state {
  double requests_per_s = 0;
  double running = 0;           // mean number of decoding sequences (Little's law)
  double running_quantile = 0;  // number of them at the objective's quantile
  double kv_tokens = 0;         // resident at that quantile
  double tpot_s = 0, tpot_quantile_s = 0;
  double prefill_s = 0;     // engine time for a mean prompt; its steps also decode
  double prefill_load = 0;  // share of the engine's time that prompts need
  double wait_s = 0;        // mean wait of a prompt before its first step
  double ttft_s = 0, ttft_quantile_s = 0;
  double busy = 0;                // share of time with a step in progress
  binding broken{binding::none};  // the first constraint that this rate breaks
};
// Evaluates one replica at `requests_per_s`: an M/G/1 queue of prompts in front of steps that also decode;
// the batch follows from Little's law (docs/design/plan/cost.md). `load.requests_per_s` is not used.
[[nodiscard]] replica_state replica_at(const replica_offer& o, const serving_load& load,
                                       const latency_objective& slo, const replica_policy& p,
                                       double requests_per_s);

// A cluster of one kind of replica, sized for the busiest hour.
struct cluster_choice {
  std::string gpu{};
  int gpus_per_replica = 1;
  int replicas = 0;  // spare ones included
  std::int64_t gpus = 0;
  std::int64_t kv_tokens = 0;     // tokens that the KV cache of one replica holds
  double max_requests_per_s = 0;  // of one replica within the objectives
  binding limit{binding::none};   // the constraint that keeps it from a higher rate
  replica_state peak{};           // one replica in the busiest hour, with the spare ones working too
  double utilization = 0;         // mean rate of the day over max_requests_per_s
  std::optional<double> power_w{}, joules_per_token{};   // mean of the day, GPUs alone; per output token
  std::optional<double> usd_per_hour{}, usd_per_mtok{};  // per million output tokens
  std::string rejected{};                                // why it cannot serve the load; empty: it can
};

struct cluster_answer {
  std::vector<cluster_choice> choices{};   // cheapest first; without a price last, fewest GPUs first
  std::vector<cluster_choice> rejected{};  // in the order offered
  plan::derivation derivation{};           // derivation of the first choice
};

// Sizes a cluster from each offer so that the busiest hour stays within the objective. The error names the
// member of the load, the objective or the policy that is out of range.
[[nodiscard]] result<cluster_answer> size_cluster(const serving_load& load, const latency_objective& slo,
                                                  const replica_policy& p,
                                                  std::span<const replica_offer> offers);

// Relative half-width of the band around TTFT, TPOT and rates of the closed form (docs/design/plan/cost.md).
inline constexpr double cluster_band = 0.3;

}  // namespace ridge::plan
