// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch08_reduce {

// sum[0] is the sum of `terms`.
struct workload {
  input<float> terms{};
  output<float> sum{};
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues a sum of kernels.cu on `queue`. An atomic addition for each warp, each of whose lanes loads
// one term; a tree in each block and an atomic addition for it.
void launch_atomics(const workload& w, stream queue);
void launch_block_tree(const workload& w, stream queue);
// Many terms a thread by 16-byte loads; the block that finishes last adds up the others' sums. `partial`
// holds partial_sums(terms) floats of device memory; `finished` is zero before the first launch, and after
// each.
[[nodiscard]] std::size_t partial_sums(std::size_t terms);
void launch_vectors(const workload& w, std::span<float> partial, unsigned* finished, stream queue);

// In comparator.cu: cub::DeviceReduce::Sum; without scratch it says how many bytes it needs.
void launch_cub(const workload& w, std::size_t& bytes, void* scratch, stream queue);

}  // namespace ridge::experiments::ch08_reduce
