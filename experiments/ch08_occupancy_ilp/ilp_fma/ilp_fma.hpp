// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch08_ilp_fma {

// target[i] is what `steps` times v = v * scale + shift make of v = source[i]: a chain of multiply-adds of
// its own, at whose end scale^steps = 0.37 of the source is left.
struct workload {
  input<float> source{};
  output<float> target{};
};
inline constexpr unsigned steps = 4096;
inline constexpr float scale = 1 - 0x1p-12F, shift = 0x1p-13F;

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues the kernel of kernels.cu with so many warps on each scheduler of a multiprocessor, and so
// many chains in a thread.
void launch_1_warp_1_chain(const workload& w, stream queue);
void launch_1_warp_2_chains(const workload& w, stream queue);
void launch_1_warp_4_chains(const workload& w, stream queue);
void launch_1_warp_8_chains(const workload& w, stream queue);
void launch_4_warps_1_chain(const workload& w, stream queue);
void launch_2_warps_4_chains(const workload& w, stream queue);

}  // namespace ridge::experiments::ch08_ilp_fma
