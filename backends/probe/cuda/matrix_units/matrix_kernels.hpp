// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "matrix_units/matrix_units.hpp"
#include "timing/block_span.hpp"

namespace ridge::backends::probe_cuda {

// All enqueue products of random operands that stay on the multiprocessor, and return how many operations
// they are: two for each multiply-add. What a thread's sums come to is written to call.to, a float a thread
// that is not 0, in blocks of block_threads; nothing, and no spans, where this build has no such code for the
// GPU.

// mma.sync: eight warps a block and two blocks a multiprocessor, each warp with eight sums under way,
// operands in registers.
double multiply_by_warps(operand type, const kernel_call& call);

// How wgmma of 64 x 256 sums is fed, by two warpgroups a multiprocessor: first operands from registers or,
// like the second ones, from shared memory; groups of sixteen products, of which so many may be under way
// while the next is queued.
struct warpgroup_shape {
  std::string_view name;
  bool from_registers;
  int groups_under_way;
};
// The first is taken where only one is.
inline constexpr std::array warpgroup_shapes{warpgroup_shape{"wgmma m64n256 SS, 2 groups", false, 1},
                                             warpgroup_shape{"wgmma m64n256 RS, 2 groups", true, 1},
                                             warpgroup_shape{"wgmma m64n256 SS, 1 group", false, 0},
                                             warpgroup_shape{"wgmma m64n256 RS, 1 group", true, 0}};
double multiply_by_warpgroups(operand type, const kernel_call& call, const warpgroup_shape& shape);

inline constexpr int block_threads = 256;

// fp64 by mma.sync: m16n8k16 from compute capability 9.0 on, m8n8k4 before; four sums a warp.
struct fp64_shape {
  std::string_view name;
  int blocks_a_processor;
};
inline constexpr std::array fp64_shapes{fp64_shape{"mma.sync, 8 warps", 1},
                                        fp64_shape{"mma.sync, 16 warps", 2}};
double multiply_fp64_by_warps(const kernel_call& call, const fp64_shape& shape);

}  // namespace ridge::backends::probe_cuda
