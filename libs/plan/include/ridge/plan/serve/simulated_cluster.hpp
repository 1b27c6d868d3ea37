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

// A pool of equal replicas. The role of the engine says whether they prefill, decode, or both.
struct replica_pool {
  std::string name{};
  int replicas = 1;
  engine_settings engine{};
  std::shared_ptr<const iteration_timer> timer{};
  int gpus = 1;                   // per replica
  double usd_per_hour = 0;        // per replica; 0: unknown
  double idle_w = 0, busy_w = 0;  // per replica; 0: unknown
};

// Which requests are refused on arrival.
struct admission_settings {
  double tokens_per_s = 0;   // rate of a token bucket over prompt and answer tokens; 0: off
  double bucket_tokens = 0;  // depth of the bucket
  double ttft_limit_s = 0;   // refuses requests predicted to exceed it; 0: off
};

// When replicas are added and removed.
struct autoscaler_settings {
  int least = 1, most = 0;          // fewest and most replicas; most 0: off
  double target = 0.7;              // requests running and waiting over max_sequences
  double interval_s = 15;           // between decisions
  double warm_up_s = 60;            // until a new replica serves requests
  double scale_down_delay_s = 300;  // removes replicas only after fewer sufficed for so long
};

// Failures of replicas.
struct failure_settings {
  double mtbf_s = 0;  // mean time between failures per replica, exponential; 0: none
  double recovery_s = 300;
};

// Disaggregated serving: some replicas prefill, others decode.
struct disaggregation_settings {
  double kv_bytes_per_token = 0;  // on the link, of layers that keep every token
  struct window {
    double bytes_per_token = 0;
    std::int64_t tokens = 0;
  };
  std::vector<window> windows{};   // of layers that keep the last tokens alone
  double fixed_bytes = 0;          // of every prompt: states
  double link_bytes_per_s = 0;     // per prefill replica, one direction
  double receive_bytes_per_s = 0;  // of all decoding replicas together, shared by what comes; 0: no limit
  double latency_s = 0;
  int layers = 1;  // a layer's keys and values are sent once it is computed, so all but the
                   // last layer's transfer overlaps the prefill; 1: no overlap
  std::int64_t remote_prefill_from =
      0;  // prompts with fewer uncached tokens are prefilled by the decoding replica

  // Bytes of a prompt's keys, values and states on the link.
  [[nodiscard]] double bytes_of(std::int64_t prompt_tokens) const;
};

// A cluster to simulate.
struct cluster_settings {
  std::vector<replica_pool> pools{};
  router_settings router{};
  admission_settings admission{};
  autoscaler_settings autoscaler{};
  failure_settings failures{};
  std::optional<disaggregation_settings> disaggregated{};
  std::vector<double>
      deadline_s{};  // limit on the first token by tenant, for earliest_deadline; empty: 1 s for all
  std::int64_t longest_request = 0;  // tokens of prompt and answer beyond which engines refuse; 0: no limit
  std::uint64_t seed = 0;
  double stop_after_s = never_s;   // simulated time
  bool record_queue = true;        // records served_request::scheduled_s
  bool record_steps = false;       // records cluster_run::steps
  double timeline_interval_s = 0;  // 0: a 400th of the span of the arrivals; doubled as often as 800 points
                                   // would not suffice
  // Called now and then by the simulating thread with the share that is done. Returning true ends the run;
  // the result holds what was simulated until then.
  std::function<bool(double share_done)> watch{};
};

// The outcome of a simulation.
struct cluster_run {
  std::vector<served_request> requests{};  // one per request of the workload, in its order
  std::vector<replica_use> replicas{};
  std::vector<timeline_point> timeline{};
  std::vector<step_span> steps{};
  duration_histogram gaps{};  // times between tokens of one request (ITL)
  double end_s = 0;           // simulated time at the end
  double wall_s = 0;          // real time that the simulation took
  bool stopped = false;       // ended early by watch or stop_after_s
  bool in_vain = false;       // ended early: a thousand failures in which no request reached its end
  std::int64_t transfers = 0;
  double transferred_bytes = 0, transfer_wait_s = 0, exposed_transfer_s = 0;
};

// Simulates the cluster under this workload on the calling thread. The same settings and workload give the
// same run, bit by bit. The error names the setting that is out of range, or failures so frequent that no
// request ends between them.
[[nodiscard]] result<cluster_run> simulate_cluster(const cluster_settings& settings, const workload& asked);

}  // namespace ridge::plan::serve
