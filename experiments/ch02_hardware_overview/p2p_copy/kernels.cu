// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <ridge/gpu/launch.cuh>

#include "p2p_copy.hpp"

namespace ridge::experiments::ch02_p2p_copy {
namespace {

constexpr unsigned threads = 512,
                   most_blocks = 1024;  // enough in flight for the link, and no more tails than that
constexpr std::size_t unrolled = 4;

// Copies elements of 4 or 16 bytes; each thread has four in flight before it stores the first.
template <class Element>
__global__ void copy_elements(const Element* source, Element* target, std::size_t count) {
  const std::size_t step = std::size_t{gridDim.x} * threads;
  std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  for (; i + (unrolled - 1) * step < count; i += unrolled * step) {
    Element held[unrolled];
#pragma unroll
    for (std::size_t k = 0; k < unrolled; ++k) held[k] = source[i + k * step];
#pragma unroll
    for (std::size_t k = 0; k < unrolled; ++k) target[i + k * step] = held[k];
  }
  for (; i < count; i += step) target[i] = source[i];
}

template <class Element>
void enqueue(const Element* source, Element* target, std::size_t count, cudaStream_t stream) {
  if (count == 0) return;
  const auto blocks = std::min(gpu::blocks_for(count, threads), most_blocks);
  gpu::launch(copy_elements<Element>, {blocks, threads, 0, stream}, source, target, count);
}

bool at_sixteen_bytes(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory) % sizeof(float4) == 0;
}

}  // namespace

void launch_copy(input<float> source, output<float> target, stream queue) {
  const float* const first = source.data();
  float* const into = target.data();
  const bool whole = at_sixteen_bytes(first) && at_sixteen_bytes(into);
  const std::size_t vectors = whole ? source.size() / 4 : 0;
  enqueue(reinterpret_cast<const float4*>(first), reinterpret_cast<float4*>(into), vectors, queue);
  enqueue(first + 4 * vectors, into + 4 * vectors, source.size() - 4 * vectors, queue);
}

}  // namespace ridge::experiments::ch02_p2p_copy
