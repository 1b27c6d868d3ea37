// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <ridge/trace/op_tree.hpp>
#include <ridge/trace/roofline.hpp>

namespace ridge::trace {

// A run of memory-bound operators (elementwise, normalisation, softmax, reduction, copies) next to each other
// in a stream, each of the size of the one before it: a fused kernel would keep what lies between in
// registers. Chains of equal operators and shapes are one row. A run around one product that is surrounded by
// such operators (scores, scale, mask, softmax) is attention that was not fused.
struct fusable_chain {
  std::vector<name_id> ops{};      // in order
  std::vector<name_id> kernels{};  // of the first one seen, in order
  work_id first = none;            // of the first one seen
  std::uint64_t count = 0;         // how often
  nanoseconds device_ns = 0;       // of all of them
  double bytes = 0;                // moved by one, by the models
  double bytes_fused = 0;          // of one, when fused: first inputs and last output
  double intensity = 0;            // FLOP/byte of one
  bool attention = false;          // a softmax between two batched products
  bool moe = false;                // sort, gather, expert products and their sum as kernels of their own

  // Seconds that fusing saves at that bandwidth, all of them: (bytes - bytes_fused) / bandwidth, at most what
  // the chain takes; 0 where the bandwidth is not known.
  [[nodiscard]] double saved_s(double bytes_per_s) const;
};

// Chains of two kernels and more, largest device_ns first.
[[nodiscard]] std::vector<fusable_chain> fusable_chains_of(const trace& t, const op_tree& tree);

}  // namespace ridge::trace
