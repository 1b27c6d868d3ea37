// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <ridge/harness/workload.hpp>

namespace ridge {
struct bf16;
}  // namespace ridge

namespace ridge::experiments::ch09_inline_ptx {

// Unpacks four-bit weights: weights[i] = code - 8, two codes a byte, the first in the low half.
struct workload {
  input<std::uint8_t> codes{};
  output<bf16> weights{};
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues the same unpacking on `queue`: by C++ conversions; by operations on bits in C++; by lop3 and
// prmt; the latter with prefetches, or with cache operators.
void launch_conversions(const workload& w, stream queue);
void launch_bits(const workload& w, stream queue);
void launch_ptx(const workload& w, stream queue);
void launch_prefetch(const workload& w, stream queue);
void launch_cache_operators(const workload& w, stream queue);

}  // namespace ridge::experiments::ch09_inline_ptx
