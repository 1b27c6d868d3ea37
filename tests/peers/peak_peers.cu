// SPDX-License-Identifier: Apache-2.0
#include "peak_peers.cuh"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include <cuda_runtime.h>
#include <cub/device/device_reduce.cuh>

#include <ridge/gpu/check.hpp>

namespace peers {
namespace {

using ridge::gpu::check;
using ridge::gpu::check_launch;

constexpr int timings = 9;
constexpr unsigned stream_threads = 1024;

struct release {
  void operator()(void* memory) const { (void)cudaFree(memory); }
};
template <class T>
using device_array = std::unique_ptr<T, release>;

template <class T>
device_array<T> new_array(std::size_t count) {
  void* at = nullptr;
  check(cudaMalloc(&at, count * sizeof(T)), "cudaMalloc of a peer's array");
  return device_array<T>(static_cast<T*>(at));
}

__global__ void fill_unlike(double* target, std::size_t count) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < count) target[i] = static_cast<double>((i * 2654435761u) % 1000003u) * 1e-6;
}

__global__ void copy_each(const double* a, double* c) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  c[i] = a[i];
}

__global__ void triad_each(double* a, const double* b, const double* c) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  a[i] = b[i] + 0.4 * c[i];
}

__global__ void dot_of_block(const double* a, const double* b, double* sums, std::size_t count) {
  __shared__ double part[stream_threads];
  double sum = 0;
  for (std::size_t i = blockIdx.x * std::size_t{stream_threads} + threadIdx.x; i < count;
       i += gridDim.x * std::size_t{stream_threads})
    sum += a[i] * b[i];
  part[threadIdx.x] = sum;
  for (unsigned half = stream_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

device_array<double> filled(std::size_t count) {
  auto made = new_array<double>(count);
  fill_unlike<<<static_cast<unsigned>((count + 255) / 256), 256>>>(made.get(), count);
  check_launch("fill_unlike");
  return made;
}

constexpr unsigned piece_steps = 64;

__global__ void __launch_bounds__(stream_threads)
    read_piece(const double* source, double* sums, unsigned pieces) {
  const double* at = source + std::size_t{blockIdx.x % pieces} * stream_threads * piece_steps + threadIdx.x;
  double sum = 0;
#pragma unroll
  for (unsigned i = 0; i < piece_steps; ++i) sum += at[i * stream_threads];
  if (sum == 1.2345) sums[threadIdx.x] = sum;
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + timings / 2);
  return values[timings / 2];
}

// The median seconds of one `enqueue`, timed between events in groups, after one untimed.
double seconds_of(const std::function<void()>& enqueue, int a_group) {
  cudaEvent_t from = nullptr, to = nullptr;
  check(cudaEventCreate(&from), "cudaEventCreate");
  check(cudaEventCreate(&to), "cudaEventCreate");
  enqueue();
  std::vector<double> seen;
  for (int i = 0; i < timings; ++i) {
    check(cudaEventRecord(from), "cudaEventRecord");
    for (int k = 0; k < a_group; ++k) enqueue();
    check(cudaEventRecord(to), "cudaEventRecord");
    check(cudaEventSynchronize(to), "cudaEventSynchronize");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, from, to), "cudaEventElapsedTime");
    seen.push_back(1e-3 * static_cast<double>(milliseconds) / a_group);
  }
  (void)cudaEventDestroy(from);
  (void)cudaEventDestroy(to);
  return median(std::move(seen));
}

int group_for(std::size_t bytes) {
  return static_cast<int>(std::max<std::size_t>(1, (std::size_t{8} << 30) / bytes));
}

constexpr unsigned line_bytes = 128, unrolled = 32;

__global__ void chase_lines(std::int64_t** start, unsigned steps, std::int64_t** end) {
  auto** at = start;
  for (unsigned i = 0; i < steps; i += unrolled) {
#pragma unroll
    for (unsigned k = 0; k < unrolled; ++k) at = reinterpret_cast<std::int64_t**>(*at);
  }
  *end = reinterpret_cast<std::int64_t*>(at);
}

// Lines whose first words point to the next line of one random cycle.
std::vector<std::int64_t> cycle_of(std::size_t lines, std::int64_t base) {
  std::vector<std::size_t> order(lines);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64(7));
  constexpr std::size_t words = line_bytes / sizeof(std::int64_t);
  std::vector<std::int64_t> memory(lines * words);
  for (std::size_t i = 0; i < lines; ++i)
    memory[order[i] * words] = base + static_cast<std::int64_t>(order[(i + 1) % lines] * line_bytes);
  return memory;
}

}  // namespace

