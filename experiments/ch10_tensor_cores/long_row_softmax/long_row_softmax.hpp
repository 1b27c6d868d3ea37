// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch10_long_row_softmax {

// target = the softmax of each row of `source`, both row-major.
struct workload {
  std::size_t rows = 0, columns = 0;
  input<float> source{};
  output<float> target{};
};

// Longest row that a cluster holds in its registers.
inline constexpr std::size_t most_columns = 262144;

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues the softmax. A block reads its row twice; a cluster of 8 or of 16 blocks holds it in
// registers, of at most most_columns columns.
void launch_two_reads(const workload& w, stream queue);
void launch_cluster_of_8(const workload& w, stream queue);
void launch_cluster_of_16(const workload& w, stream queue);

}  // namespace ridge::experiments::ch10_long_row_softmax
