// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda_bf16.h>

#include <ridge/gpu/ptx/approximate.cuh>
#include <ridge/gpu/reduce.cuh>

// What becomes of the sums of warpgroup_product.cuh before they are stored. An epilogue is called with the
// row and column of two sums that are neighbours in it, and changes them; tiles may reach beyond the matrix,
// unless it is told that these are inside. Each consumer thread has its own copy, and calls finish() once.
namespace ridge::kernels {

// Several epilogues, one after the other.
template <class First, class... Rest>
struct epilogue_chain {
  First first;
  epilogue_chain<Rest...> rest;
  // As as_summed's, of all of them.
  __device__ bool holds(unsigned rows, unsigned columns) const {
    return first.holds(rows, columns) && rest.holds(rows, columns);
  }
  // Applies all of them in this order.
  template <bool Inside>
  __device__ void apply(unsigned row, unsigned column, float& x, float& y) {
    first.template apply<Inside>(row, column, x, y);
    rest.template apply<Inside>(row, column, x, y);
  }
  // Finishes all of them in this order.
  __device__ void finish() {
    first.finish();
    rest.finish();
  }
};
template <class Only>
struct epilogue_chain<Only> {
  Only only;
  // As as_summed's.
  __device__ bool holds(unsigned rows, unsigned columns) const { return only.holds(rows, columns); }
  // Applies it.
  template <bool Inside>
  __device__ void apply(unsigned row, unsigned column, float& x, float& y) {
    only.template apply<Inside>(row, column, x, y);
  }
  // Finishes it.
  __device__ void finish() { only.finish(); }
};

// Adds a bias to each column.
struct add_bias {
  const __nv_bfloat16* bias;
  unsigned columns;
  bool pairs;  // the bias begins at a multiple of four bytes
  // Whether both biases of each pair are there, at multiples of four bytes.
  __device__ bool holds(unsigned, unsigned end) const { return pairs && end <= columns; }
  // Adds the columns' own.
  template <bool Inside>
  __device__ void apply(unsigned, unsigned column, float& x, float& y) const {
    if (Inside || (pairs && column + 1 < columns)) {
      const auto both = __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162*>(bias + column));
      x += both.x, y += both.y;
    } else {
      if (column < columns) x += __bfloat162float(bias[column]);
      if (column + 1 < columns) y += __bfloat162float(bias[column + 1]);
    }
  }
  // Nothing is left to do.
  __device__ void finish() const {}
};

// The Gaussian error linear unit by its approximation with a hyperbolic tangent (Hendrycks and Gimpel, 2016):
// x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2.
__device__ inline float gelu(float x) {
  constexpr float slope = 0.7978845608F, cubic = slope * 0.044715F;
  const float half = 0.5F * x;
  return half + half * gpu::ptx::tanh_approx(x * (slope + cubic * x * x));
}

// Applies it to each sum.
struct apply_gelu {
  // It asks for nothing.
  __device__ bool holds(unsigned, unsigned) const { return true; }
  // Applies it to both.
  template <bool Inside>
  __device__ void apply(unsigned, unsigned, float& x, float& y) const {
    x = gelu(x), y = gelu(y);
  }
  // Nothing is left to do.
  __device__ void finish() const {}
};

// Raises `target`, which holds the bits of a number that is not negative, to the largest magnitude within the
// matrix as it is stored: one atomic operation a warp, when all of its tiles are done.
struct largest_magnitude {
  std::uint32_t* target;
  unsigned rows, columns;
  float own = 0;
  // Whether all that is seen counts.
  __device__ bool holds(unsigned rows_end, unsigned columns_end) const {
    return rows_end <= rows && columns_end <= columns;
  }
  // Raises the thread's own.
  template <bool Inside>
  __device__ void apply(unsigned row, unsigned column, float x, float y) {
    if (!Inside && row >= rows) return;
    if (Inside || column < columns) own = fmaxf(own, fabsf(x));
    if (Inside || column + 1 < columns) own = fmaxf(own, fabsf(y));
  }
  // Raises the target.
  __device__ void finish() const {
    const auto bits = __float_as_uint(__bfloat162float(__float2bfloat16_rn(own)));
    const auto most = __reduce_max_sync(gpu::all_lanes, bits);
    if (threadIdx.x % gpu::warp_lanes == 0) atomicMax(target, most);
  }
};

}  // namespace ridge::kernels
