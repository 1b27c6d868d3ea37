// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/chain_kernel.cuh"

namespace ridge::backends::probe_cuda {
namespace {

struct function_op {
  using value = float;
  bool zeros;
  __device__ explicit function_op(bool of_zeros) : zeros(of_zeros) {}
  __device__ float seed(unsigned i) const { return zeros ? 0 : 0.5f + 0.25f / static_cast<float>(i + 1); }
  __device__ static float read(float x) { return x; }
};

#define RIDGE_FUNCTION(name, instruction)                      \
  struct name : function_op {                                  \
    using function_op::function_op;                            \
    __device__ float operator()(float x) const {               \
      float y;                                                 \
      asm volatile(instruction " %0, %1;" : "=f"(y) : "f"(x)); \
      return y;                                                \
    }                                                          \
  };
RIDGE_FUNCTION(root_op, "rsqrt.approx.ftz.f32")
RIDGE_FUNCTION(sine_op, "sin.approx.ftz.f32")
RIDGE_FUNCTION(tangent_op, "tanh.approx.f32")
#undef RIDGE_FUNCTION

// Of the negated number, which comes to 0.64; 2 to the number itself would soon be infinite.
struct power_op : function_op {
  using function_op::function_op;
  __device__ float operator()(float x) const {
    float y;
    asm volatile("{ .reg .f32 n; neg.ftz.f32 n, %1; ex2.approx.ftz.f32 %0, n; }" : "=f"(y) : "f"(x));
    return y;
  }
};

struct narrow_op : function_op {
  using function_op::function_op;
  __device__ float operator()(float x) const {
    float y;
    asm volatile("{ .reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.f32.f16 %0, h; }" : "=f"(y) : "f"(x));
    return y;
  }
};

}  // namespace

double run_functions(chain_op op, const kernel_call& call, const chain_shape& shape) {
  switch (op) {
    case chain_op::ex2:
      return run_chain_shape<power_op>(call, shape);
    case chain_op::rsqrt:
      return run_chain_shape<root_op>(call, shape);
    case chain_op::sine:
      return run_chain_shape<sine_op>(call, shape);
    case chain_op::tanh:
      return run_chain_shape<tangent_op>(call, shape);
    default:
      return run_chain_shape<narrow_op>(call, shape);
  }
}

double run_chains(chain_op op, const kernel_call& call, const chain_shape& shape) {
  if (op <= chain_op::fma_bf16) return run_multiply_adds(op, call, shape);
  if (op <= chain_op::popc || op == chain_op::shuffle) return run_integers(op, call, shape);
  return run_functions(op, call, shape);
}

}  // namespace ridge::backends::probe_cuda
