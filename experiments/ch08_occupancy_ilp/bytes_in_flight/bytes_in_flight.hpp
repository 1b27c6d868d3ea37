// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch08_bytes_in_flight {

// Sums every `row_elements` consecutive elements of `source`; the last row may be shorter.
struct workload {
  input<float> source{};
  output<float> sums{};
};
inline constexpr std::size_t row_elements = 4096;

[[gnu::weak]] ladder<workload> cuda();
// Enqueues a plain loop over 4 bytes per thread with 64 warps resident in a multiprocessor.
void launch_plain_loop(const workload& w, stream queue);
// Each enqueues a kernel that reads so many times 16 bytes per thread before it adds the first, with so many
// warps resident in a multiprocessor.
void launch_16_warps_1_load(const workload& w, stream queue);
void launch_64_warps_1_load(const workload& w, stream queue);
void launch_16_warps_4_loads(const workload& w, stream queue);
void launch_8_warps_8_loads(const workload& w, stream queue);
// Enqueues a kernel with 64 warps whose blocks take a row each, two loads a thread.
void launch_block_a_row(const workload& w, stream queue);
// Enqueues a kernel of 8 warps that copies to shared memory what it will add later.
void launch_ring(const workload& w, stream queue);
// Enqueues CUB's segmented sum with `bytes` of scratch; without scratch it only says how many it needs.
void launch_cub(const workload& w, std::size_t& bytes, void* scratch, stream queue);

}  // namespace ridge::experiments::ch08_bytes_in_flight
