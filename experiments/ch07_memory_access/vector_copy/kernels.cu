// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/quads.hpp>
#include <ridge/gpu/transform.cuh>

#include "vector_copy.hpp"

namespace ridge::experiments::ch07_vector_copy {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned loads = 4;

__global__ void __launch_bounds__(threads) copy_floats(const float* source, float* target, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < n) target[i] = source[i];
}

__global__ void __launch_bounds__(threads)
    copy_streamed_quads(const float* source, float* target, gpu::quads q) {
  const auto* source_quads = reinterpret_cast<const float4*>(source + q.head);
  auto* target_quads = reinterpret_cast<float4*>(target + q.head);
  const std::size_t first = blockIdx.x * std::size_t{threads * loads} + threadIdx.x;
  if (first + (loads - 1) * threads < q.count) {
    float4 v[loads];
#pragma unroll
    for (unsigned u = 0; u < loads; ++u) v[u] = __ldcs(source_quads + first + u * threads);
#pragma unroll
    for (unsigned u = 0; u < loads; ++u) __stcs(target_quads + first + u * threads, v[u]);
  } else {
    for (std::size_t i = first; i < q.count; i += threads) target_quads[i] = source_quads[i];
  }
  if (blockIdx.x != 0) return;
  for (std::size_t i = threadIdx.x; i < q.singles(); i += threads) target[q.single(i)] = source[q.single(i)];
}

// A block moves eight pieces of 16 KiB through a ring of four stages. One thread does all: it begins the
// store of a piece that has come, and loads another into the stage whose store began two pieces ago and has
// left.
constexpr unsigned piece_bytes = 16384, stages = 4, stores_left = 2, pieces_of_block = 8;
constexpr unsigned ring_bytes = stages * piece_bytes;

// `bytes` is a multiple of 16.
__global__ void __launch_bounds__(32)
    copy_bulk_ring([[maybe_unused]] const std::byte* source, [[maybe_unused]] std::byte* target,
                   [[maybe_unused]] std::size_t bytes) {
#if __CUDA_ARCH__ >= 900
  namespace ptx = gpu::ptx;
  extern __shared__ uint4 ring[];
  __shared__ std::uint64_t barriers[stages];
  if (threadIdx.x != 0) return;
  const auto stage_of = [&](unsigned piece) {
    return ptx::shared_address(ring) + piece % stages * piece_bytes;
  };
  const auto loaded = [&](unsigned piece) { return ptx::shared_address(barriers) + piece % stages * 8; };
  const std::size_t begin = blockIdx.x * std::size_t{pieces_of_block * piece_bytes};
  const std::size_t left = std::min(bytes - begin, std::size_t{pieces_of_block * piece_bytes});
  const unsigned pieces = static_cast<unsigned>((left + piece_bytes - 1) / piece_bytes);
  const auto size_of = [&](unsigned piece) {
    return static_cast<unsigned>(std::min(left - piece * std::size_t{piece_bytes}, std::size_t{piece_bytes}));
  };
  const auto load = [&](unsigned piece) {
    ptx::mbarrier_arrive_expect_tx(loaded(piece), size_of(piece));
    ptx::cp_async_bulk_shared_global(stage_of(piece), source + begin + piece * std::size_t{piece_bytes},
                                     size_of(piece), loaded(piece));
  };
  for (unsigned s = 0; s < stages; ++s) ptx::mbarrier_init(loaded(s), 1);
  ptx::fence_mbarrier_init_release_cluster();
  for (unsigned p = 0; p < stages && p < pieces; ++p) load(p);
  for (unsigned p = 0; p < pieces; ++p) {
    ptx::mbarrier_wait_parity(loaded(p), p / stages % 2);
    ptx::cp_async_bulk_global_shared(target + begin + p * std::size_t{piece_bytes}, stage_of(p), size_of(p));
    ptx::cp_async_bulk_commit_group();
    const unsigned next = p - stores_left + stages;
    if (p < stores_left || next >= pieces) continue;
    ptx::cp_async_bulk_wait_group_read<stores_left>();
    load(next);
  }
  ptx::cp_async_bulk_wait_group_read<0>();
#endif
}

}  // namespace

void launch_floats(const workload& w, stream queue) {
  const auto n = w.source.size();
  gpu::launch_each(copy_floats, n, threads, queue, w.source.data(), w.target.data(), n);
}

void launch_four_quads(const workload& w, stream queue) {
  gpu::transform<threads, loads>(std::identity(), w.source.size(), w.target.data(), queue, w.source.data());
}

void launch_streamed_quads(const workload& w, stream queue) {
  if (w.source.empty()) return;
  const auto quads = gpu::quads_of(w.source.size(), {w.source.data(), w.target.data()});
  const auto blocks = std::max(1U, gpu::blocks_for(quads.count, threads * loads));
  gpu::launch(copy_streamed_quads, {blocks, threads, 0, queue}, w.source.data(), w.target.data(), quads);
}

void launch_one_quad(const workload& w, stream queue) {
  gpu::transform(std::identity(), w.source.size(), w.target.data(), queue, w.source.data());
}

void launch_bulk_ring(const workload& w, stream queue) {
  const auto quads = gpu::quads_of(w.source.size(), {w.source.data(), w.target.data()});
  if (quads.count == 0 || quads.singles() != 0) return launch_one_quad(w, queue);
  gpu::allow_dynamic_shared_memory(copy_bulk_ring, ring_bytes);
  gpu::launch(copy_bulk_ring,
              {gpu::blocks_for(w.source.size_bytes(), pieces_of_block * piece_bytes), 32, ring_bytes, queue},
              reinterpret_cast<const std::byte*>(w.source.data()),
              reinterpret_cast<std::byte*>(w.target.data()), w.source.size_bytes());
}

}  // namespace ridge::experiments::ch07_vector_copy
