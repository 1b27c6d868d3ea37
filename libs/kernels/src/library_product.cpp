// SPDX-License-Identifier: Apache-2.0
#include <ridge/kernels/library_product.hpp>

#include <memory>

#include <ridge/kernels/random_operands.hpp>

namespace ridge::kernels {
namespace {

constexpr int algorithms = 32;

template <class T>
std::function<void(cudaStream_t)> fastest(const vendor::product& wanted, const library_memory<T>& own,
                                          cudaStream_t stream) {
  const auto plan = std::make_shared<vendor::planned_matmul>(wanted, own.workspace.data(), algorithms);
  randomize(own.sample_a, stream), randomize(own.sample_b, stream);
  plan->choose_fastest(stream, own.sample_a.data(), own.sample_b.data());
  return [plan](cudaStream_t queue) { (*plan)(queue); };
}

}  // namespace

vendor::product library_product(const product_operands& p) {
  return {.a = {p.a, CUDA_R_16BF, p.m, p.k, p.a_pitch},
          .b = {p.b, CUDA_R_16BF, p.n, p.k, p.b_pitch, true},
          .target = p.c,
          .pitch = p.c_pitch,
          .target_type = CUDA_R_16BF};
}

std::function<void(cudaStream_t)> fastest_library_product(const vendor::product& wanted,
                                                          const library_memory<bf16>& own,
                                                          cudaStream_t stream) {
  return fastest(wanted, own, stream);
}
std::function<void(cudaStream_t)> fastest_library_product(const vendor::product& wanted,
                                                          const library_memory<e4m3>& own,
                                                          cudaStream_t stream) {
  return fastest(wanted, own, stream);
}

}  // namespace ridge::kernels
