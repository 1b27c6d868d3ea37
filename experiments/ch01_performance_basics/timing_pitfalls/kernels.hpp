// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <cuda_runtime_api.h>

namespace ridge::experiments::ch01_timing_pitfalls {

// Enqueues target[i] = 0.5 source[i].
void launch_halving(std::span<const float> source, std::span<float> target, cudaStream_t stream);

inline constexpr unsigned slices = 16;
enum class visits { one_slice_again_and_again, every_slice_once };
// Enqueues as much halving in one kernel, a sixteenth of the data after the other, past the first-level
// caches: of the first sixteenth 16 times, or of all of them.
void launch_halving_in_slices(std::span<const float> source, std::span<float> target, visits order,
                              cudaStream_t stream);

// Enqueues result[i] = table[slot_of(keys[i], keys[i + 1], n)]; all three hold n elements.
void launch_look_up(std::span<const float> table, std::span<const float> keys, std::span<float> result,
                    cudaStream_t stream);

}  // namespace ridge::experiments::ch01_timing_pitfalls
