// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <ridge/trace/op_tree.hpp>
#include <ridge/trace/roofline_place.hpp>

namespace ridge::trace {

// A run of memory-bound operators (elementwise, normalisation, softmax, reduction, copies) next to each other
// in a stream, each of the size of the one before it: a fused kernel would keep what lies between in
// registers. Chains of equal operators and shapes are one row. A run around one product that is surrounded by
// such operators (scores, scale, mask, softmax) is attention that was not fused.
struct fusable_chain {
  std::vector<name_id> ops{};      // in order
  std::vector<name_id> kernels{};  // kernels of the first chain seen, in order
  work_id first = none;            // first work of the first chain seen
  std::vector<work_id> works{};    // works of all such chains, ascending within each
  std::uint64_t count = 0;         // number of such chains
  nanoseconds device_ns = 0;       // sum over all of them
  double bytes = 0;                // bytes that one chain moves, by the models
  double bytes_fused = 0;          // bytes that one chain moves when fused: first inputs and last output
  double intensity = 0;            // FLOP/byte of one chain
  bool attention = false;          // a softmax between two batched products
  bool moe = false;                // sort, gather, expert products and their sum as kernels of their own

  // Seconds that fusing all chains of the row saves at that bandwidth: (bytes - bytes_fused) / bytes_per_s
  // each, at most what the chains take; 0 where the bandwidth is not known (0).
  [[nodiscard]] double saved_s(double bytes_per_s) const;
};

// Returns chains of two or more kernels, largest device_ns first.
[[nodiscard]] std::vector<fusable_chain> fusable_chains_of(const trace& t, const op_tree& tree);

}  // namespace ridge::trace
