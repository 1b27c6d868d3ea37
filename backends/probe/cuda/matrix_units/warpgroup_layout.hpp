// SPDX-License-Identifier: Apache-2.0
#pragma once

// The layout of the operands of wgmma's probe in a block's shared memory, for the kernel and for its test.
namespace ridge::backends::probe_cuda::warpgroup_layout {

inline constexpr int warpgroups = 2, threads = 128 * warpgroups;
inline constexpr int rows = 64, columns = 256;  // of a product
// A tile has rows of 128 bytes, of which an instruction takes 32. A group of products covers all stages.
inline constexpr int row_bytes = 128, steps = row_bytes / 32, stages = 4;
inline constexpr int first_bytes = rows * row_bytes, second_bytes = columns * row_bytes;
// Each warpgroup has its own first operands; they are followed by the second operands, which the warpgroups
// share.
inline constexpr int operand_bytes = stages * (warpgroups * first_bytes + second_bytes);
inline constexpr int alignment = 1024;  // of a swizzled operand
inline constexpr int shared_bytes = operand_bytes + alignment;
// A sum starts again after so many rounds, which are 1024 terms of two bytes, as the sums of a real product
// do.
inline constexpr int rounds_per_sum = 4;

// Offsets of a stage's operands in bytes from the beginning of the operands.
constexpr int first_at(int warpgroup, int stage) { return (warpgroup * stages + stage) * first_bytes; }
constexpr int second_at(int stage) { return warpgroups * stages * first_bytes + stage * second_bytes; }

// The index for random_word() of a thread's word of the first operands in registers, which are the same in
// every stage.
constexpr unsigned register_index(unsigned thread, int step, int word) {
  return 0x10000000u + (thread * steps + static_cast<unsigned>(step)) * 4 + static_cast<unsigned>(word);
}

}  // namespace ridge::backends::probe_cuda::warpgroup_layout
