// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include <ridge/plan/serve/simulated_cluster.hpp>

#include "cluster_timers.hpp"

namespace ridge::plan::serve {

// Shared by all parts of one run of a cluster: its settings and workload, the clock, the timers and the
// results.
struct cluster_context {
  cluster_context(cluster_settings chosen, const workload& requests)
      : settings(std::move(chosen)), asked(requests), table(table_of(requests)) {}

  cluster_settings settings;
  const workload& asked;
  request_table table;
  cluster_run made{};
  cluster_timers timers{};
  double now_s = 0;
};

}  // namespace ridge::plan::serve
