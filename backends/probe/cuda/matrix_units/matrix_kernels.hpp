// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "matrix_units/matrix_units.hpp"
#include "timing/block_span.hpp"

namespace ridge::backends::probe_cuda {

// Each function enqueues products of random operands that stay on the multiprocessor and returns their number
// of operations, two per multiply-add. Every thread of the blocks of block_threads writes the total of its
// sums, which is not 0, to call.results. Where this build has no code for the GPU, neither results nor spans
// are written.

// Products by mma.sync with operands in registers: eight warps per block and two blocks per multiprocessor;
// each warp computes eight sums at once.
double multiply_by_warps(operand type, const kernel_call& call);

// A variant of products by wgmma of 64 x 256 sums, with two warpgroups per multiprocessor. First operands
// come from registers or, like the second operands, from shared memory. Products are committed in groups of
// sixteen; groups_under_way of them may be incomplete when the next one is begun.
struct warpgroup_shape {
  std::string_view name;
  bool from_registers;
  int groups_under_way;
};
// The variants to try; where only one is tried it is the first.
inline constexpr std::array warpgroup_shapes{warpgroup_shape{"wgmma m64n256 SS, 2 groups", false, 1},
                                             warpgroup_shape{"wgmma m64n256 RS, 2 groups", true, 1},
                                             warpgroup_shape{"wgmma m64n256 SS, 1 group", false, 0},
                                             warpgroup_shape{"wgmma m64n256 RS, 1 group", true, 0}};
// Products by wgmma.
double multiply_by_warpgroups(operand type, const kernel_call& call, const warpgroup_shape& shape);

inline constexpr int block_threads = 256;  // threads per block of all these kernels

// Products in fp64 by mma.sync: m16n8k16 from compute capability 9.0 on, m8n8k4 before; four sums per warp.
struct fp64_shape {
  std::string_view name;
  int blocks_per_processor;
};
inline constexpr std::array fp64_shapes{fp64_shape{"mma.sync, 8 warps", 1},
                                        fp64_shape{"mma.sync, 16 warps", 2}};
double multiply_fp64_by_warps(const kernel_call& call, const fp64_shape& shape);

}  // namespace ridge::backends::probe_cuda
