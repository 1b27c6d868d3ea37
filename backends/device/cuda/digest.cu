// SPDX-License-Identifier: Apache-2.0
#include "digest.hpp"

#include <ridge/device/digest_step.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>

namespace ridge::backends::device_cuda {
namespace {

constexpr unsigned threads = device::digest_lanes;  // a warp, and a chunk, a block
constexpr unsigned in_flight = 16;                  // loads of a lane before their first use
constexpr std::uint64_t word_bytes = sizeof(std::uint64_t);
constexpr std::uint64_t stripe_bytes = device::digest_lanes * word_bytes;

__device__ std::uint64_t word_of_bytes(const std::byte* source, std::uint64_t bytes) {
  std::uint64_t word = 0;
  for (std::uint64_t i = 0; i < bytes && i < word_bytes; ++i) {
    word |= static_cast<std::uint64_t>(source[i]) << (8 * i);
  }
  return word;
}

template <bool Aligned>
__device__ std::uint64_t word_at(const std::byte* source) {
  if constexpr (Aligned)
    return __ldg(reinterpret_cast<const unsigned long long*>(source));
  else
    return word_of_bytes(source, word_bytes);
}

// A lane's state after its word of every stripe, the first of them at `source`.
template <bool Aligned>
__device__ std::uint64_t absorbed(std::uint64_t state, const std::byte* source, std::uint64_t stripes) {
  std::uint64_t s = 0;
  for (; s + in_flight <= stripes; s += in_flight, source += in_flight * stripe_bytes) {
    std::uint64_t word[in_flight];
#pragma unroll
    for (unsigned i = 0; i < in_flight; ++i) word[i] = word_at<Aligned>(source + i * stripe_bytes);
#pragma unroll
    for (unsigned i = 0; i < in_flight; ++i) state = device::digest_step(state, word[i]);
  }
  for (; s < stripes; ++s, source += stripe_bytes)
    state = device::digest_step(state, word_at<Aligned>(source));
  return state;
}

template <bool Aligned>
__global__ void __launch_bounds__(threads)
    digest_chunks(const std::byte* source, std::uint64_t size, unsigned long long* sum) {
  const std::uint64_t chunk = blockIdx.x, lane = threadIdx.x;
  const std::uint64_t begin = chunk * device::digest_chunk_bytes, left = size - begin;
  const std::uint64_t bytes = left < device::digest_chunk_bytes ? left : device::digest_chunk_bytes;
  const std::uint64_t whole = bytes / stripe_bytes * stripe_bytes, own = lane * word_bytes;
  std::uint64_t state =
      absorbed<Aligned>(device::digest_place(lane), source + begin + own, bytes / stripe_bytes);
  if (whole < bytes) {
    const std::uint64_t at = whole + own;
    state = device::digest_step(state, at < bytes ? word_of_bytes(source + begin + at, bytes - at) : 0);
  }
  std::uint64_t total = device::digest_mixed(state ^ device::digest_place(lane));
  for (int far = 16; far > 0; far /= 2) total += __shfl_xor_sync(0xFFFFFFFFu, total, far);
  if (lane == 0) atomicAdd(sum, device::digest_mixed(total ^ device::digest_place(chunk)));
}

}  // namespace

void sum_of_chunks(std::span<const std::byte> source, std::uint64_t* sum, cudaStream_t queue) {
  gpu::check(cudaMemsetAsync(sum, 0, sizeof *sum, queue), "cudaMemsetAsync of a digest");
  if (source.empty()) return;
  constexpr std::size_t chunk_bytes = device::digest_chunk_bytes;
  const auto blocks = gpu::blocks_for(source.size(), chunk_bytes);
  const bool aligned = reinterpret_cast<std::uintptr_t>(source.data()) % word_bytes == 0;
  const auto kernel = aligned ? digest_chunks<true> : digest_chunks<false>;
  auto* total = reinterpret_cast<unsigned long long*>(sum);
  gpu::launch(kernel, {blocks, threads, 0, queue}, source.data(), source.size(), total);
}

}  // namespace ridge::backends::device_cuda
