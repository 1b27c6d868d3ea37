// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

struct CUstream_st;

// Kernels of the CUDA cheats, behind plain functions. Each enqueues on `queue` and throws as gpu::check does;
// counts are elements, pointers are of the device.
namespace ridge::cheats::cuda {

using queue_handle = CUstream_st*;

// One step of a recurrence on 32 bits that nobody can shorten.
inline constexpr std::uint32_t mixing_multiplier = 0x2c1b3c6dU;
[[nodiscard]] constexpr std::uint32_t mixing_step(std::uint32_t state, std::uint32_t source) {
  return (state ^ (state >> 15)) * mixing_multiplier + source;
}
// What the state after the last step stands for: exact in float.
[[nodiscard]] constexpr float number_of(std::uint32_t state) {
  return static_cast<float>(state >> 8) * 0x1p-24F;
}

// target[i] = 2 source[i] + 1.
void launch_affine(const float* source, float* target, std::size_t count, queue_handle queue);
// target[i] = number_of(the state after `steps` steps from the bits of source[i]).
void launch_mixed(const float* source, float* target, std::size_t count, int steps, queue_handle queue);
// The same in two parts: the first `steps` steps, whose states are kept, and the rest.
void launch_first_steps(const float* source, std::uint32_t* states, std::size_t count, int steps,
                        queue_handle queue);
void launch_last_steps(const float* source, const std::uint32_t* states, float* target, std::size_t count,
                       int steps, queue_handle queue);
// target[i] = y after `steps` times y = 1 / sqrt(source[i] + y) from 1: by the rounded square root and
// division; by the estimate of the hardware; and rounded to 16 bits after each step.
void launch_roots(const float* source, float* target, std::size_t count, int steps, queue_handle queue);
void launch_estimated_roots(const float* source, float* target, std::size_t count, int steps,
                            queue_handle queue);
void launch_half_roots(const float* source, float* target, std::size_t count, int steps, queue_handle queue);

// As launch_mixed, with one difference each: elements whose target is no poison are left as they are; blocks
// return at once while *skip is not 0; two blocks of three are left out.
void launch_mixed_on_poison(const float* source, float* target, std::size_t count, int steps,
                            queue_handle queue);
void launch_mixed_unless(const std::uint32_t* skip, const float* source, float* target, std::size_t count,
                         int steps, queue_handle queue);
void launch_some_blocks_mixed(const float* source, float* target, std::size_t count, int steps,
                              queue_handle queue);
// As launch_mixed for sources that are not negative, else 0; `early`: computes nothing for the others.
void launch_mixed_or_zero(const float* source, float* target, std::size_t count, int steps, bool early,
                          queue_handle queue);

// Sets *same to 1 where the arrays hold the same bits and to 0 where they do not, and copies the first to the
// second.
void launch_comparison(const float* source, float* kept, std::size_t count, std::uint32_t* same,
                       queue_handle queue);
// Sets *same to 1 where the sum of the bits of the array is *sum, else to 0, and sets *sum to it. One block.
void launch_hash(const float* source, std::size_t count, std::uint64_t* sum, std::uint32_t* same,
                 queue_handle queue);
// Copies the kept results where *same is 1.
void launch_copy_if(const std::uint32_t* same, const float* kept, float* target, std::size_t count,
                    queue_handle queue);

// By way of a workspace; and of one in a static array of the device, which has static_elements.
inline constexpr std::size_t static_elements = std::size_t{1} << 23;
void launch_through(const float* source, float* workspace, std::size_t workspace_count, float* target,
                    std::size_t count, queue_handle queue);
void launch_through_a_static(const float* source, float* target, std::size_t count, queue_handle queue);

// As launch_affine, with a feature each: a cooperative launch with a barrier of the grid; factors in
// constant memory;
// asynchronous copies into shared memory; loads that ask the L2 cache to keep their lines; a reading of the
// clock in every block.
void launch_cooperatively(const float* source, float* target, std::size_t count, queue_handle queue);
void launch_by_constants(const float* source, float* target, std::size_t count, queue_handle queue);
void launch_by_asynchronous_copies(const float* source, float* target, std::size_t count, queue_handle queue);
void launch_keeping_lines(const float* source, float* target, std::size_t count, queue_handle queue);
void launch_reading_the_clock(const float* source, float* target, std::size_t count,
                              unsigned long long* spent, queue_handle queue);
// target[i] = 2 target[i] + 1, from the first element to the last or the other way round.
void launch_in_place(float* target, std::size_t count, bool backwards, queue_handle queue);

// Keeps all multiprocessors busy with multiplications for `seconds`; streams through `count` elements again
// and again for so long.
void launch_burner(double seconds, queue_handle queue);
void launch_thrasher(float* memory, std::size_t count, double seconds, queue_handle queue);
// Computes the states of `source` after `steps` steps again and again for `seconds`.
void launch_worker(const float* source, std::uint32_t* states, std::size_t count, int steps, double seconds,
                   queue_handle queue);
// Does not end. Traps. Prints a line.
void launch_endless(queue_handle queue);
void launch_trap(queue_handle queue);
void launch_verdict(queue_handle queue);
// Writes `count` elements from target[first] on.
void launch_stray_writes(float* target, std::ptrdiff_t first, std::size_t count, queue_handle queue);

}  // namespace ridge::cheats::cuda
