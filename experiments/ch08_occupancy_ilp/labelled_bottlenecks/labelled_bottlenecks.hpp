// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch08_labelled_bottlenecks {

// target[i] = source[i] * scale + shift, whatever else a variant does. `order` is a permutation of the lines
// of `line_elements`. `unity` is 1 and `zero` is 0, which no compiler knows.
struct workload {
  input<float> source{};
  input<std::uint32_t> order{};
  output<float> target{};
  float unity = 1;
  std::uint32_t zero = 0;
};
inline constexpr std::size_t line_elements = 16;
inline constexpr float scale = 1.5F, shift = 0.25F;

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues a kernel of kernels.cu with one bottleneck planted.
void launch_dram(const workload& w, stream queue);
void launch_l2(const workload& w, stream queue);
void launch_latency(const workload& w, stream queue);
void launch_divergence(const workload& w, stream queue);
void launch_conflicts(const workload& w, stream queue);
void launch_tail(const workload& w, stream queue);

}  // namespace ridge::experiments::ch08_labelled_bottlenecks
