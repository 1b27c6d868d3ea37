// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include <ridge/gpu/transform.cuh>

#include "aos_soa.hpp"

namespace ridge::experiments::ch07_aos_soa {
namespace {

constexpr unsigned threads = 256;

template <class Layout>
__global__ void __launch_bounds__(threads) convert(const float* particles, float* converted, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i >= n) return;
  for (std::size_t f = 0; f < fields; ++f)
    converted[Layout::at(i, f, n)] = particles[structures::at(i, f, n)];
}

template <class Layout>
__global__ void __launch_bounds__(threads) multiply(const float* particles, float* product, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < n) product[i] = particles[Layout::at(i, mass, n)] * particles[Layout::at(i, charge, n)];
}

using kernel = void (*)(const float*, float*, std::size_t);

// A thread a particle.
void launch_particles(kernel run, const float* particles, float* target, std::size_t n, stream queue) {
  gpu::launch_each(run, n, threads, queue, particles, target, n);
}

}  // namespace

template <class Layout>
void launch_conversion(const workload& w, std::span<float> converted, stream queue) {
  launch_particles(convert<Layout>, w.particles.data(), converted.data(), w.product.size(), queue);
}
template void launch_conversion<arrays>(const workload&, std::span<float>, stream);
template void launch_conversion<groups>(const workload&, std::span<float>, stream);

template <class Layout>
void launch_products(const workload& w, std::span<const float> particles, stream queue) {
  launch_particles(multiply<Layout>, particles.data(), w.product.data(), w.product.size(), queue);
}
template void launch_products<structures>(const workload&, std::span<const float>, stream);
template void launch_products<arrays>(const workload&, std::span<const float>, stream);
template void launch_products<groups>(const workload&, std::span<const float>, stream);

void launch_array_vectors(const workload& w, std::span<const float> particles, stream queue) {
  const auto n = w.product.size();
  gpu::transform(std::multiplies<float>(), n, w.product.data(), queue, particles.data() + mass * n,
                 particles.data() + charge * n);
}

}  // namespace ridge::experiments::ch07_aos_soa
