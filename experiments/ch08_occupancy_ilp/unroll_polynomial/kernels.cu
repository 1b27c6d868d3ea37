// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/quads.hpp>

#include "unroll_polynomial.hpp"

namespace ridge::experiments::ch08_unroll_polynomial {
namespace {

constexpr unsigned threads = 256;

// The number of coefficients is known when the kernel runs.
__global__ void __launch_bounds__(threads) horner_loop(const float* points, const float* coefficients,
                                                       float* values, std::size_t n, unsigned count) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll 4  // as far as the compiler goes by itself for sm_90a; for sm_100a it would go to 16
  for (unsigned k = count; k-- > 0;) sum = fmaf(sum, points[i], coefficients[k]);
  values[i] = sum;
}

struct polynomial {
  float c[degree + 1];
  __device__ explicit polynomial(const float* coefficients) {
#pragma unroll
    for (unsigned k = 0; k <= degree; ++k) c[k] = __ldg(coefficients + k);
  }
};
struct horner : polynomial {
  using polynomial::polynomial;
  __device__ float operator()(float x) const {
    float sum = c[degree];
#pragma unroll
    for (unsigned k = degree; k-- > 0;) sum = fmaf(sum, x, c[k]);
    return sum;
  }
};
struct estrin_form : polynomial {
  using polynomial::polynomial;
  __device__ float operator()(float x) const { return by_estrin(c, x); }
};

template <class Form>
__global__ void __launch_bounds__(threads)
    one_point(const float* points, const float* coefficients, float* values, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < n) values[i] = Form(coefficients)(points[i]);
}

// Room for 64 registers: the coefficients stay in them.
template <class Form, unsigned Quads>
__global__ void __launch_bounds__(threads, 4)
    quads_of_points(const float* points, const float* coefficients, float* values, gpu::quads q) {
  const Form form(coefficients);
  const auto* from = reinterpret_cast<const float4*>(points + q.head);
  auto* target = reinterpret_cast<float4*>(values + q.head);
  const std::size_t first = blockIdx.x * std::size_t{threads * Quads} + threadIdx.x;
  float4 x[Quads];
#pragma unroll
  for (unsigned u = 0; u < Quads; ++u)
    if (first + u * threads < q.count) x[u] = __ldcs(from + first + u * threads);
#pragma unroll
  for (unsigned u = 0; u < Quads; ++u)
    if (first + u * threads < q.count)
      __stcs(target + first + u * threads, float4{form(x[u].x), form(x[u].y), form(x[u].z), form(x[u].w)});
  if (blockIdx.x != 0) return;
  for (std::size_t i = threadIdx.x; i < q.singles(); i += threads)
    values[q.single(i)] = form(points[q.single(i)]);
}

template <class Form>
void launch_one(const workload& w, stream queue) {
  gpu::launch_each(one_point<Form>, w.points.size(), threads, queue, w.points.data(), w.coefficients.data(),
                   w.values.data(), w.points.size());
}
template <class Form, unsigned Quads>
void launch_quads(const workload& w, stream queue) {
  if (w.points.empty()) return;
  const auto q = gpu::quads_of(w.points.size(), {w.points.data(), w.values.data()});
  const auto blocks = std::max(1U, gpu::blocks_for(q.count, threads * Quads));
  gpu::launch(quads_of_points<Form, Quads>, {blocks, threads, 0, queue}, w.points.data(),
              w.coefficients.data(), w.values.data(), q);
}

}  // namespace

void launch_serial(const workload& w, stream queue) {
  gpu::launch_each(horner_loop, w.points.size(), threads, queue, w.points.data(), w.coefficients.data(),
                   w.values.data(), w.points.size(), as_unsigned(w.coefficients.size()));
}
void launch_unrolled(const workload& w, stream queue) { launch_one<horner>(w, queue); }
void launch_estrin(const workload& w, stream queue) { launch_one<estrin_form>(w, queue); }
void launch_four_points(const workload& w, stream queue) { launch_quads<horner, 1>(w, queue); }
void launch_eight_points(const workload& w, stream queue) { launch_quads<horner, 2>(w, queue); }
void launch_estrin_eight_points(const workload& w, stream queue) { launch_quads<estrin_form, 2>(w, queue); }

}  // namespace ridge::experiments::ch08_unroll_polynomial
