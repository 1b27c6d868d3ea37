// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/cluster_sizing.hpp>

namespace ridge::plan {

// The derivation of the first choice.
[[nodiscard]] derivation cluster_figures(const serving_load& load, const latency_objective& slo,
                                         const replica_policy& p, const replica_offer& o,
                                         const cluster_choice& c);

}  // namespace ridge::plan
