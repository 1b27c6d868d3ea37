// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <ridge/harness/workload.hpp>

namespace ridge {
struct bf16;
struct e4m3;
}  // namespace ridge

namespace ridge::experiments::ch09_nvfp4_quantize {

inline constexpr std::size_t block = 16;  // elements that share a scale

// NVFP4: an element is e2m1 code * scale of its block * scale of the tensor. The scale of the tensor is 2^-8
// here, which covers magnitudes up to 6 * 448 / 256.
inline constexpr float steps_of_tensor = 256;
inline constexpr float largest_to_scale = steps_of_tensor / 6;  // a block's largest magnitude becomes 6

struct workload {
  input<bf16> source{};
  output<std::uint8_t> codes{};  // two a byte, the first in the low half
  output<e4m3> scales{};         // one a block; the last block may be short
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues the quantization on `queue`: a thread a block by NVIDIA's conversion functions; the same with
// 16-byte accesses; with a comparison for each step of e2m1; with saturating multiply-adds.
void launch_scalar(const workload& w, stream queue);
void launch_vectors(const workload& w, stream queue);
void launch_comparisons(const workload& w, stream queue);
void launch_saturating(const workload& w, stream queue);

}  // namespace ridge::experiments::ch09_nvfp4_quantize
