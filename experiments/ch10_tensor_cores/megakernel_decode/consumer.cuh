// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "row_products.cuh"

// The role of the threads that multiply.
namespace ridge::experiments::ch10_megakernel_decode {

#if __CUDA_ARCH__ >= 900

// Waits for inputs, multiplies and hands results on.
class consumer : row_products {
 public:
  __device__ consumer(block_places& shared, const step& s)
      : row_products(shared), step_(s), words_(*s.words) {}

  __device__ void run() {
    const unsigned before = *static_cast<volatile std::uint32_t*>(&words_.layers_done);
    for (unsigned layer = 0; layer < step_.layers; ++layer) {
      const unsigned last_tag = (before + layer) & 1U;
      tag_ = last_tag ^ 1U;
      forget_addresses();
      take_token(layer, last_tag);
      if (const attention_part part(step_); part.some) attend(part);
      forget_addresses();
      project(layer);
      forget_addresses();
      feed_forward(layer);
    }
    finish();
  }

 private:
  // This lane's four numbers of the hidden state times the factors of norm `norm`; their squares go to the
  // block. The state is that of `words`, or the embedding.
  __device__ void take_state(std::uint32_t* words, unsigned tag, unsigned norm, float4& x) {
    const unsigned column = 4 * (gpu::warp_lanes * warp_ + lane_);
    const auto* const factors =
        reinterpret_cast<const uint2*>(step_.norms + (std::size_t{norm} * hidden + column) * 2);
    const uint2 factor = __ldg(factors);
    float4 state[1];
    if (words == nullptr) {
      const uint2 e = __ldg(reinterpret_cast<const uint2*>(step_.embedding + column * 2));
      state[0] = {gpu::low_bf16(e.x), gpu::high_bf16(e.x), gpu::low_bf16(e.y), gpu::high_bf16(e.y)};
    } else {
      await<1>(words + column, 0, tag, state);
    }
    *reinterpret_cast<float4*>(&shared_.state[column]) = state[0];
    const auto [a, b, c, d] = state[0];
    norm_turn_ ^= 1U;
    const float squares = gpu::over_warp(a * a + b * b + c * c + d * d, gpu::sum_of());
    if (lane_ == 0) shared_.squares[norm_turn_][warp_] = squares;
    x = {a * gpu::low_bf16(factor.x), b * gpu::high_bf16(factor.x), c * gpu::low_bf16(factor.y),
         d * gpu::high_bf16(factor.y)};
  }
  // What the norm divides by, once a barrier has passed since take_state.
  __device__ float norm_scale() const {
    const float all = gpu::over_warp<warps>(shared_.squares[norm_turn_][lane_ % warps], gpu::sum_of());
    return rsqrtf(all / hidden + epsilon);
  }

  __device__ void take_token(unsigned layer, unsigned last_tag) {
    const share pairs = pairs_of_token(layer);
    float4 x;
    take_state(layer == 0 ? nullptr : words_.state, last_tag, 2 * layer, x);
    multiply<false>(2 * pairs.count, x, [&](unsigned i, bool valid, float sum) {
      const unsigned row = 2 * pairs.begin + i;
      float y = sum * norm_scale();
      const float other = __shfl_xor_sync(gpu::all_lanes, y, 4);
      if (!valid || lane_ % 4 != 0) return;
      if (row < hidden + kept_rows / 2) {
        const auto* const turn = reinterpret_cast<const float*>(words_.rotation) + row % head_width / 2 * 2;
        y = y * turn[0] + (row % 2 == 0 ? -other : other) * turn[1];
      }
      hand_on(&words_.made[row], y, tag_);
      if (row >= hidden)
        step_.appended[std::size_t{layer} * kept_rows + row - hidden] =
            static_cast<std::uint16_t>(gpu::bf16x2(y, 0));
    });
  }

  // Four neighbours, as bf16.
  __device__ uint2 await_rounded(const std::uint32_t* words) const {
    float4 a[1];
    await<1>(words, 0, tag_, a);
    return {gpu::bf16x2(a[0].x, a[0].y), gpu::bf16x2(a[0].z, a[0].w)};
  }

  __device__ void attend(const attention_part& part) {
    attention_state state;
    state.clear();
    const unsigned e = lane_ % lanes_of_key * lane_numbers;
    float4 queries[head_group];
    await<head_group>(&words_.made[part.head * head_group * head_width + e], head_width, tag_, queries);
#pragma unroll
    for (unsigned h = 0; h < head_group; ++h) state.set_query(h, queries[h]);
    for (unsigned done = 0; done < part.keys.count; done += keys_of_slot) {
      const auto* const keys = reinterpret_cast<const uint2*>(await_slot()) + threadIdx.x;
#pragma unroll
      for (unsigned i = 0; i < 2; ++i) {
        const uint2 key = keys[i * consumers], value = keys[half_slot / sizeof(uint2) + i * consumers];
        state.take(key, value, done + i * keys_at_once + threadIdx.x / lanes_of_key < part.keys.count);
      }
      free_slot();
    }
    if (part.last && warp_ == 0) {
      const auto* const key = &words_.made[hidden + part.head * head_width + e];
      state.take(await_rounded(key), await_rounded(key + kept_rows / 2), lane_ < lanes_of_key);
    }
    state.leave(shared_.common.attention, warp_, lane_);
    gpu::ptx::bar_sync(1, consumers);
    if (threadIdx.x < head_group * head_width) hand_on_attention(part);
    gpu::ptx::bar_sync(1, consumers);  // the sums have been read: parts of inputs take their place
  }
  __device__ void hand_on_attention(const attention_part& part) {
    const unsigned h = threadIdx.x / head_width, d = threadIdx.x % head_width,
                   head = part.head * head_group + h;
    float2 statistics;
    const float o = join_warps(shared_.common.attention, h, d, statistics);
    hand_on(&words_.attended[part.split][head * head_width + d], o, tag_);
    if (d < 2)
      hand_on(&words_.statistics[part.split][2 * head + d], d == 0 ? statistics.x : statistics.y, tag_);
  }

