// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/kernel_launch.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/cluster.cuh>
#include <ridge/gpu/ptx/load_once.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/quads.hpp>

#include "select.cuh"
#include "topk_radix.hpp"

namespace ridge::experiments::ch08_topk_radix {
namespace {

struct row_of_values {
  const float* values;
  float* largest;
  unsigned columns, k;
};

__device__ row_of_values row_at(const float* values, float* largest, unsigned columns, unsigned k,
                                unsigned row) {
  return {values + std::size_t{row} * columns, largest + std::size_t{row} * k, columns, k};
}

// Calls visit(value as ordered bits) for all values of the row, each in one thread; four at a time where the
// row begins at 16 bytes.
template <class Visit>
__device__ void for_each_value(const row_of_values& row, Visit visit) {
  const bool aligned = reinterpret_cast<std::size_t>(row.values) % sizeof(float4) == 0;
  const unsigned quads = aligned ? row.columns / 4 : 0;
#pragma unroll 4
  for (unsigned i = threadIdx.x; i < quads; i += threads) {
    const float4 v = __ldg(reinterpret_cast<const float4*>(row.values) + i);
    visit(ordered(v.x)), visit(ordered(v.y)), visit(ordered(v.z)), visit(ordered(v.w));
  }
  for (unsigned i = 4 * quads + threadIdx.x; i < row.columns; i += threads) visit(ordered(row.values[i]));
}

// The k largest of a row by as many passes over it as digits are needed until few candidates remain, and one
// that collects them.
__device__ void select_by_digits(const row_of_values& row, std::uint32_t* candidates) {
  __shared__ std::uint32_t histogram[bins];
  __shared__ unsigned collected;
  std::uint32_t prefix = 0;  // the digits of the k-th largest that are known
  unsigned shift = 32, above = 0, inside = row.columns;
  while (shift > 0 && above + inside > most_candidates) {
    const unsigned bits = min(digit, shift), low = shift - bits;
    clear(histogram);
    for_each_value(row, [&](std::uint32_t value) {
      if (shift == 32 || value >> shift == prefix)
        atomicAdd(histogram + (value >> low & ((1U << bits) - 1)), 1);
    });
    __syncthreads();
    const auto found = find_bin(histogram, row.k - above);
    prefix = prefix << bits | found.bin, shift = low;
    above += found.above, inside = found.inside;
    __syncthreads();  // the histogram has been read
  }
  // Where too many are equal to the k-th largest, those above it are collected, fewer than k.
  const bool ties = above + inside > most_candidates;
  const std::uint32_t kth = shift == 32 ? 0 : prefix << shift, least = ties ? kth + 1 : kth;
  if (threadIdx.x == 0) collected = 0;
  __syncthreads();
  for_each_value(row, [&](std::uint32_t value) {
    if (value >= least) candidates[atomicAdd(&collected, 1)] = value;
  });
  __syncthreads();
  const unsigned count = collected;
  sort_descending(candidates, count);
  for (unsigned i = threadIdx.x; i < row.k; i += threads)
    row.largest[i] = value_of(i < count ? candidates[i] : kth);
}

__global__ void __launch_bounds__(threads, 1)
    radix_select(const float* values, float* largest, unsigned columns, unsigned k) {
  __shared__ std::uint32_t candidates[most_candidates];
  select_by_digits(row_at(values, largest, columns, k, blockIdx.x), candidates);
}

constexpr unsigned loads = 4;                      // of 16 bytes, issued together: a batch
constexpr unsigned reach = 16;                     // a thread's list has room for so many
constexpr unsigned sampled = threads * loads * 4;  // values of the first batch
constexpr std::size_t shared_bytes = std::size_t{reach} * threads * sizeof(float);

#if __CUDA_ARCH__ >= 900
namespace ptx = gpu::ptx;

// A block's part of a row, of which its threads take batch after batch.
struct part_of_row {
  const float4* source;  // this thread's next quad
  int left;              // quads of the block from here on
  struct batch {
    float4 v[loads];
  };
  __device__ bool ended() const { return left <= 0; }
  // Where the part has ended: minus infinity, which no bound above it lets through.
  __device__ batch load() {
    batch made;
#pragma unroll
    for (unsigned u = 0; u < loads; ++u)
      made.v[u] = static_cast<int>(threadIdx.x) < left - static_cast<int>(u * threads)
                      ? ptx::ld_global_nc_once(source + u * threads)
                      : float4{-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    source += loads * threads, left -= static_cast<int>(loads * threads);
    return made;
  }
};

__device__ float most_of(float4 v) { return fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)); }

// A bound below the k-th largest of the row, very probably and not by much, from the part's first batch: as
// many threads' largest values reach it as the sample should hold of the k largest, and five standard
// deviations more.
__device__ std::uint32_t bound_of(const part_of_row::batch& sample, unsigned columns, unsigned k,
                                  std::uint32_t (&histogram)[bins]) {
  clear(histogram);
  float most = most_of(sample.v[0]);
#pragma unroll
  for (unsigned u = 1; u < loads; ++u) most = fmaxf(most, most_of(sample.v[u]));
  atomicAdd(histogram + (ordered(most) >> (32 - digit)), 1);
  __syncthreads();
  const float expected = static_cast<float>(k) * sampled / columns;
  const unsigned rank = min(threads, static_cast<unsigned>(expected + 5 * sqrtf(expected)) + 8);
  const auto found = find_bin(histogram, rank);
  // As if the bin's values were spread evenly. What the highest bin's end overflows by, the step takes away.
  static_assert(std::uint64_t{threads} << (32 - digit) <= 0xFFFFFFFF, "the quotient needs no 64 bits");
  const std::uint32_t step = ((rank - found.above) << (32 - digit)) / found.inside;
  return ((found.bin + 1) << (32 - digit)) - step;
}

// A thread's values that reach the bound; they lie `threads` apart.
struct list_of_thread {
  float* values;
  unsigned count = 0;  // beyond `reach` nothing was stored
  __device__ void keep(const part_of_row::batch& batch, float bound) {
#pragma unroll
    for (const float4& four : batch.v) {
      if (most_of(four) < bound) continue;
      const float each[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
      for (const float value : each) {
        if (value < bound) continue;
        if (count < reach) values[count * threads] = value;
        ++count;
      }
    }
  }
};

__device__ list_of_thread values_that_reach(float bound, part_of_row& part, part_of_row::batch now,
                                            part_of_row::batch next, float* lists) {
  list_of_thread list{lists + threadIdx.x};
  while (!part.ended()) {
    list.keep(now, bound);
    now = next, next = part.load();
  }
  list.keep(now, bound), list.keep(next, bound);
  return list;
}

__device__ void cluster_barrier() {
  __syncwarp();
  ptx::barrier_cluster_arrive_release(), ptx::barrier_cluster_wait_acquire();
}
#endif

template <unsigned Blocks>
__global__ void __launch_bounds__(threads, 1)
    cluster_select([[maybe_unused]] const float* values, [[maybe_unused]] float* largest,
                   [[maybe_unused]] unsigned columns, [[maybe_unused]] unsigned k) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ float lists[];
  __shared__ std::uint32_t candidates[most_candidates], histogram[bins], bounds[Blocks];
  __shared__ unsigned gathered, failed, place;
  const unsigned rank = blockIdx.x % Blocks, length = columns / Blocks;
  const auto row = row_at(values, largest, columns, k, blockIdx.x / Blocks);
  part_of_row part{reinterpret_cast<const float4*>(row.values + rank * length) + threadIdx.x,
                   static_cast<int>(length / 4)};
  if (threadIdx.x == 0) gathered = 0, failed = 0;
  const auto first = part.load(), second = part.load();
  const auto bound = bound_of(first, columns, k, histogram);
  const auto list = values_that_reach(value_of(bound), part, first, second, lists);
  // The first block of the cluster gathers what all have kept.
  const unsigned kept = min(list.count, reach);
  unsigned total;
  const unsigned before = before_thread(kept, total);
  cluster_barrier();
  const auto in_first = [](const void* shared) {
    return ptx::mapa_shared_cluster(ptx::shared_address(shared), 0);
  };
  if (threadIdx.x == 0) {
    place = ptx::atom_shared_cluster_add_u32(in_first(&gathered), total);
    ptx::st_shared_cluster_u32(in_first(bounds + rank), bound);
  }
  if (list.count > reach) ptx::st_shared_cluster_u32(in_first(&failed), 1);
  __syncthreads();
  for (unsigned i = 0; i < kept && place + before + i < most_candidates; ++i)
    ptx::st_shared_cluster_u32(in_first(candidates + place + before + i), ordered(list.values[i * threads]));
  cluster_barrier();
  if (rank != 0) return;
  const unsigned count = gathered;
  bool right = failed == 0 && count >= k && count <= most_candidates;
  if (right) {
    sort_descending(candidates, count);
    for (const auto b : bounds) right = right && candidates[k - 1] >= b;
  }
  // Where a bound was too high or a list too short, the row is read again.
  if (!right) return select_by_digits(row, candidates);
  for (unsigned i = threadIdx.x; i < k; i += threads) row.largest[i] = value_of(candidates[i]);
#endif
}

template <unsigned Blocks>
void launch_clusters(const workload& w, stream queue) {
  gpu::allow_dynamic_shared_memory(cluster_select<Blocks>, shared_bytes);
  const auto shape = gpu::kernel_launch(static_cast<unsigned>(w.rows) * Blocks, threads, queue, shared_bytes)
                         .cluster(Blocks);
  gpu::check(cudaLaunchKernelEx(shape.config(), cluster_select<Blocks>, w.values.data(), w.largest.data(),
                                static_cast<unsigned>(w.columns), static_cast<unsigned>(w.k)),
             "cudaLaunchKernelEx of cluster_select");
}

// Whether each of `blocks` blocks has a part that begins at 16 bytes and is as long as the sample at least.
bool divides(const workload& w, std::size_t blocks) {
  return w.columns % (4 * blocks) == 0 && w.columns >= blocks * sampled && w.k <= most_candidates / 2 &&
         gpu::on_16_bytes(w.values.data());
}

}  // namespace

void launch_radix_select(const workload& w, stream queue) {
  if (w.rows == 0 || w.k == 0) return;
  gpu::launch(radix_select, {static_cast<unsigned>(w.rows), threads, 0, queue}, w.values.data(),
              w.largest.data(), static_cast<unsigned>(w.columns), static_cast<unsigned>(w.k));
}

void launch_cluster_select(const workload& w, stream queue) {
  constexpr std::size_t few_rows = 16;  // that eight blocks each spread over a GPU
  if (w.rows == 0 || w.k == 0) return;
  if (!divides(w, 1)) return launch_radix_select(w, queue);
  if (w.rows <= few_rows && divides(w, 8)) return launch_clusters<8>(w, queue);
  launch_clusters<1>(w, queue);
}

}  // namespace ridge::experiments::ch08_topk_radix
