// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/serve/engine_settings.hpp>
#include <ridge/plan/serve/iteration.hpp>
#include <ridge/plan/serve/router.hpp>
#include <ridge/plan/serve/served.hpp>
#include <ridge/plan/serve/workload.hpp>

namespace ridge::plan::serve {

// Replicas that are alike. Their engines' role says whether they prefill, decode or both.
struct replica_pool {
  std::string name{};
  int replicas = 1;
  engine_settings engine{};
  std::shared_ptr<const iteration_timer> timer{};
  int gpus = 1;                   // of one replica
  double usd_per_hour = 0;        // of one replica; 0: unknown
  double idle_w = 0, busy_w = 0;  // of one replica; 0: unknown
};

struct admission_settings {
  double tokens_per_s = 0;   // token bucket over prompt and answer tokens; 0: off
  double bucket_tokens = 0;  // its depth
  double ttft_limit_s = 0;   // refuses whom the prediction puts beyond; 0: off
};

struct autoscaler_settings {
  int least = 1, most = 0;          // replicas; most 0: off
  double target = 0.7;              // share of max_sequences in use, running and waiting
  double interval_s = 15;           // between decisions
  double warm_up_s = 60;            // until a new replica serves
  double scale_down_delay_s = 300;  // fewer only when fewer were enough for so long
};

struct failure_settings {
  double mtbf_s = 0;  // of one replica, exponential; 0: none
  double recovery_s = 300;
};

// Prefill on some replicas, decoding on others.
struct disaggregation_settings {
  double kv_bytes_per_token = 0;
  double link_bytes_per_s = 0;  // of one prefill replica, one direction
  double latency_s = 0;
  int layers = 1;  // keys and values of a layer leave when it is computed: all but the last
                   // layer's hide behind the prefill; 1: nothing does
  std::int64_t remote_prefill_from =
      0;  // shorter prompts (less what is cached) are prefilled where they decode
};

struct cluster_settings {
  std::vector<replica_pool> pools{};
  router_settings router{};
  admission_settings admission{};
  autoscaler_settings autoscaler{};
  failure_settings failures{};
  std::optional<disaggregation_settings> disaggregated{};
  std::vector<double> deadline_s{};  // by tenant, of the first token: earliest deadline first; empty: 1 s all
  std::uint64_t seed = 0;
  double stop_after_s = never_s;   // simulated
  bool record_queue = true;        // served_request::scheduled_s
  bool record_steps = false;       // fills cluster_run::steps
  double timeline_interval_s = 0;  // 0: a 200th of the arrivals' span
  // Asked now and then from the simulating thread with how much is done; true ends the run with what there
  // is.
  std::function<bool(double share_done)> watch{};
};

struct cluster_run {
  std::vector<served_request> requests{};  // one each of the workload's, in its order
  std::vector<replica_use> replicas{};
  std::vector<timeline_point> timeline{};
  std::vector<step_span> steps{};
  duration_histogram gaps{};  // between tokens of one request (ITL)
  double end_s = 0;           // of the simulation
  double wall_s = 0;          // from the first simulated arrival to the last completion handled
  bool stopped = false;       // before its end
  std::int64_t transfers = 0;
  double transferred_bytes = 0, transfer_wait_s = 0, exposed_transfer_s = 0;
};

// Simulates. One thread; the same settings and workload give the same run, bit by bit. The error names what
// of the settings cannot be.
[[nodiscard]] result<cluster_run> simulate_cluster(const cluster_settings& with, const workload& asked);

}  // namespace ridge::plan::serve
