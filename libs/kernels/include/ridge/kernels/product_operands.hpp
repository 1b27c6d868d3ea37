// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

#include <cuda_runtime_api.h>

namespace ridge::kernels {

// c (m x n) = a (m x k) bᵀ (n x k), row-major in device memory; pitches are in elements.
struct product_operands {
  const void* a = nullptr;  // a and b begin at multiples of 16 bytes, and so does each of their rows
  const void* b = nullptr;
  void* c = nullptr;  // bf16, where nothing else is said
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t a_pitch = 0, b_pitch = 0, c_pitch = 0;
};

// Returns the operands of a workload c = a bᵀ with the members m, n, k, pitch (of a and b), a, b and c.
template <class Workload>
[[nodiscard]] product_operands operands_of(const Workload& w) {
  return {w.a.data(), w.b.data(), w.c.data(), w.m, w.n, w.k, w.pitch, w.pitch, w.n};
}

inline constexpr std::size_t bf16_bytes = 2;

// Returns what stores zeros in the rows of c, or does nothing where c is empty. An element of c has
// `element_bytes`.
[[nodiscard]] std::function<void(cudaStream_t)> zeros_in(const product_operands& p,
                                                         std::size_t element_bytes = bf16_bytes);

// Returns what `plan` returns where c consists of sums with terms, else zeros_in(p, element_bytes): the
// functions that plan products want at least one term.
template <class Plan>
[[nodiscard]] std::invoke_result_t<const Plan&> product_or_zeros(const product_operands& p, const Plan& plan,
                                                                 std::size_t element_bytes = bf16_bytes) {
  if (p.m > 0 && p.n > 0 && p.k > 0) return plan();
  return zeros_in(p, element_bytes);
}

// Returns the timed body of a variant on the workload of operands_of(w): on the call's queue it enqueues what
// `plan` returns, or zeros where there are no terms.
template <class Workload, class Plan>
[[nodiscard]] auto product_body(const Workload& w, const Plan& plan) {
  constexpr auto element_bytes = sizeof(typename decltype(w.c)::element_type);
  return [product = product_or_zeros(operands_of(w), plan, element_bytes)](auto&, auto& call) {
    product(call.queue());
  };
}

}  // namespace ridge::kernels