double cub_sum(std::size_t bytes) {
  const auto count = bytes / sizeof(float);
  const auto from = filled(bytes / sizeof(double));
  const auto* in = reinterpret_cast<const float*>(from.get());
  const auto out = new_array<float>(1);
  std::size_t scratch_bytes = 0;
  check(cub::DeviceReduce::Sum(nullptr, scratch_bytes, in, out.get(), static_cast<std::int64_t>(count)),
        "cub size");
  const auto scratch = new_array<char>(scratch_bytes);
  return static_cast<double>(bytes) /
         seconds_of(
             [&] {
               check(cub::DeviceReduce::Sum(scratch.get(), scratch_bytes, in, out.get(),
                                            static_cast<std::int64_t>(count)),
                     "cub::DeviceReduce::Sum");
             },
             group_for(bytes));
}

double stream_copy(std::size_t bytes) {
  const auto count = bytes / sizeof(double);
  const auto a = filled(count), c = new_array<double>(count);
  const auto blocks = static_cast<unsigned>(count / stream_threads);
  return 2 * static_cast<double>(bytes) /
         seconds_of([&] { copy_each<<<blocks, stream_threads>>>(a.get(), c.get()); }, group_for(bytes));
}

double stream_triad(std::size_t bytes) {
  const auto count = bytes / sizeof(double);
  const auto a = new_array<double>(count), b = filled(count), c = filled(count);
  const auto blocks = static_cast<unsigned>(count / stream_threads);
  return 3 * static_cast<double>(bytes) /
         seconds_of([&] { triad_each<<<blocks, stream_threads>>>(a.get(), b.get(), c.get()); },
                    group_for(bytes));
}

double stream_dot(std::size_t bytes) {
  const auto count = bytes / sizeof(double);
  const auto a = filled(count), b = filled(count), sums = new_array<double>(1024);
  int processors = 0;
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), "cudaDeviceGetAttribute");
  const auto blocks = static_cast<unsigned>(processors) * 4;
  return 2 * static_cast<double>(bytes) /
         seconds_of([&] { dot_of_block<<<blocks, stream_threads>>>(a.get(), b.get(), sums.get(), count); },
                    group_for(bytes));
}

double driver_copy(std::size_t bytes) {
  const auto a = filled(bytes / sizeof(double)), c = new_array<double>(bytes / sizeof(double));
  return 2 * static_cast<double>(bytes) /
         seconds_of(
             [&] {
               check(cudaMemcpyAsync(c.get(), a.get(), bytes, cudaMemcpyDeviceToDevice), "cudaMemcpyAsync");
             },
             group_for(bytes));
}

double driver_fill(std::size_t bytes) {
  const auto c = new_array<double>(bytes / sizeof(double));
  return static_cast<double>(bytes) /
         seconds_of([&] { check(cudaMemsetAsync(c.get(), 0x5a, bytes), "cudaMemsetAsync"); },
                    group_for(bytes));
}

double pieces_of_the_cache(std::size_t bytes) {
  constexpr std::size_t piece_bytes = std::size_t{stream_threads} * piece_steps * sizeof(double);
  const auto pieces = static_cast<unsigned>(std::max<std::size_t>(1, bytes / piece_bytes));
  constexpr unsigned blocks = 20000;
  const auto a = filled(pieces * piece_bytes / sizeof(double)), sums = new_array<double>(stream_threads);
  return static_cast<double>(blocks) * piece_bytes /
         seconds_of([&] { read_piece<<<blocks, stream_threads>>>(a.get(), sums.get(), pieces); }, 1);
}

// Each timing continues where the last one ended, so that a cycle longer than the L2 is never found in it.
// The time of a launch and of the misses in its first steps is a hundredth of the time of so many steps.
double chase(std::size_t bytes) {
  const auto lines = bytes / line_bytes;
  const auto memory = new_array<std::int64_t>(bytes / sizeof(std::int64_t));
  const auto end = new_array<std::int64_t*>(1);
  const auto cycle = cycle_of(lines, reinterpret_cast<std::int64_t>(memory.get()));
  check(cudaMemcpy(memory.get(), cycle.data(), lines * line_bytes, cudaMemcpyHostToDevice),
        "cudaMemcpy of a cycle");
  constexpr unsigned steps = 1u << 17;
  auto** start = reinterpret_cast<std::int64_t**>(memory.get());
  const auto go_on = [&] {
    chase_lines<<<1, 1>>>(start, steps, end.get());
    check_launch("chase_lines");
    check(cudaMemcpyAsync(&start, end.get(), sizeof(start), cudaMemcpyDeviceToHost), "cudaMemcpy of the end");
  };
  return seconds_of(go_on, 1) / steps;
}

}  // namespace peers
