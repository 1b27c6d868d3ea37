// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/async_copy.cuh>
#include <ridge/gpu/ptx/matrix.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/wgmma_descriptor.hpp>
#include <ridge/kernels/online_softmax.cuh>

#include "flash_attention_forward.hpp"

namespace ridge::experiments::ch10_flash_attention_forward {
namespace {

// Eight warps of 16 queries each, after FlashAttention-2 (Dao 2023).
constexpr unsigned threads = 256, rows = 128, keys = 64;

// One head's arrays and extents.
struct head_view {
  const bf16 *q, *k, *v;
  bf16* o;
  std::size_t q_pitch, kv_pitch;  // elements from one token to the next
  int tokens;
  float scale;  // of scores, times log2(e)
};

// Copies 64 tokens from `first` on, zeros past the last, to halves of 64 columns in rows of 128 bytes.
template <unsigned Width>
__device__ void copy_tokens(std::uint32_t target, const bf16* source, std::size_t pitch, int first,
                            int tokens) {
  constexpr unsigned parts = Width / 8;
#pragma unroll
  for (unsigned i = threadIdx.x; i < keys * parts; i += threads) {
    const unsigned row = i / parts, part = i % parts;
    const int token = first + static_cast<int>(row);
    const bf16* from = source + (token < tokens ? static_cast<std::size_t>(token) * pitch + part * 8 : 0);
    gpu::ptx::cp_async_cg_16(target + part / 8 * (keys * 128) + gpu::swizzled_128b_offset(row, part % 8),
                             from, token < tokens ? 16 : 0);
  }
}

// A warp's 16 queries as left operands, straight from memory; zeros past the last token.
template <unsigned Width>
__device__ void load_queries(std::uint32_t (&operand)[Width / 16][4], const head_view& head, int row) {
  const int lane = static_cast<int>(threadIdx.x % 32);
#pragma unroll
  for (unsigned step = 0; step < Width / 16; ++step) {
#pragma unroll
    for (unsigned pair = 0; pair < 4; ++pair) {
      const int token = row + lane / 4 + static_cast<int>(pair % 2 * 8);
      const auto column = step * 16 + pair / 2 * 8 + static_cast<unsigned>(lane % 4 * 2);
      const auto* from = head.q + static_cast<std::size_t>(token) * head.q_pitch + column;
      operand[step][pair] = token < head.tokens ? *reinterpret_cast<const std::uint32_t*>(from) : 0;
    }
  }
}

// Shared address of the row that this lane names to ldmatrix: of four 8 x 8 matrices in rows `row` and `row`
// + 8, those of one column first (rows_first) or those of one row.
__device__ std::uint32_t matrix_row(std::uint32_t block, unsigned row, unsigned column, bool rows_first) {
  const unsigned lane = threadIdx.x % 32, second = lane / 8 % 2, half = lane / 16;
  row += lane % 8 + 8 * (rows_first ? second : half);
  const unsigned part = column / 8 + (rows_first ? half : second);
  return block + part / 8 * (keys * 128) + gpu::swizzled_128b_offset(row, part % 8);
}

template <unsigned Width>
__device__ void multiply_keys(float (&scores)[keys / 2], const std::uint32_t (&queries)[Width / 16][4],
                              std::uint32_t block) {
#pragma unroll
  for (unsigned n = 0; n < keys; n += 16) {
#pragma unroll
    for (unsigned step = 0; step < Width / 16; ++step) {
      std::uint32_t b[2][2];
      gpu::ptx::ldmatrix_x4(matrix_row(block, n, step * 16, false), b[0][0], b[0][1], b[1][0], b[1][1]);
      auto& sums = reinterpret_cast<float(&)[2][4]>(scores[n / 2]);
      gpu::ptx::mma_m16n8k16_f32_bf16(sums[0], queries[step], b[0]);
      gpu::ptx::mma_m16n8k16_f32_bf16(sums[1], queries[step], b[1]);
    }
  }
}

template <unsigned Width>
__device__ void multiply_values(float (&sums)[Width / 2], const std::uint32_t (&weights)[keys / 16][4],
                                std::uint32_t block) {
#pragma unroll
  for (unsigned step = 0; step < keys / 16; ++step) {
#pragma unroll
    for (unsigned n = 0; n < Width; n += 16) {
      std::uint32_t b[2][2];
      gpu::ptx::ldmatrix_x4_transposed(matrix_row(block, step * 16, n, true), b[0][0], b[0][1], b[1][0],
                                       b[1][1]);
      auto& two = reinterpret_cast<float(&)[2][4]>(sums[n / 2]);
      gpu::ptx::mma_m16n8k16_f32_bf16(two[0], weights[step], b[0]);
      gpu::ptx::mma_m16n8k16_f32_bf16(two[1], weights[step], b[1]);
    }
  }
}

template <unsigned Width>
__device__ void store(const float (&sums)[Width / 2], const kernels::online_softmax& softmax,
                      const head_view& head, int row) {
  const float factors[2] = {softmax.reciprocal(0), softmax.reciprocal(1)};
  const int lane = static_cast<int>(threadIdx.x % 32);
#pragma unroll
  for (unsigned i = 0; i < Width / 2; i += 2) {
    const int token = row + lane / 4 + static_cast<int>(kernels::row_of(i) * 8);
    const auto column = i / 4 * 8 + static_cast<unsigned>(lane % 4 * 2);
    const float factor = factors[kernels::row_of(i)];
    if (token < head.tokens)
      *reinterpret_cast<std::uint32_t*>(head.o + static_cast<std::size_t>(token) * head.q_pitch + column) =
          kernels::bf16_pair(sums[i] * factor, sums[i + 1] * factor);
  }
}

// Row y of the grid is a head; blocks of a row take tiles from the last, which is the longest of a causal
// head.
template <unsigned Width, bool Causal>
__global__ void __launch_bounds__(threads, 1) attention_by_warps(head_view head, unsigned group) {
  extern __shared__ __align__(128) unsigned char shared[];
  constexpr unsigned block_bytes = keys * Width * 2;
  const auto keys_at = gpu::ptx::shared_address(shared), values_at = keys_at + 2 * block_bytes;
  head.q += blockIdx.y * Width, head.o += blockIdx.y * Width;
  head.k += blockIdx.y / group * Width, head.v += blockIdx.y / group * Width;
  const int first_row = static_cast<int>((gridDim.x - 1 - blockIdx.x) * rows);
  const int row = first_row + static_cast<int>(threadIdx.x / 32 * 16);  // the warp's first
  constexpr int step = keys;
  const int seen = Causal ? min(first_row + static_cast<int>(rows), head.tokens) : head.tokens;
  const int blocks = (seen + step - 1) / step;

  kernels::online_softmax softmax(head.scale);
  std::uint32_t queries[Width / 16][4], weights[keys / 16][4];
  float sums[Width / 2], scores[keys / 2];
#pragma unroll
  for (float& sum : sums) sum = 0;
  copy_tokens<Width>(keys_at, head.k, head.kv_pitch, (blocks - 1) * step, head.tokens);
  copy_tokens<Width>(values_at, head.v, head.kv_pitch, (blocks - 1) * step, head.tokens);
  gpu::ptx::cp_async_commit_group();
  load_queries<Width>(queries, head, row);
  for (int block = blocks - 1; block >= 0; --block) {
    const auto stage = static_cast<unsigned>(blocks - 1 - block) % 2 * block_bytes;
    gpu::ptx::cp_async_wait_group<0>();
    __syncthreads();  // this block has arrived, and nobody reads the one before
    if (block > 0) {
      copy_tokens<Width>(keys_at + block_bytes - stage, head.k, head.kv_pitch, (block - 1) * step,
                         head.tokens);
      copy_tokens<Width>(values_at + block_bytes - stage, head.v, head.kv_pitch, (block - 1) * step,
                         head.tokens);
      gpu::ptx::cp_async_commit_group();
    }
#pragma unroll
    for (float& score : scores) score = 0;
    multiply_keys<Width>(scores, queries, keys_at + stage);
    if ((block + 1) * step > (Causal ? row + 1 : head.tokens))
      kernels::hide_unseen<Causal>(scores, block * step, row, head.tokens);
    softmax.take(scores);
    softmax.rescale(sums);
    kernels::to_operand(scores, weights);
    multiply_values<Width>(sums, weights, values_at + stage);
  }
  store<Width>(sums, softmax, head, row);
}

template <unsigned Width, bool Causal>
void launch(const workload& w, stream queue) {
  constexpr auto kernel = attention_by_warps<Width, Causal>;
  constexpr std::size_t shared_bytes = 4 * keys * Width * 2;
  const auto& size = w.size;
  const head_view head{w.q.data(),
                       w.k.data(),
                       w.v.data(),
                       w.o.data(),
                       size.heads * Width,
                       size.kv_heads * Width,
                       static_cast<int>(size.tokens),
                       1.44269504F / std::sqrt(static_cast<float>(Width))};
  gpu::allow_dynamic_shared_memory(kernel, shared_bytes);
  const dim3 grid(gpu::blocks_for(size.tokens, rows), static_cast<unsigned>(size.heads));
  gpu::launch(kernel, {grid, threads, shared_bytes, queue}, head, static_cast<unsigned>(size.group()));
}

}  // namespace

void launch_by_warps(const workload& w, stream queue) {
  if (w.o.empty()) return;
  if (w.size.width == 64) {
    w.size.causal ? launch<64, true>(w, queue) : launch<64, false>(w, queue);
  } else {
    w.size.causal ? launch<128, true>(w, queue) : launch<128, false>(w, queue);
  }
}

}  // namespace ridge::experiments::ch10_flash_attention_forward
