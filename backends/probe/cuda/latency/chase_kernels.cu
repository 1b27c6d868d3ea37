// SPDX-License-Identifier: Apache-2.0
#include "latency/chase_kernels.cuh"

#include <array>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/ptx/special_registers.cuh>

namespace ridge::backends::probe_cuda {
namespace {

constexpr unsigned shared_words = 1024, constant_words = 256;

__host__ __device__ unsigned bits_of(std::uint64_t count) {
  unsigned bits = 1;
  while (bits < 33 && (std::uint64_t{1} << bits) < count) ++bits;
  return bits;
}

// Every step is invertible, so that the whole is a bijection of `bits` bits.
__host__ __device__ std::uint64_t mixed_within(std::uint64_t x, unsigned bits) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  const unsigned half = (bits + 1) / 2;
  x = (x * 0x9E3779B97F4A7C15u + 0x632BE59BD9B4E019u) & mask;
  x ^= x >> half;
  x = (x * 0xBF58476D1CE4E5B9u) & mask;
  x ^= x >> half;
  x = (x * 0x94D049BB133111EBu) & mask;
  return x ^ x >> half;
}

// The cycle of a bijection returns to k, which is below count, so that the loop ends.
__host__ __device__ std::uint64_t place(std::uint64_t k, std::uint64_t count) {
  const unsigned bits = bits_of(count);
  std::uint64_t at = mixed_within(k, bits);
  while (at >= count) at = mixed_within(at, bits);
  return at;
}

__global__ void make_cycle_kernel(char* array, std::uint64_t lines) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; k < lines; k += step) {
    const auto next = place(k + 1 < lines ? k + 1 : 0, lines);
    *reinterpret_cast<std::uint64_t*>(array + place(k, lines) * line_bytes) =
        reinterpret_cast<std::uint64_t>(array + next * line_bytes);
  }
}

template <class Place, class Next>
__device__ Place followed(Place place, std::uint64_t loads, Next next) {
  for (std::uint64_t i = 0; i < loads; i += unrolled) {
#pragma unroll
    for (unsigned u = 0; u < unrolled; ++u) place = next(place);
  }
  return place;
}

// Follows `loads` links from `place` on, where next(place) is the next place, and writes the result with the
// times.
template <class Place, class Next>
__device__ void timed_chase(Place place, std::uint64_t loads, chase_result* result, Next next) {
  const auto start_ns = gpu::ptx::globaltimer();
  const auto start = gpu::ptx::clock64();
  place = followed(place, loads, next);
  if (place == static_cast<Place>(-1))
    result->place = 1;  // never happens; makes the clock be read after the last load
  const auto cycles = gpu::ptx::clock64() - start;
  const auto ns = gpu::ptx::globaltimer() - start_ns;
  *result = {place, cycles, ns};
}

__global__ void __launch_bounds__(32, 1)
    chase_kernel(const void* first, std::uint64_t before, std::uint64_t loads, chase_result* result) {
  const auto next_of = [](std::uint64_t address) {
    std::uint64_t next;
    asm volatile("ld.global.u64 %0, [%1];" : "=l"(next) : "l"(address));
    return next;
  };
  timed_chase(followed(reinterpret_cast<std::uint64_t>(first), before, next_of), loads, result, next_of);
}

__global__ void __launch_bounds__(32, 1) chase_in_shared_kernel(std::uint64_t loads, chase_result* result) {
  __shared__ std::uint32_t words[shared_words];
  const auto base = gpu::ptx::shared_address(words);
#pragma unroll 1
  for (unsigned k = 0; k < shared_words; ++k)
    words[place(k, shared_words)] =
        base + 4 * static_cast<std::uint32_t>(place((k + 1) % shared_words, shared_words));
  __threadfence_block();
  timed_chase(base, loads, result, [](std::uint32_t address) {
    std::uint32_t next;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(next) : "r"(address) : "memory");
    return next;
  });
  result->place -= base;
}

__constant__ std::uint32_t constant_cycle[constant_words];

__global__ void __launch_bounds__(32, 1) chase_in_constant_kernel(std::uint64_t loads, chase_result* result) {
  timed_chase(std::uint32_t{0}, loads, result, [](std::uint32_t address) {
    return *reinterpret_cast<const std::uint32_t*>(reinterpret_cast<const char*>(constant_cycle) + address);
  });
}

}  // namespace

std::uint64_t place_in_order(std::uint64_t k, std::uint64_t count) { return place(k, count); }

void make_cycle(void* array, std::size_t bytes, cudaStream_t stream) {
  gpu::launch(make_cycle_kernel, {1024, 256, 0, stream}, static_cast<char*>(array), bytes / line_bytes);
}

void chase(const void* first, std::uint64_t before, std::uint64_t loads, chase_result* result,
           cudaStream_t stream) {
  gpu::check(cudaFuncSetAttribute(chase_kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                  cudaSharedmemCarveoutMaxL1),
             "cudaFuncSetAttribute of the first-level cache");
  gpu::launch(chase_kernel, {1, 1, 0, stream}, first, before, loads, result);
}

void chase_in_shared(std::uint64_t loads, chase_result* result, cudaStream_t stream) {
  gpu::launch(chase_in_shared_kernel, {1, 1, 0, stream}, loads, result);
}

void chase_in_constant(std::uint64_t loads, chase_result* result, cudaStream_t stream) {
  std::array<std::uint32_t, constant_words> cycle{};
  for (std::uint64_t k = 0; k < constant_words; ++k)
    cycle[place(k, constant_words)] =
        4 * static_cast<std::uint32_t>(place((k + 1) % constant_words, constant_words));
  gpu::check(cudaMemcpyToSymbol(constant_cycle, cycle.data(), sizeof cycle), "cudaMemcpyToSymbol of a cycle");
  gpu::launch(chase_in_constant_kernel, {1, 1, 0, stream}, loads, result);
}

}  // namespace ridge::backends::probe_cuda
