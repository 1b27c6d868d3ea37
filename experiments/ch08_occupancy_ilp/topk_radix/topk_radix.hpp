// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch08_topk_radix {

// The `k` largest values of each of `rows` rows of `columns`, in descending order; k is at most 4096 and at
// most columns. Equal values are interchangeable, for no positions are returned.
struct workload {
  std::size_t rows = 0, columns = 0, k = 0;
  input<float> values{};  // no NaN
  output<float> largest{};
};

[[gnu::weak]] ladder<workload> cuda();
// In kernels.cu. A block a row finds the k-th largest by counting its digits from the highest on: the row is
// read from memory, then from the L2.
void launch_radix_select(const workload& w, stream queue);
// Rows are read once: a sample bounds the k-th largest, and few values reach the bound. Blocks of a cluster
// share a row where rows are few (compute capability 9.0). Rows shorter than
// a sample or off 16 bytes go to launch_radix_select.
void launch_cluster_select(const workload& w, stream queue);

// In comparator.cu: each row is sorted by cub::DeviceSegmentedRadixSort, and its first k are copied; without
// scratch it says how many bytes it needs.
void launch_cub_sort(const workload& w, std::size_t& bytes, void* scratch, stream queue);

}  // namespace ridge::experiments::ch08_topk_radix
