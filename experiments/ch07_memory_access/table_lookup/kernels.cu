// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>

#include "table_lookup.hpp"

namespace ridge::experiments::ch07_table_lookup {
namespace {

constexpr unsigned threads = 256, lanes = 32;
constexpr unsigned steps = 8;  // of four codes, of which a thread has all on the way at once
constexpr unsigned most_entries = 256;

struct lookup {
  const float* table;
  const std::uint8_t* code;
  float* value;
  std::size_t n, quads;  // codes, and groups of four of them that are looked up together
  unsigned entries;
};

__constant__ float constant_table[most_entries];

// Where the table is. `fetch` brings it to where it is looked up; all threads of a block call it once.
struct in_global {
  const float* table;
  __device__ void fetch(const lookup& l) { table = l.table; }
  __device__ float operator[](unsigned code) const { return table[code]; }
};
struct in_read_only {
  const float* table;
  __device__ void fetch(const lookup& l) { table = l.table; }
  __device__ float operator[](unsigned code) const { return __ldg(table + code); }
};
struct in_constant {
  __device__ void fetch(const lookup&) {}
  __device__ float operator[](unsigned code) const { return constant_table[code]; }
};
struct in_shared {
  float* table;
  __device__ void fetch(const lookup& l) {
    __shared__ float shared[most_entries];
    table = shared;
    if (threadIdx.x < l.entries) shared[threadIdx.x] = l.table[threadIdx.x];
    __syncthreads();
  }
  __device__ float operator[](unsigned code) const { return table[code]; }
};
// Entry e of lane c is in bank c: no two lanes ever meet in one.
struct in_shared_copies {
  float* table;
  __device__ void fetch(const lookup& l) {
    __shared__ float shared[most_entries * lanes];
    table = shared + threadIdx.x % lanes;
    for (unsigned i = threadIdx.x; i < l.entries * lanes; i += threads) shared[i] = l.table[i / lanes];
    __syncthreads();
  }
  __device__ float operator[](unsigned code) const { return table[code * lanes]; }
};
// Lane e holds entry e. All lanes of a warp look up together.
struct in_registers {
  float entry;
  __device__ void fetch(const lookup& l) { entry = l.table[threadIdx.x % l.entries]; }
  __device__ float operator[](unsigned code) const { return __shfl_sync(~0U, entry, static_cast<int>(code)); }
};

// A block takes tiles of `threads * steps` groups in turn. Every lane of a warp takes every step, with code 0
// where there is nothing to look up, since lanes may ask one another.
template <class Place>
__global__ void __launch_bounds__(threads) look_up(lookup l) {
  Place table;
  table.fetch(l);
  const auto* codes = reinterpret_cast<const std::uint32_t*>(l.code);
  auto* values = reinterpret_cast<float4*>(l.value);
  const std::size_t tile = threads * steps;
  for (std::size_t first = blockIdx.x * tile; first < l.quads; first += gridDim.x * tile) {
    std::uint32_t four[steps];
#pragma unroll
    for (unsigned u = 0; u < steps; ++u) {
      const std::size_t i = first + u * threads + threadIdx.x;
      four[u] = i < l.quads ? __ldcs(codes + i) : 0;
    }
#pragma unroll
    for (unsigned u = 0; u < steps; ++u) {
      const std::size_t i = first + u * threads + threadIdx.x;
      const std::uint32_t c = four[u];
      const float4 v = {table[c & 0xff], table[c >> 8 & 0xff], table[c >> 16 & 0xff], table[c >> 24]};
      if (i < l.quads) __stcs(values + i, v);
    }
  }
  if (blockIdx.x != 0) return;
  for (std::size_t first = 4 * l.quads; first < l.n; first += threads) {
    const std::size_t i = first + threadIdx.x;
    const float v = table[i < l.n ? l.code[i] : 0];
    if (i < l.n) l.value[i] = v;
  }
}

unsigned multiprocessors() {
  int device = 0, count = 0;
  gpu::check(cudaGetDevice(&device), "cudaGetDevice");
  gpu::check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device),
             "cudaDeviceGetAttribute");
  return as_unsigned(as_count(count));
}

template <class Place>
void launch_place(const workload& w, stream queue) {
  const auto n = w.code.size();
  if (n == 0) return;
  const bool aligned = reinterpret_cast<std::uintptr_t>(w.code.data()) % sizeof(std::uint32_t) == 0 &&
                       reinterpret_cast<std::uintptr_t>(w.value.data()) % sizeof(float4) == 0;
  const auto quads = aligned ? n / 4 : 0;
  const auto resident = multiprocessors() * 2048 / threads;
  gpu::launch(look_up<Place>,
              {std::clamp(gpu::blocks_for(quads, threads * steps), 1U, resident), threads, 0, queue},
              lookup{w.table.data(), w.code.data(), w.value.data(), n, quads, as_unsigned(w.table.size())});
}

}  // namespace

void launch_global(const workload& w, stream queue) { launch_place<in_global>(w, queue); }
void launch_read_only(const workload& w, stream queue) { launch_place<in_read_only>(w, queue); }
void launch_constant(const workload& w, stream queue) {
  gpu::check(cudaMemcpyToSymbolAsync(constant_table, w.table.data(), w.table.size_bytes(), 0,
                                     cudaMemcpyDeviceToDevice, queue),
             "cudaMemcpyToSymbolAsync of the table");
  launch_place<in_constant>(w, queue);
}
void launch_shared(const workload& w, stream queue) { launch_place<in_shared>(w, queue); }
void launch_shared_copies(const workload& w, stream queue) { launch_place<in_shared_copies>(w, queue); }
void launch_registers(const workload& w, stream queue) { launch_place<in_registers>(w, queue); }

}  // namespace ridge::experiments::ch07_table_lookup
