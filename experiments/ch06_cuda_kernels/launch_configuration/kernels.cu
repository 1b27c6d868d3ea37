// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/transform.cuh>

#include "launch_configuration.hpp"

namespace ridge::experiments::ch06_launch_configuration {
namespace {

constexpr unsigned most_threads = 1024;

__global__ void __launch_bounds__(most_threads)
    copy_exact(const float* source, float* target, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < n) target[i] = source[i];
}

__global__ void __launch_bounds__(most_threads)
    copy_steps(const float* source, float* target, std::size_t n) {
  const std::size_t step = gridDim.x * std::size_t{blockDim.x};
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n; i += step)
    target[i] = source[i];
}

void launch_steps(const workload& w, unsigned blocks, unsigned threads, stream queue) {
  const auto n = w.source.size();
  if (n == 0) return;
  gpu::launch(copy_steps, {std::min(blocks, gpu::blocks_for(n, threads)), threads, 0, queue}, w.source.data(),
              w.target.data(), n);
}

}  // namespace

template <unsigned Threads>
void launch_exact(const workload& w, stream queue) {
  const auto n = w.source.size();
  gpu::launch_each(copy_exact, n, Threads, queue, w.source.data(), w.target.data(), n);
}
template void launch_exact<32>(const workload&, stream);
template void launch_exact<64>(const workload&, stream);
template void launch_exact<128>(const workload&, stream);
template void launch_exact<256>(const workload&, stream);
template void launch_exact<1024>(const workload&, stream);

void launch_resident(const workload& w, stream queue) {
  constexpr unsigned threads = 256, resident_threads = 2048;
  launch_steps(w, gpu::multiprocessors() * resident_threads / threads, threads, queue);
}

void launch_suggested(const workload& w, stream queue) {
  int blocks = 0, threads = 0;
  gpu::check(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, copy_steps),
             "cudaOccupancyMaxPotentialBlockSize");
  launch_steps(w, as_unsigned(as_count(blocks)), as_unsigned(as_count(threads)), queue);
}

void launch_vectors(const workload& w, stream queue) {
  gpu::transform(std::identity(), w.source.size(), w.target.data(), queue, w.source.data());
}

}  // namespace ridge::experiments::ch06_launch_configuration
