// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
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
  // Whether failures keep every request from its end.
  [[nodiscard]] bool in_vain();

  cluster_context own_;
  cluster_context* context_ = &own_;
  request_ledger requests_;
  replica_fleet fleet_;
  request_dispatcher dispatcher_;
  replica_lifecycle lifecycle_;
  double sample_interval_s_ = 0;
  std::uint64_t steps_ = 0;
  std::size_t ended_before_ = 0;         // requests, when in_vain() was asked last
  std::uint64_t losses_before_end_ = 0;  // when a request ended last
};

}  // namespace ridge::plan::serve
