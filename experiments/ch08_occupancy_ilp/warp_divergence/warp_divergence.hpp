// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch08_warp_divergence {

// target[i]: what is left of source[i] after `steps` steps: numbers above zero decay in proportion to
// themselves, one operation a step, the others to their cube, three operations a step.
struct workload {
  unsigned steps = 0;
  input<float> source{};
  output<float> target{};
};
inline constexpr float rate = 0x1p-10F;

[[gnu::weak]] ladder<workload> cuda();
// Enqueues a kernel whose threads take the side of their own element.
void launch_diverging(const workload& w, stream queue);
// Bytes of scratch for `launch_sorted`.
std::size_t sorting_bytes(const workload& w);
// Enqueues a partition of the indices by side into `order` and after it a kernel whose neighbouring threads
// take neighbours in that order. `order` has room for one more than there are elements, which are below 2^31.
void launch_sorted(const workload& w, std::span<std::uint32_t> order, std::span<std::byte> scratch,
                   stream queue);
// Enqueues a kernel whose blocks collect the elements of each side in shared memory first.
void launch_compacted(const workload& w, stream queue);

}  // namespace ridge::experiments::ch08_warp_divergence
