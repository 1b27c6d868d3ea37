// SPDX-License-Identifier: Apache-2.0
#include "serving/decode_kernel.hpp"

#include <algorithm>
#include <cmath>

#include <ridge/base/expects.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>

#include "serving/warp_attention.cuh"

namespace ridge::backends::probe_cuda {
namespace {

constexpr int warps = 4, stages = 3;

template <int HeadDim>
constexpr std::size_t tile_bytes = std::size_t{tile_tokens} * HeadDim * 2;
template <int HeadDim>
constexpr std::size_t shared_bytes = warps * stages * 2 * tile_bytes<HeadDim>;

// Begins copying one tile of keys and one of values, by a warp.
template <int HeadDim>
__device__ void load_tile(std::uint32_t stage, const __nv_bfloat16* k, const __nv_bfloat16* v,
                          std::int64_t pitch) {
  constexpr int parts = HeadDim / 8;
#pragma unroll
  for (int i = 0; i < tile_tokens * parts / 32; ++i) {
    const int at = static_cast<int>(threadIdx.x) % 32 + 32 * i, row = at / parts, part = at % parts;
    const auto from = row * pitch + part * 8;
    gpu::ptx::cp_async_cg_16(stage + tile_offset<HeadDim>(row, part), k + from);
    gpu::ptx::cp_async_cg_16(
        stage + static_cast<std::uint32_t>(tile_bytes<HeadDim>) + tile_offset<HeadDim>(row, part), v + from);
  }
}

// Each warp takes every fourth tile of the block's part of the context through its own ring of stages.
template <int HeadDim>
__device__ void attend(warp_attention<HeadDim>& own, std::uint32_t ring, const __nv_bfloat16* k,
                       const __nv_bfloat16* v, std::int64_t pitch, int tiles) {
  constexpr auto stage_bytes = static_cast<std::uint32_t>(2 * tile_bytes<HeadDim>);
  const int warp = threadIdx.x / 32, mine = (tiles - warp + warps - 1) / warps;
  const auto load = [&](int i) {
    const auto first = static_cast<std::int64_t>(warp + warps * i) * tile_tokens * pitch;
    if (i < mine) load_tile<HeadDim>(ring + (i % stages) * stage_bytes, k + first, v + first, pitch);
    gpu::ptx::cp_async_commit_group();
  };
  for (int i = 0; i < stages - 1; ++i) load(i);
  for (int i = 0; i < mine; ++i) {
    gpu::ptx::cp_async_wait_group<stages - 2>();
    __syncwarp();
    load(i + stages - 1);
    const auto keys = ring + (i % stages) * stage_bytes;
    float s[2][4];
    own.scores(keys, s);
    own.add(s, keys + static_cast<std::uint32_t>(tile_bytes<HeadDim>));
  }
  gpu::ptx::cp_async_wait_group<0>();
}

// Puts the four warps' parts of one row together; stores the result, or with a split its part.
template <int HeadDim>
__device__ void store_rows(const decode_call& call, const float* parts, const float* tops, const float* sums,
                           int rows, std::int64_t first_row) {
  for (int at = threadIdx.x; at < rows * HeadDim; at += warps * 32) {
    const int row = at / HeadDim, column = at % HeadDim;
    float top = -1e30F, total = 0, value = 0;
    for (int w = 0; w < warps; ++w) top = fmaxf(top, tops[w * 16 + row]);
    for (int w = 0; w < warps; ++w) {
      const float by = exp2f(tops[w * 16 + row] - top);
      total += by * sums[w * 16 + row], value += by * parts[(w * 16 + row) * HeadDim + column];
    }
    if (call.splits == 1) {
      static_cast<__nv_bfloat16*>(call.output)[(first_row + row) * HeadDim + column] =
          __float2bfloat16(value / total);
      continue;
    }
    float* const part = call.partial + ((first_row + row) * call.splits + blockIdx.x) * (HeadDim + 2);
    part[column] = value;
    if (column == 0) part[HeadDim] = top, part[HeadDim + 1] = total;
  }
}

template <int HeadDim>
__global__ void __launch_bounds__(warps * 32) decode_kernel(decode_call call) {
  extern __shared__ uint4 ring[];
  const int kv_head = blockIdx.y, sequence = blockIdx.z, group = call.heads / call.kv_heads;
  const int all = call.context / tile_tokens, each = (all + call.splits - 1) / call.splits;
  const int first = blockIdx.x * each, tiles = max(0, min(all - first, each));
  const std::int64_t pitch = std::int64_t{call.kv_heads} * HeadDim;
  const std::int64_t start =
      (std::int64_t{sequence} * call.context + std::int64_t{first} * tile_tokens) * pitch + kv_head * HeadDim;
  const std::int64_t first_row = std::int64_t{sequence} * call.heads + std::int64_t{kv_head} * group;
  warp_attention<HeadDim> own;
  own.begin(static_cast<const __nv_bfloat16*>(call.q) + first_row * HeadDim, group, HeadDim,
            1.44269504F * rsqrtf(static_cast<float>(HeadDim)));
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  attend<HeadDim>(
      own,
      gpu::ptx::shared_address(ring) + warp * stages * static_cast<std::uint32_t>(2 * tile_bytes<HeadDim>),
      static_cast<const __nv_bfloat16*>(call.k) + start, static_cast<const __nv_bfloat16*>(call.v) + start,
      pitch, tiles);
  own.gather_sums();
  __syncthreads();  // the ring is free
  auto* const parts = reinterpret_cast<float*>(ring);
  float* const tops = parts + warps * 16 * HeadDim;
  float* const sums = tops + warps * 16;
  for (int r = 0; r < 2; ++r) {
    const int row = warp * 16 + lane / 4 + 8 * r;
    for (int n = 0; n < HeadDim / 8; ++n)
      for (int c = 0; c < 2; ++c) parts[row * HeadDim + n * 8 + lane % 4 * 2 + c] = own.output[n][2 * r + c];
    if (lane % 4 == 0) tops[row] = own.most[r], sums[row] = own.sum[r];
  }
  __syncthreads();
  store_rows<HeadDim>(call, parts, tops, sums, group, first_row);
}

// One block a query row.
template <int HeadDim>
__global__ void __launch_bounds__(HeadDim) gather_kernel(decode_call call) {
  const float* const parts = call.partial + std::int64_t{blockIdx.x} * call.splits * (HeadDim + 2);
  float top = -1e30F, total = 0, value = 0;
  for (int s = 0; s < call.splits; ++s) top = fmaxf(top, parts[s * (HeadDim + 2) + HeadDim]);
  for (int s = 0; s < call.splits; ++s) {
    const float* const part = parts + s * (HeadDim + 2);
    const float by = exp2f(part[HeadDim] - top);
    total += by * part[HeadDim + 1], value += by * part[threadIdx.x];
  }
  static_cast<__nv_bfloat16*>(call.output)[std::int64_t{blockIdx.x} * HeadDim + threadIdx.x] =
      __float2bfloat16(value / total);
}

template <int HeadDim>
void launch_with(const decode_call& call, cudaStream_t stream) {
  gpu::allow_dynamic_shared_memory(decode_kernel<HeadDim>, shared_bytes<HeadDim>);
  const dim3 blocks(static_cast<unsigned>(call.splits), static_cast<unsigned>(call.kv_heads),
                    static_cast<unsigned>(call.sequences));
  gpu::launch(decode_kernel<HeadDim>, {blocks, warps * 32, shared_bytes<HeadDim>, stream}, call);
  if (call.splits > 1)
    gpu::launch(gather_kernel<HeadDim>,
                {static_cast<unsigned>(call.sequences * call.heads), HeadDim, 0, stream}, call);
}

}  // namespace

int decode_call::splits_for(int processors) const {
  constexpr int blocks_a_processor = 4, least_tokens = 256;
  const int wanted = (blocks_a_processor * processors + sequences * kv_heads - 1) / (sequences * kv_heads);
  return std::clamp(wanted, 1, std::max(1, context / least_tokens));
}

std::int64_t decode_call::partial_floats() const {
  return splits == 1 ? 0 : std::int64_t{sequences} * heads * splits * (head_dim + 2);
}

void launch_decode(const decode_call& call, cudaStream_t stream) {
  expects(call.kv_heads > 0 && call.heads % call.kv_heads == 0 && call.heads / call.kv_heads <= 16,
          "at most 16 query heads share a key head");
  expects(call.context % tile_tokens == 0 && call.context > 0, "the context is a multiple of 16 tokens");
  expects(call.head_dim == 64 || call.head_dim == 128, "heads have 64 or 128 dimensions");
  if (call.head_dim == 64) return launch_with<64>(call, stream);
  launch_with<128>(call, stream);
}

}  // namespace ridge::backends::probe_cuda
