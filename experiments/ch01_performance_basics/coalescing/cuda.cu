// SPDX-License-Identifier: Apache-2.0
#include "coalescing.hpp"

#include <algorithm>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/quads.hpp>

namespace ridge::experiments::ch01_coalescing {
namespace {

constexpr unsigned threads = 256;
// 64 bytes a thread are 128 KiB on the way in a full multiprocessor; 48 KiB are needed to keep memory busy.
constexpr unsigned loads = 4;

unsigned blocks_for(std::size_t n, unsigned each) { return static_cast<unsigned>((n + each - 1) / each); }

// Row y of the grid takes the elements y, y + stride, ...
__global__ void __launch_bounds__(threads)
    copy_strided(const float* source, float* target, std::size_t n, std::size_t stride) {
  const std::size_t i = (blockIdx.x * std::size_t{threads} + threadIdx.x) * stride + blockIdx.y;
  if (i < n) target[i] = source[i];
}

__global__ void __launch_bounds__(threads)
    copy_contiguous(const float* source, float* target, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < n) target[i] = source[i];
}

__global__ void __launch_bounds__(threads) copy_vectors(const float* source, float* target, gpu::quads q) {
  const auto* from = reinterpret_cast<const float4*>(source + q.head);
  auto* to = reinterpret_cast<float4*>(target + q.head);
  const std::size_t first = blockIdx.x * std::size_t{threads * loads} + threadIdx.x;
  if (first + (loads - 1) * threads < q.count) {
    float4 v[loads];
#pragma unroll
    for (unsigned u = 0; u < loads; ++u) v[u] = __ldcs(from + first + u * threads);
#pragma unroll
    for (unsigned u = 0; u < loads; ++u) __stcs(to + first + u * threads, v[u]);
  } else {
    for (std::size_t i = first; i < q.count; i += threads) to[i] = from[i];
  }
  if (blockIdx.x != 0) return;
  for (std::size_t i = threadIdx.x; i < q.singles(); i += threads) target[q.single(i)] = source[q.single(i)];
}

void strided(workload& w, call& c) {
  const auto n = w.source.size(), stride = static_cast<std::size_t>(w.stride);
  if (n == 0) return;
  const dim3 grid(blocks_for((n + stride - 1) / stride, threads), static_cast<unsigned>(stride));
  copy_strided<<<grid, threads, 0, c.queue()>>>(w.source.data(), w.target.data(), n, stride);
  gpu::check_launch("copy_strided");
}

void contiguous(workload& w, call& c) {
  const auto n = w.source.size();
  if (n == 0) return;
  copy_contiguous<<<blocks_for(n, threads), threads, 0, c.queue()>>>(w.source.data(), w.target.data(), n);
  gpu::check_launch("copy_contiguous");
}

void vectorized(workload& w, call& c) {
  if (w.source.empty()) return;
  const auto q = gpu::quads_of(w.source.size(), {w.source.data(), w.target.data()});
  const auto blocks = std::max(1U, blocks_for(q.count, threads * loads));
  copy_vectors<<<blocks, threads, 0, c.queue()>>>(w.source.data(), w.target.data(), q);
  gpu::check_launch("copy_vectors");
}

void with_cuda_memcpy(workload& w, call& c) {
  if (w.source.empty()) return;
  gpu::check(cudaMemcpyAsync(w.target.data(), w.source.data(), w.source.size_bytes(),
                             cudaMemcpyDeviceToDevice, c.queue()),
             "cudaMemcpyAsync within the device");
}

// Memory moves sectors of 32 bytes, 8 words: one is read and one written for each element of a wide stride.
double strided_traffic(const problem& p) {
  const auto touched = std::min(p.real("stride"), 8.0);
  return p.real("elements") * 2 * 4 * touched;
}

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "strided",
       .is = role::baseline,
       .idea = "each lane of a warp touches a sector of its own",
       .run = strided,
       .traffic = strided_traffic},
      {.name = "contiguous",
       .idea = "a warp's lanes share sectors: every byte moved is used",
       .run = contiguous},
      {.name = "vectorized", .idea = "16 bytes a lane, four loads on the way", .run = vectorized},
      {.name = "cuda_memcpy",
       .is = role::comparator,
       .idea = "cudaMemcpyAsync within the device",
       .run = with_cuda_memcpy},
  };
}

}  // namespace ridge::experiments::ch01_coalescing
