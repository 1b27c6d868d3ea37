// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "graph_launch.hpp"

namespace ridge::experiments::ch01_graph_launch {

// Operation k of the chain over all elements: reads `source` when k is 0, else `target`; writes `target`.
void run_operation(const workload& w, std::size_t k);

// The whole chain in one pass: each element is loaded once and stored once. Same bits as the 256 operations.
void run_fused(const workload& w);

}  // namespace ridge::experiments::ch01_graph_launch
