// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "arithmetic/chain_kernel.cuh"

namespace ridge::backends::probe_cuda {
namespace {

// A chain of an instruction on words. Instruction::apply(x, factor, addend) executes it.
template <class Instruction>
struct integer_chain {
  using value = std::uint32_t;
  value factor, addend;
  __device__ explicit integer_chain(bool zeros)
      : factor(zeros ? 0 : 1664525u), addend(zeros ? 0 : 1013904223u) {}
  __device__ value seed(unsigned i) const { return factor == 0 ? 0 : i * 2654435761u + 1; }
  __device__ value operator()(value x) const { return Instruction::apply(x, factor, addend); }
  // A number near 1 that is never 0.
  __device__ static float read(value x) { return 1.0f + static_cast<float>(x & 0xFFu); }
};

#define RIDGE_THREE_OPERANDS(name, assembly, instruction)                                                \
  struct name {                                                                                          \
    __device__ static std::uint32_t apply(std::uint32_t x, std::uint32_t factor, std::uint32_t addend) { \
      std::uint32_t y;                                                                                   \
      assembly(instruction " %0, %1, %2, %3;" : "=r"(y) : "r"(x), "r"(factor), "r"(addend));             \
      return y;                                                                                          \
    }                                                                                                    \
  };
RIDGE_THREE_OPERANDS(multiply_add, asm, "mad.lo.u32")
RIDGE_THREE_OPERANDS(dot, asm, "dp4a.s32.s32")
// Shifts by an amount in a register, so that the compiler cannot merge two shifts into one.
RIDGE_THREE_OPERANDS(shift, asm volatile, "shf.l.wrap.b32")
#undef RIDGE_THREE_OPERANDS

struct count_bits {
  __device__ static std::uint32_t apply(std::uint32_t x, std::uint32_t, std::uint32_t) {
    std::uint32_t y;
    asm volatile("popc.b32 %0, %1;" : "=r"(y) : "r"(x));
    return y;
  }
};

// Takes the next lane's word.
struct shuffle {
  __device__ static std::uint32_t apply(std::uint32_t x, std::uint32_t, std::uint32_t) {
    return __shfl_sync(0xFFFFFFFFu, x, static_cast<int>(threadIdx.x + 1));
  }
};

}  // namespace

double run_integers(chain_op op, const kernel_call& call, const chain_shape& shape) {
  switch (op) {
    case chain_op::imad:
      return run_chain_shape<integer_chain<multiply_add>>(call, shape);
    case chain_op::dp4a:
      return run_chain_shape<integer_chain<dot>>(call, shape);
    case chain_op::shift:
      return run_chain_shape<integer_chain<shift>>(call, shape);
    case chain_op::popc:
      return run_chain_shape<integer_chain<count_bits>>(call, shape);
    default:
      return run_chain_shape<integer_chain<shuffle>>(call, shape);
  }
}

}  // namespace ridge::backends::probe_cuda
