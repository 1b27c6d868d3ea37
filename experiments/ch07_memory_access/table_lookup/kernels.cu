// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>

#include "table_lookup.hpp"

namespace ridge::experiments::ch07_table_lookup {
namespace {

constexpr unsigned threads = 1024, lanes = 32, most_entries = 256;

struct lookup {
  const float* table;
  const std::uint8_t* code;
  float* sum;
  std::size_t rows, quads;  // groups of four rows whose codes are loaded together
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

// The sum of one row, whose first code is at `code`.
template <class Place>
__device__ float sum_of_row(const Place& table, const std::uint8_t* code, std::size_t rows) {
  float sum = 0;
#pragma unroll
  for (unsigned j = 0; j < codes_of_row; ++j) sum += table[code[j * rows]];
  return sum;
}

// Blocks take groups of rows in turn. Every lane of a warp takes every step, beyond the last row with the
// codes of the last, since lanes may ask one another.
template <class Place>
__global__ void __launch_bounds__(threads) add_entries(lookup l) {
  Place table;
  table.fetch(l);
  const std::size_t step = gridDim.x * std::size_t{threads};
  for (std::size_t first = blockIdx.x * std::size_t{threads}; first < l.quads; first += step) {
    const std::size_t i = first + threadIdx.x, read = i < l.quads ? i : l.quads - 1;
    std::uint32_t four[codes_of_row];
#pragma unroll
    for (unsigned j = 0; j < codes_of_row; ++j) {
      four[j] = reinterpret_cast<const std::uint32_t*>(l.code + j * l.rows)[read];
    }
    float4 sum{};
#pragma unroll
    for (const std::uint32_t c : four) {
      sum = {sum.x + table[c & 0xff], sum.y + table[c >> 8 & 0xff], sum.z + table[c >> 16 & 0xff],
             sum.w + table[c >> 24]};
    }
    if (i < l.quads) reinterpret_cast<float4*>(l.sum)[i] = sum;
  }
  for (std::size_t first = 4 * l.quads + blockIdx.x * std::size_t{threads}; first < l.rows; first += step) {
    const std::size_t i = first + threadIdx.x;
    const float sum = sum_of_row(table, l.code + (i < l.rows ? i : l.rows - 1), l.rows);
    if (i < l.rows) l.sum[i] = sum;
  }
}

// Groups of four rows need every row of codes to begin at a multiple of four bytes.
template <class Place>
void launch_place(const workload& w, stream queue) {
  const auto rows = w.sum.size();
  if (rows == 0) return;
  const bool aligned = rows % 4 == 0 &&
                       reinterpret_cast<std::uintptr_t>(w.code.data()) % sizeof(std::uint32_t) == 0 &&
                       reinterpret_cast<std::uintptr_t>(w.sum.data()) % sizeof(float4) == 0;
  const auto quads = aligned ? rows / 4 : 0;
  const auto resident = gpu::multiprocessors() * 2048 / threads;
  gpu::launch(add_entries<Place>,
              {std::min(gpu::blocks_for(aligned ? quads : rows, threads), resident), threads, 0, queue},
              lookup{w.table.data(), w.code.data(), w.sum.data(), rows, quads, as_unsigned(w.table.size())});
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
