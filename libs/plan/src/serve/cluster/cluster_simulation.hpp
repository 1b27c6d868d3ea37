// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/plan/serve/simulated_cluster.hpp>

#include "cluster_context.hpp"
#include "replica_fleet.hpp"
#include "replica_lifecycle.hpp"
#include "request_dispatcher.hpp"
#include "request_ledger.hpp"

namespace ridge::plan::serve {

// One run of a cluster: its clock advances from one event to the next.
class cluster_simulation {
 public:
  cluster_simulation(cluster_settings settings, const workload& asked);
  cluster_simulation(const cluster_simulation&) = delete;
  cluster_simulation& operator=(const cluster_simulation&) = delete;
  [[nodiscard]] cluster_run run();

 private:
  void start();
  [[nodiscard]] bool step();
  void take_timer(const cluster_timer& t);
  void sample();
  void thin_timeline();
  [[nodiscard]] bool asked_to_stop();

  cluster_context own_;
  cluster_context* context_ = &own_;
  request_ledger requests_;
  replica_fleet fleet_;
  request_dispatcher dispatcher_;
  replica_lifecycle lifecycle_;
  double sample_interval_s_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace ridge::plan::serve
