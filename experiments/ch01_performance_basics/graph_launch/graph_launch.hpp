// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch01_graph_launch {

inline constexpr std::size_t chain_length = 256;  // operations

// A chain of 256 element-wise operations, each on the result of the one before: y * p, y + addend, max(y, p),
// y - p, repeated 64 times, with p = parameters[k] for operation k. `target` holds y between operations.
struct workload {
  input<float> source{};
  input<float> addend{};
  input<float> parameters{};  // chain_length of them, above zero
  output<float> target{};
};

[[gnu::weak]] ladder<workload> cuda();

// In vectors.cpp. Applies operation k of the chain to all elements: reads `source` when k is 0, else
// `target`, and writes `target`.
void run_operation(const workload& w, std::size_t k);
// Applies the whole chain in one pass: each element is loaded once and stored once. The result has the same
// bits as that of the 256 operations.
void run_fused(const workload& w);

// In kernels.cu. Enqueues a launch for each operation; this and the next two enqueue nothing without
// elements.
void launch_operations(const workload& w, stream queue);
// Enqueues the same, all but the first by programmatic dependent launch. Compute capability 9.0.
void launch_dependent_operations(const workload& w, stream queue);
// Enqueues one kernel that applies all operations in registers; the result has the same bits.
void launch_whole_chain(const workload& w, stream queue);

}  // namespace ridge::experiments::ch01_graph_launch
