// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch08_ilp_fma {

// target[i]: `steps` times v = v * scale + shift from v = source[i]. Each element is a chain of multiply-adds
// of its own, and stays where it began by a factor of scale^steps = 0.37.
struct workload {
  input<float> source{};
  output<float> target{};
};
inline constexpr unsigned steps = 1024;
inline constexpr float scale = 1 - 0x1p-10F, shift = 0x1p-11F;

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
