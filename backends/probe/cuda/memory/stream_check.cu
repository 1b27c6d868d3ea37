// SPDX-License-Identifier: Apache-2.0
#include "memory/stream_check.cuh"

#include <string>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>

#include "memory/stream_access.cuh"

namespace ridge::backends::probe_cuda {
namespace {

constexpr unsigned blocks = 1024, threads = 256;

__device__ std::size_t first() { return blockIdx.x * std::size_t{threads} + threadIdx.x; }
__device__ std::size_t step() { return gridDim.x * std::size_t{threads}; }

__global__ void fill_kernel(std::uint32_t* target, std::size_t words, std::uint32_t seed) {
  for (std::size_t i = first(); i < words; i += step()) {
    const auto bits = mixed(static_cast<std::uint32_t>(i) ^ seed);
    target[i] = __float_as_uint(__uint_as_float(0x3f800000u | (bits & 0x7fffffu)) - 1.5f);
  }
}

__global__ void sum_kernel(const std::uint32_t* source, std::size_t words, std::uint32_t* sum) {
  std::uint32_t own = 0;
  for (std::size_t i = first(); i < words; i += step()) own += source[i];
  own = __reduce_add_sync(0xffffffffu, own);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, own);
}

__device__ std::uint32_t expected(traffic kind, const stream_arrays& arrays, std::size_t i) {
  const auto a = [&] { return reinterpret_cast<const std::uint32_t*>(arrays.a)[i]; };
  if (kind == traffic::write) return written_word(i);
  if (kind == traffic::copy) return a();
  return triad_word(a(), reinterpret_cast<const std::uint32_t*>(arrays.b)[i], triad_factor);
}

__global__ void count_wrong(traffic kind, stream_arrays arrays, std::uint32_t* wrong) {
  std::uint32_t own = 0;
  for (std::size_t i = first(); i < arrays.bytes / 4; i += step())
    own += reinterpret_cast<const std::uint32_t*>(arrays.target)[i] != expected(kind, arrays, i);
  own = __reduce_add_sync(0xffffffffu, own);
  if (threadIdx.x % 32 == 0 && own > 0) atomicAdd(wrong, own);
}

void clear(std::uint32_t* scratch) {
  gpu::check(cudaMemset(scratch, 0, sizeof *scratch), "cudaMemset of a word");
}

std::uint32_t value(const std::uint32_t* scratch) {
  std::uint32_t word = 0;
  gpu::check(cudaMemcpy(&word, scratch, sizeof word, cudaMemcpyDeviceToHost), "cudaMemcpy of a word");
  return word;
}

void verify_sums(const stream_variant& v, const stream_arrays& arrays, int processors,
                 std::uint32_t* scratch) {
  gpu::check(cudaMemset(arrays.sums, 0, 4 * sums_words), "cudaMemset of the sums");
  v.launch(v, arrays, processors, nullptr);
  if (sum_of_words(arrays.sums, sums_words, scratch) == sum_of_words(arrays.a, arrays.bytes / 4, scratch))
    return;
  throw failure({"the kernel \"" + name(v) + "\" read a wrong sum", "check the GPU's memory"});
}

}  // namespace

void fill_random(void* target, std::size_t bytes, std::uint32_t seed, cudaStream_t stream) {
  gpu::launch(fill_kernel, {blocks, threads, 0, stream}, static_cast<std::uint32_t*>(target), bytes / 4,
              seed);
}

std::uint32_t sum_of_words(const void* source, std::size_t words, std::uint32_t* scratch) {
  clear(scratch);
  gpu::launch(sum_kernel, {blocks, threads}, static_cast<const std::uint32_t*>(source), words, scratch);
  return value(scratch);
}

void verify(const stream_variant& v, traffic kind, const stream_arrays& arrays, int processors,
            std::uint32_t* scratch) {
  if (kind == traffic::read) return verify_sums(v, arrays, processors, scratch);
  gpu::check(cudaMemset(arrays.target, 0xff, arrays.bytes), "cudaMemset of the probe's array");
  v.launch(v, arrays, processors, nullptr);
  clear(scratch);
  gpu::launch(count_wrong, {blocks, threads}, kind, arrays, scratch);
  if (const auto wrong = value(scratch); wrong > 0)
    throw failure({"the kernel \"" + name(v) + "\" left " + std::to_string(wrong) + " wrong words",
                   "check the GPU's memory"});
}

}  // namespace ridge::backends::probe_cuda
