// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/chain_kernel.cuh"

namespace ridge::backends::probe_cuda {
namespace {

// A chain of an instruction on fp32 numbers. Instruction::apply(x) executes it.
template <class Instruction>
struct function_chain {
  using value = float;
  bool zeros;
  __device__ explicit function_chain(bool of_zeros) : zeros(of_zeros) {}
  __device__ float seed(unsigned i) const { return zeros ? 0 : 0.5f + 0.25f / static_cast<float>(i + 1); }
  __device__ float operator()(float x) const { return Instruction::apply(x); }
  __device__ static float read(float x) { return x; }
};

#define RIDGE_FUNCTION(name, instructions)           \
  struct name {                                      \
    __device__ static float apply(float x) {         \
      float y;                                       \
      asm volatile(instructions : "=f"(y) : "f"(x)); \
      return y;                                      \
    }                                                \
  };
RIDGE_FUNCTION(reciprocal_root, "rsqrt.approx.ftz.f32 %0, %1;")
RIDGE_FUNCTION(sine, "sin.approx.ftz.f32 %0, %1;")
RIDGE_FUNCTION(tangent, "tanh.approx.f32 %0, %1;")
// 2 to the negated number, which converges to 0.64; 2 to the number itself would soon be infinite.
RIDGE_FUNCTION(power, "{ .reg .f32 n; neg.ftz.f32 n, %1; ex2.approx.ftz.f32 %0, n; }")
RIDGE_FUNCTION(narrow, "{ .reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.f32.f16 %0, h; }")
#undef RIDGE_FUNCTION

}  // namespace

double run_functions(chain_op op, const kernel_call& call, const chain_shape& shape) {
  switch (op) {
    case chain_op::ex2:
      return run_chain_shape<function_chain<power>>(call, shape);
    case chain_op::rsqrt:
      return run_chain_shape<function_chain<reciprocal_root>>(call, shape);
    case chain_op::sine:
      return run_chain_shape<function_chain<sine>>(call, shape);
    case chain_op::tanh:
      return run_chain_shape<function_chain<tangent>>(call, shape);
    default:
      return run_chain_shape<function_chain<narrow>>(call, shape);
  }
}

double run_chains(chain_op op, const kernel_call& call, const chain_shape& shape) {
  if (op <= chain_op::fma_bf16) return run_multiply_adds(op, call, shape);
  if (op <= chain_op::popc || op == chain_op::shuffle) return run_integers(op, call, shape);
  return run_functions(op, call, shape);
}

}  // namespace ridge::backends::probe_cuda
