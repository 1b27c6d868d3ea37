// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "arithmetic/multiply_adds.hpp"
#include "timing/block_span.hpp"

namespace ridge::backends::probe_cuda {

// Forms of chains of fp64 multiply-adds, by the source of their operands. An fp64 operand is two registers.
// The register file cannot deliver three different operands in the two clocks that an instruction takes,
// unless the same warp issues again and some operands are still latched. Fewer different registers, a factor
// in constant memory or fewer warps help.
enum class fp64_form : std::uint8_t {
  registers,  // x f + a, all in registers
  twice,      // x f + x
  constant,   // x c + a
  least       // x c + x
};

// One variant of the probe.
struct fp64_chain_shape {
  std::string_view name;
  fp64_form form;
  int chains;   // per thread: 4, 8 or 16
  int threads;  // per block, up to 256
  int blocks_per_processor;
};

inline constexpr std::array fp64_chain_shapes{
    fp64_chain_shape{"xf+a, 128 threads of 8 chains", fp64_form::registers, 8, 128, 1},
    fp64_chain_shape{"xf+a, 128 threads of 16 chains", fp64_form::registers, 16, 128, 1},
    fp64_chain_shape{"xf+a, 256 threads of 8 chains", fp64_form::registers, 8, 256, 1},
    fp64_chain_shape{"xf+x, 128 threads of 8 chains", fp64_form::twice, 8, 128, 1},
    fp64_chain_shape{"xf+x, 128 threads of 16 chains", fp64_form::twice, 16, 128, 1},
    fp64_chain_shape{"xf+x, 1024 threads of 8 chains", fp64_form::twice, 8, 256, 4},
    fp64_chain_shape{"xc+a, 128 threads of 8 chains", fp64_form::constant, 8, 128, 1},
    fp64_chain_shape{"xc+a, 1024 threads of 8 chains", fp64_form::constant, 8, 256, 4},
    fp64_chain_shape{"xc+x, 128 threads of 8 chains", fp64_form::least, 8, 128, 1},
    fp64_chain_shape{"xc+x, 512 threads of 4 chains", fp64_form::least, 4, 256, 2},
    fp64_chain_shape{"xc+x, 1024 threads of 8 chains", fp64_form::least, 8, 256, 4}};

inline constexpr int fp64_steps = 64;  // of a chain per round

// Whether the chain's value is the addend; the value then grows by a factor of 1 + 2^-30 per step.
constexpr bool adds_itself(fp64_form form) { return form == fp64_form::twice || form == fp64_form::least; }
// The factor of the form's multiply-adds.
constexpr double fp64_factor(fp64_form form) { return adds_itself(form) ? 0x1p-30 : fp64_step::factor; }

// Enqueues the chains; returns how many instructions all threads execute. The sum of a thread's chains is
// written to call.results; a chain begins with fp64_step::seed(chains * thread + chain).
double run_fp64_chains(const kernel_call& call, const fp64_chain_shape& shape);

}  // namespace ridge::backends::probe_cuda
