// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "arithmetic/chain_kernel.cuh"

namespace ridge::backends::probe_cuda {
namespace {

struct integer_op {
  using value = std::uint32_t;
  value factor, addend;
  __device__ explicit integer_op(bool zeros)
      : factor(zeros ? 0 : 1664525u), addend(zeros ? 0 : 1013904223u) {}
  __device__ value seed(unsigned i) const { return factor == 0 ? 0 : i * 2654435761u + 1; }
  // Near 1 and never 0.
  __device__ static float read(value x) { return 1.0f + static_cast<float>(x & 0xFFu); }
};

struct multiply_add_op : integer_op {
  using integer_op::integer_op;
  __device__ value operator()(value x) const {
    value y;
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(y) : "r"(x), "r"(factor), "r"(addend));
    return y;
  }
};

struct dot_op : integer_op {
  using integer_op::integer_op;
  __device__ value operator()(value x) const {
    value y;
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(y) : "r"(x), "r"(factor), "r"(addend));
    return y;
  }
};

// By an amount in a register: two in a row cannot be made one.
struct shift_op : integer_op {
  using integer_op::integer_op;
  __device__ value operator()(value x) const {
    value y;
    asm volatile("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(y) : "r"(x), "r"(factor), "r"(addend));
    return y;
  }
};

struct count_op : integer_op {
  using integer_op::integer_op;
  __device__ value operator()(value x) const {
    value y;
    asm volatile("popc.b32 %0, %1;" : "=r"(y) : "r"(x));
    return y;
  }
};

// The next lane's word.
struct shuffle_op : integer_op {
  using integer_op::integer_op;
  __device__ value operator()(value x) const {
    return __shfl_sync(0xFFFFFFFFu, x, static_cast<int>(threadIdx.x + 1));
  }
};

}  // namespace

double run_integers(chain_op op, const kernel_call& call, const chain_shape& shape) {
  switch (op) {
    case chain_op::imad:
      return run_chain_shape<multiply_add_op>(call, shape);
    case chain_op::dp4a:
      return run_chain_shape<dot_op>(call, shape);
    case chain_op::shift:
      return run_chain_shape<shift_op>(call, shape);
    case chain_op::popc:
      return run_chain_shape<count_op>(call, shape);
    default:
      return run_chain_shape<shuffle_op>(call, shape);
  }
}

}  // namespace ridge::backends::probe_cuda
