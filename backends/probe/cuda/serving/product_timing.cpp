// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>
#include <vector>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/vendor/cublaslt.hpp>
#include <ridge/vendor/planned_matmul.hpp>

#include "serving/replayed.hpp"
#include "serving/timed_calls.hpp"

namespace ridge::backends::probe_cuda {
namespace {

// The sizes of a product and where its operands lie within a set: weights, inputs, outputs, two scales.
struct product_layout {
  std::int64_t m, n, k;
  bool fp8;
  [[nodiscard]] std::size_t element_bytes() const { return fp8 ? 1 : 2; }
  [[nodiscard]] std::size_t inputs_at() const {
    return aligned_bytes(static_cast<std::size_t>(n * k) * element_bytes());
  }
  [[nodiscard]] std::size_t outputs_at() const {
    return inputs_at() + aligned_bytes(static_cast<std::size_t>(m * k) * element_bytes());
  }
  [[nodiscard]] std::size_t bytes() const {
    return outputs_at() + aligned_bytes(static_cast<std::size_t>(m * n) * 2);
  }
};

vendor::product product_at(const product_layout& p, std::byte* set, const float* scale) {
  const auto type = p.fp8 ? CUDA_R_8F_E4M3 : CUDA_R_16BF;
  return {.a = {.data = set + p.inputs_at(),
                .type = type,
                .rows = p.m,
                .columns = p.k,
                .pitch = p.k,
                .scale = scale},
          .b = {.data = set,
                .type = type,
                .rows = p.n,
                .columns = p.k,
                .pitch = p.k,
                .transposed = true,
                .scale = scale},
          .target = set + p.outputs_at(),
          .pitch = p.n,
          .target_type = CUDA_R_16BF,
          .fast_accumulation = p.fp8};
}

}  // namespace

probe::kernel_timing timed_product(const timing_bench& bench, const model::kernel_call& call) {
  const auto library = vendor::find_cublaslt();
  if (!library) throw unavailable(library.why().message, library.why().remedy);
  const product_layout p{call.size("m"), call.size("n"), call.size("k"), call.format == "fp8"};
  const auto sets = bench.pool.divide(p.bytes(), p.fp8 ? element::fp8 : element::bf16);
  const gpu::device_memory scale(256);
  const float one = 1;
  gpu::check(cudaMemcpy(scale.data(), &one, sizeof one, cudaMemcpyHostToDevice), "cudaMemcpy of a scale");
  std::vector<std::unique_ptr<vendor::planned_matmul>> plans;
  for (int i = 0; i < sets.sets; ++i)
    plans.push_back(std::make_unique<vendor::planned_matmul>(
        product_at(p, sets.at(i), p.fp8 ? scale.as<float>() : nullptr), bench.workspace));
  auto found = replayed(bench.stream, sets.sets, [&](cudaStream_t stream, int set) {
    (*plans[static_cast<std::size_t>(set)])(stream);
  });
  found.implementation = *library;
  return found;
}

}  // namespace ridge::backends::probe_cuda
