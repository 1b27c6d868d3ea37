// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include <ridge/harness/experiment.hpp>
#include <ridge/kernels/product_operands.hpp>
#include <ridge/vendor/cublas.hpp>

#include "fp32_accurate_gemm.hpp"

namespace ridge::experiments::ch09_fp32_accurate_gemm {
namespace {

template <split Kind>
auto by_planes(workload& w, setup& s) {
  return kernels::product_body(w, [&] {
    const auto rows = as_count(w.m), columns = as_count(w.n), pitch = as_count(w.pitch);
    return planned(Kind, w,
                   {s.workspace<std::byte>(plane_bytes(Kind, rows, pitch)),
                    s.workspace<std::byte>(plane_bytes(Kind, columns, pitch)), s.workspace<float>(rows),
                    s.workspace<float>(columns)});
  });
}

// cuBLAS is column-major: our c is the transpose of its b aᵀ, and it reads our b transposed.
void enqueue_sgemm(cublasHandle_t handle, const workload& w) {
  const float one = 1, zero = 0;
  const auto length = [](std::int64_t extent) { return as_int(as_count(extent)); };
  vendor::check_cublas(
      cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, length(w.n), length(w.m), length(w.k), &one, w.b.data(),
                  length(w.pitch), w.a.data(), length(w.pitch), &zero, w.c.data(), length(w.n)),
      "cublasSgemm");
}

auto cublas_sgemm(workload& w, setup& s) {
  return kernels::product_body(w, [&]() -> std::function<void(stream)> {
    const std::shared_ptr handle =
        vendor::open_cublas(s.queue(), s.workspace<std::byte>(vendor::cublas_workspace_bytes));
    return [handle, w](stream) { enqueue_sgemm(handle.get(), w); };  // on the queue that it was opened for
  });
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
       .traffic = six_of_bf16,
       .emulation = {{arithmetic::bf16, 6}}},
      {.name = "tf32_three",
       .idea = "two planes of tf32 hold 22 bits: three products, each at half the rate",
       .run = by_planes<split::tf32_three>,
       .needs = hopper,
       .traffic = three_of_tf32,
       .emulation = {{arithmetic::tf32, 3}}},
      {.name = "fp16_three",
       .idea = "two planes of fp16 hold 22 bits at the full rate, once each row is scaled to its range",
       .run = by_planes<split::fp16_three>,
       .needs = hopper,
       .traffic = three_of_fp16,
       .emulation = {{arithmetic::fp16, 3}}},
      {.name = "cublas_sgemm",
       .is = role::comparator,
       .idea = "fp32 on plain cores; the library has no such path on tensor cores of compute capability 9.0",
       .run = cublas_sgemm,
       .needs = {.library = "cublas"},
       .explanation = tensor_cores},
  };
}

}  // namespace ridge::experiments::ch09_fp32_accurate_gemm
