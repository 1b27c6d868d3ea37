// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the operands of wgmma's probe lie in a block's shared memory, for the kernel and for its test.
namespace ridge::backends::probe_cuda::warpgroup_layout {

inline constexpr int warpgroups = 2, threads = 128 * warpgroups;
inline constexpr int rows = 64, columns = 256;  // of a product
// Tiles of rows of 128 bytes, of which an instruction takes 32: a group of products goes over all stages.
inline constexpr int row_bytes = 128, steps = row_bytes / 32, stages = 4;
inline constexpr int first_bytes = rows * row_bytes, second_bytes = columns * row_bytes;
// Each warpgroup's own first operands, then second ones that they share.
inline constexpr int operand_bytes = stages * (warpgroups * first_bytes + second_bytes);
inline constexpr int alignment = 1024;  // of a swizzled operand
inline constexpr int shared_bytes = operand_bytes + alignment;
// A sum is begun anew after so many rounds, as a product's would be: 1024 terms of two bytes.
inline constexpr int rounds_a_sum = 4;

// In bytes from the first operand's begin.
constexpr int first_at(int warpgroup, int stage) { return (warpgroup * stages + stage) * first_bytes; }
constexpr int second_at(int stage) { return warpgroups * stages * first_bytes + stage * second_bytes; }

// First operands in registers: the number of a thread's word, for random_word; all steps of a stage, the same
// in each stage.
constexpr unsigned register_index(unsigned thread, int step, int word) {
  return 0x10000000u + (thread * steps + static_cast<unsigned>(step)) * 4 + static_cast<unsigned>(word);
}

}  // namespace ridge::backends::probe_cuda::warpgroup_layout
