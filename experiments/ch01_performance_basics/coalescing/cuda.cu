// SPDX-License-Identifier: Apache-2.0
#include "coalescing.hpp"

#include <ridge/gpu/check.hpp>

namespace ridge::experiments::ch01_coalescing {
namespace {

constexpr unsigned threads = 256;

__global__ void copy_contiguous(const float* source, float* target, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < n) target[i] = source[i];
}

unsigned blocks_for(std::size_t n) { return static_cast<unsigned>((n + threads - 1) / threads); }

void contiguous(workload& w, call& c) {
  const auto n = w.source.size();
  if (n == 0) return;
  copy_contiguous<<<blocks_for(n), threads, 0, c.queue()>>>(w.source.data(), w.target.data(), n);
  gpu::check_launch("copy_contiguous");
}

}  // namespace

ladder<workload> cuda() {
  return {{.name = "contiguous",
           .is = role::baseline,
           .idea = "neighbouring lanes read neighbouring words",
           .run = contiguous}};
}

}  // namespace ridge::experiments::ch01_coalescing