  // Four numbers of some parts of the attention, with what they are relative to and the sum of weights; the
  // last part again where there are fewer.
  static constexpr unsigned splits_at_once = 4;
  __device__ void await_parts(unsigned first, unsigned column, unsigned head, float4 (&o)[splits_at_once],
                              float2 (&statistics)[splits_at_once]) const {
    unsigned missing;
    do {
      missing = 0;
#pragma unroll
      for (unsigned i = 0; i < splits_at_once; ++i) {
        const unsigned split = min(first + i, step_.splits - 1);
        const auto* const pair = reinterpret_cast<const uint2*>(&words_.statistics[split][2 * head]);
        const uint4 w = gpu::ptx::ld_relaxed_gpu_v4_b32(&words_.attended[split][column]);
        const uint2 v = gpu::ptx::ld_relaxed_gpu_v2_b32(pair);
        missing |= (w.x ^ tag_) | (w.y ^ tag_) | (w.z ^ tag_) | (w.w ^ tag_) | (v.x ^ tag_) | (v.y ^ tag_);
        o[i] = {number_in(w.x), number_in(w.y), number_in(w.z), number_in(w.w)};
        statistics[i] = {number_in(v.x), number_in(v.y)};
      }
    } while ((missing & 1U) != 0);
  }

  // This lane's four numbers of what all parts of its head have attended to.
  __device__ void take_attended(float4& x) {
    const unsigned column = 4 * threadIdx.x, head = column / head_width;
    float most = far_below, weights = 0;
    float4 all{};
    for (unsigned first = 0; first < step_.splits; first += splits_at_once) {
      float4 o[splits_at_once];
      float2 statistics[splits_at_once];
      await_parts(first, column, head, o, statistics);
#pragma unroll
      for (unsigned i = 0; i < splits_at_once; ++i) {
        if (first + i >= step_.splits) break;
        const float larger = fmaxf(most, statistics[i].x);
        const float keep = gpu::ptx::ex2_approx_ftz(most - larger),
                    add = gpu::ptx::ex2_approx_ftz(statistics[i].x - larger);
        most = larger, weights = weights * keep + add * statistics[i].y;
        all = {all.x * keep + add * o[i].x, all.y * keep + add * o[i].y, all.z * keep + add * o[i].z,
               all.w * keep + add * o[i].w};
      }
    }
    x.x = all.x / weights, x.y = all.y / weights, x.z = all.z / weights, x.w = all.w / weights;
  }

  __device__ void project(unsigned layer) {
    const share rows = rows_of_projection(layer);
    float4 x;
    take_attended(x);
    multiply<false>(rows.count, x, [&](unsigned i, bool valid, float sum) {
      const unsigned row = rows.begin + i;
      if (valid && lane_ % 4 == 0) hand_on(&words_.middle[row], shared_.state[row] + sum, tag_);
    });
  }

  __device__ void feed_forward(unsigned layer) {
    const share pairs = pairs_of_gate();
    float4 x;
    take_state(words_.middle, tag_, 2 * layer + 1, x);
    multiply<true>(2 * pairs.count, x, [&](unsigned i, bool valid, float sum) {
      const float y = sum * norm_scale(), up = __shfl_xor_sync(gpu::all_lanes, y, 4);
      if (valid && lane_ % 8 == 0) hand_on(&words_.activations[pairs.begin + i / 2], gated(y, up), tag_);
    });
    forget_addresses();
    multiply_long(rows_of_down(layer));
  }

  // Rows of `between` columns, in quarters.
  __device__ void multiply_long(share rows) {
    float4 x[quarters];
    await<quarters>(&words_.activations[4 * threadIdx.x], hidden, tag_, x);
    uint4 input[quarters];
#pragma unroll
    for (unsigned q = 0; q < quarters; ++q) input[q] = fragment_of(x[q]);
    for (unsigned row = 0; row < rows.count; row += 4) {
      sums even{}, odd{};
#pragma unroll
      for (unsigned q = 0; q < quarters; ++q) multiply_slot(input[q], even, odd);
      leave_sums<false>(row, even, odd);
    }
    add_partial_sums(rows.count, [&](unsigned i, bool valid, float sum) {
      const unsigned row = rows.begin + i;
      if (valid && lane_ % 4 == 0) hand_on(&words_.state[row], shared_.state[row] + sum, tag_);
    });
  }

  __device__ void finish() {
    float4 x;
    take_state(step_.layers == 0 ? nullptr : words_.state, tag_, 2 * step_.layers, x);
    const share rows = share_of(step_.vocabulary, blockIdx.x, gridDim.x);
    multiply<false>(rows.count, x, [&](unsigned i, bool valid, float sum) {
      const float y = sum * norm_scale();
      if (valid && lane_ % 4 == 0) step_.logits[rows.begin + i] = y;
    });
  }

  const step& step_;
  stage_words& words_;
  unsigned norm_turn_ = 0, tag_ = 0;
};

#endif

}  // namespace ridge::experiments::ch10_megakernel_decode
