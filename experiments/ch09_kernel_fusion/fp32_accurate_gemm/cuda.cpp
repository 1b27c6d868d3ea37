// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <ridge/gpu/check.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/vendor/cublas.hpp>

#include "fp32_accurate_gemm.hpp"

namespace ridge::experiments::ch09_fp32_accurate_gemm {
namespace {

bool has_sums(const workload& w) { return !w.c.empty() && w.k > 0; }

void store_zeros(workload& w, call& c) {
  if (!w.c.empty())
    gpu::check(cudaMemsetAsync(w.c.data(), 0, w.c.size_bytes(), c.queue()), "cudaMemsetAsync of c");
}

template <split Kind>
auto by_planes(workload& w, setup& s) {
  std::function<void(stream)> product;
  if (has_sums(w)) {
    const auto rows = as_count(w.m), columns = as_count(w.n), pitch = as_count(w.pitch);
    product = planned(Kind, w,
                      {s.workspace<std::byte>(plane_bytes(Kind, rows, pitch)),
                       s.workspace<std::byte>(plane_bytes(Kind, columns, pitch)), s.workspace<float>(rows),
                       s.workspace<float>(columns)});
  }
  return [product](workload& own, call& c) { product ? product(c.queue()) : store_zeros(own, c); };
}

// cuBLAS is column-major: our c is the transpose of its b aᵀ, and it reads our b transposed.
auto cublas_sgemm(workload&, setup& s) {
  const std::shared_ptr handle =
      vendor::open_cublas(s.queue(), s.workspace<std::byte>(vendor::cublas_workspace_bytes));
  return [handle](workload& w, call& c) {
    if (!has_sums(w)) return store_zeros(w, c);
    const float one = 1, zero = 0;
    const auto length = [](std::int64_t extent) { return as_int(as_count(extent)); };
    vendor::check_cublas(
        cublasSgemm(handle.get(), CUBLAS_OP_T, CUBLAS_OP_N, length(w.n), length(w.m), length(w.k), &one,
                    w.b.data(), length(w.pitch), w.a.data(), length(w.pitch), &zero, w.c.data(), length(w.n)),
        "cublasSgemm");
  };
}

// The planes are written once and read by the product, with the operands.
double traffic_of(const problem& p, double plane_bytes_a_number) {
  const double operands = 2 * p.real("size") * p.real("size");
  return operands * (4 + 2 * plane_bytes_a_number) + 4 * p.real("size") * p.real("size");
}
double six_of_bf16(const problem& p) { return traffic_of(p, 6); }
double three_of_tf32(const problem& p) { return traffic_of(p, 8); }
double three_of_fp16(const problem& p) { return traffic_of(p, 4) + 8 * p.real("size") * p.real("size"); }

const needs hopper{.architecture = "sm_90a"};

constexpr auto tensor_cores =
    "tensor cores multiply at fifteen times the rate of the plain cores that sgemm uses";

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "bf16_six",
       .is = role::baseline,
       .idea = "three planes of bf16 hold all 24 bits; the six largest of their nine products are added",
       .run = by_planes<split::bf16_six>,
       .needs = hopper,
       .traffic = six_of_bf16},
      {.name = "tf32_three",
       .idea = "two planes of tf32 hold 22 bits: three products, each at half the rate",
       .run = by_planes<split::tf32_three>,
       .needs = hopper,
       .traffic = three_of_tf32},
      {.name = "fp16_three",
       .idea = "two planes of fp16 hold 22 bits at the full rate, once each row is scaled to its range",
       .run = by_planes<split::fp16_three>,
       .needs = hopper,
       .traffic = three_of_fp16},
      {.name = "cublas_sgemm",
       .is = role::comparator,
       .idea = "fp32 on plain cores; the library has no such path on tensor cores of compute capability 9.0",
       .run = cublas_sgemm,
       .needs = {.library = "cublas"},
       .explanation = tensor_cores},
  };
}

}  // namespace ridge::experiments::ch09_fp32_accurate_gemm
