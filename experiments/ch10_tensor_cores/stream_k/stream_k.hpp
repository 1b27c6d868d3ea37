// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include <ridge/harness/workload.hpp>
#include <ridge/workloads/product_problem.hpp>

namespace ridge::experiments::ch10_stream_k {

using workload = workloads::bf16_product;

ladder<workload> cpu();
[[gnu::weak]] ladder<workload> cuda();

// One call's launches; they may be enqueued any number of times. The products have sums and terms.
using enqueued = std::function<void(stream)>;

// In kernels.cu.
// Blocks of fixed 128 x 256 tiles that stay; pairs of them share copies of b.
[[nodiscard]] enqueued whole_tiles(const workload& w);
// The tile that the model of costs picks.
[[nodiscard]] enqueued odd_tiles(const workload& w);

// What split tiles need: partial sums, and a word for each warp that waits with some, zero at first.
struct split_workspace {
  std::span<float> sums{};
  std::span<std::uint32_t> ready{};
};
[[nodiscard]] std::size_t partial_floats();
[[nodiscard]] std::size_t partial_words();
// The steps of all tiles in equal runs, and of the last, incomplete round only.
[[nodiscard]] enqueued split_all(const workload& w, const split_workspace& own);
[[nodiscard]] enqueued split_remainder(const workload& w, const split_workspace& own);

}  // namespace ridge::experiments::ch10_stream_k
