// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "timing/block_span.hpp"

namespace ridge::backends::probe_cuda {

// Instructions on registers. Each thread runs eight chains, in which an instruction takes its predecessor's
// result.
enum class chain_op : std::uint8_t {
  fma_fp32,
  fma_fp64,
  fma_fp16,
  fma_bf16,
  imad,
  dp4a,
  shift,
  popc,
  ex2,
  rsqrt,
  sine,
  tanh,
  shuffle,
  narrow
};

// A probe of one instruction.
struct chain_work {
  chain_op op;
  std::string_view id;  // id of the row, without "cuda."
  std::string_view description;
  double operations;  // number of operations of one instruction in one thread, in `unit`
  std::string_view unit;
  std::string_view limited_by;  // a kind of operations_per_clock(); empty where no limit is known
};

inline constexpr std::array chain_works{
    chain_work{chain_op::fma_fp32, "fma.fp32", "fp32 multiply-adds on registers", 2, "FLOP/s", "fma.fp32"},
    chain_work{chain_op::fma_fp64, "fma.fp64", "fp64 multiply-adds on registers", 2, "FLOP/s", "fma.fp64"},
    chain_work{chain_op::fma_fp16, "fma.fp16", "fp16 multiply-adds in pairs", 4, "FLOP/s", "fma.fp16"},
    chain_work{chain_op::fma_bf16, "fma.bf16", "bf16 multiply-adds in pairs", 4, "FLOP/s", "fma.bf16"},
    chain_work{chain_op::imad, "imad.int32", "32-bit integer multiply-adds", 1, "op/s", "imad.int32"},
    chain_work{chain_op::dp4a, "dp4a.int8", "sums of four 8-bit products", 1, "op/s", ""},
    chain_work{chain_op::shift, "shift.int32", "shifts of two words by a third", 1, "op/s", "shift.int32"},
    chain_work{chain_op::popc, "popc.int32", "counts of bits", 1, "op/s", "popc.int32"},
    chain_work{chain_op::ex2, "sfu.ex2", "powers of two, approximate", 1, "op/s", "sfu"},
    chain_work{chain_op::rsqrt, "sfu.rsqrt", "reciprocal square roots, approximate", 1, "op/s", "sfu"},
    chain_work{chain_op::sine, "sfu.sin", "sines, approximate", 1, "op/s", "sfu"},
    chain_work{chain_op::tanh, "sfu.tanh", "hyperbolic tangents, approximate", 1, "op/s", "sfu"},
    chain_work{chain_op::shuffle, "shuffle", "words that lanes of a warp exchange", 1, "op/s", "shuffle"},
    chain_work{chain_op::narrow, "convert.fp16", "roundings to fp16 and back, two conversions", 2, "op/s",
               ""},
};

// How many threads run chains, and how long the loop is.
struct chain_shape {
  std::string_view name;
  int blocks_per_processor;
  bool longer;         // a loop of 512 instructions instead of 128
  bool alone = false;  // one warp with one chain per thread, on one multiprocessor
};

// The shapes to try; where only one is tried it is the first.
inline constexpr std::array chain_shapes{chain_shape{"1024 threads, loop of 512", 4, true},
                                         chain_shape{"2048 threads, loop of 512", 8, true},
                                         chain_shape{"2048 threads, loop of 128", 8, false}};
inline constexpr chain_shape chain_alone{"one warp", 1, true, true};

inline constexpr unsigned chain_threads = 256;  // per block
inline constexpr int chains = 8, short_steps = 16, longer_steps = 64;

// The index of a chain's seed.
constexpr unsigned chain_index(unsigned thread, int chain) {
  return 8 * thread + static_cast<unsigned>(chain);
}

// Each function enqueues the chains of one group of instructions. It returns how many instructions all
// threads execute, or one warp's number where the shape is one warp alone. The sum of a thread's chains is
// written to call.results.
double run_multiply_adds(chain_op op, const kernel_call& call, const chain_shape& shape);
double run_integers(chain_op op, const kernel_call& call, const chain_shape& shape);
double run_functions(chain_op op, const kernel_call& call, const chain_shape& shape);

// Enqueues the chains of `op` by the function above that has it; returns the same.
double run_chains(chain_op op, const kernel_call& call, const chain_shape& shape);

}  // namespace ridge::backends::probe_cuda
