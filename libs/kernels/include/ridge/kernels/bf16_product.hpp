// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <type_traits>

#include <cuda_runtime_api.h>

namespace ridge::kernels {

// c (m x n) = a (m x k) bᵀ (n x k), row-major in device memory; pitches are in elements.
struct product_operands {
  const void* a = nullptr;  // a and b begin at multiples of 16 bytes, and so does each of their rows
  const void* b = nullptr;
  void* c = nullptr;  // bf16
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t a_pitch = 0, b_pitch = 0, c_pitch = 0;
};

// Returns the operands of a workload c = a bᵀ with the members m, n, k, pitch (of a and b), a, b and c.
template <class Workload>
[[nodiscard]] product_operands operands_of(const Workload& w) {
  return {w.a.data(), w.b.data(), w.c.data(), w.m, w.n, w.k, w.pitch, w.pitch, w.n};
}

// Returns what stores zeros in the rows of c, or does nothing where c is empty.
[[nodiscard]] std::function<void(cudaStream_t)> zeros_in(const product_operands& p);

// Returns what `plan` does where c consists of sums with terms, else zeros_in(p): the functions that plan
// products want at least one term.
template <class Plan>
[[nodiscard]] std::invoke_result_t<const Plan&> product_or_zeros(const product_operands& p,
                                                                 const Plan& plan) {
  if (p.m > 0 && p.n > 0 && p.k > 0) return plan();
  return zeros_in(p);
}

// Returns the product of bf16 operands by warpgroups with roles, with the tile and the cluster that the model
// of costs picks (tile_choice.hpp). It may be enqueued any number of times. m, n and k are positive. Compute
// capability 9.0.
[[nodiscard]] std::function<void(cudaStream_t)> planned_bf16_product(const product_operands& p);

}  // namespace ridge::kernels
