// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <cuda_runtime_api.h>

namespace ridge::experiments::ch01_timing_pitfalls {

// Enqueues to[i] = 0.5 from[i].
void enqueue_halving(std::span<const float> from, std::span<float> to, cudaStream_t on);

inline constexpr unsigned slices = 16;
enum class visits { one_slice_again_and_again, every_slice_once };
// Enqueues as much halving in one kernel, a sixteenth of the data after the other, past the first-level
// caches: of the first sixteenth 16 times, or of all of them.
void enqueue_halving_in_slices(std::span<const float> from, std::span<float> to, visits order,
                               cudaStream_t on);

// Enqueues result[i] = table[slot_of(keys[i], keys[i + 1], n)]; all three hold n elements.
void enqueue_look_up(std::span<const float> table, std::span<const float> keys, std::span<float> result,
                     cudaStream_t on);

}  // namespace ridge::experiments::ch01_timing_pitfalls
