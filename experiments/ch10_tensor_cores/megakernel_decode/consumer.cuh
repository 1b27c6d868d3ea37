// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "persistent.cuh"

// The role of the threads that multiply.
namespace ridge::experiments::ch10_megakernel_decode {

#ifdef TRACE
__device__ long long trace[132][17][12];
#define MARK(i) \
  if (threadIdx.x == 0) trace[blockIdx.x][layer_][i] = clock64();
#else
#define MARK(i)
#endif
#ifdef NOWAIT
#define MISSING(x) 0
#else
#define MISSING(x) (x)
#endif
#if __CUDA_ARCH__ >= 900

// Waits for inputs and multiplies. Each warp takes a sixteenth of the columns of every row, so that it needs
// that part of the input alone. Matrix instructions multiply: four quarters of the warp's columns in four
// rows are their sixteen rows; the same quarters of the input, in two parts, are their eight columns. Of the
// sums those where the quarters are the same count. Two parts of bf16 hold 16 bits of an input in fp32.
class consumer {
 public:
  __device__ consumer(block_places& shared, const step& s)
      : shared_(shared),
        step_(s),
        words_(*s.words),
        warp_(threadIdx.x / gpu::warp_lanes),
        lane_(threadIdx.x % gpu::warp_lanes),
        part_(s) {}

  __device__ void run() {
    const unsigned before = *static_cast<volatile std::uint32_t*>(&words_.layers_done);
    for (unsigned layer = 0; layer < step_.layers; ++layer) {
      const unsigned last_tag = (before + layer) & 1U;
      tag_ = last_tag ^ 1U;
      layer_ = layer;
      MARK(0)
      take_token(layer, last_tag);
      MARK(2) if (part_.some) attend();
      MARK(4) project(layer);
      MARK(6) feed_forward(layer);
      MARK(10)
    }
    finish();
  }

 private:
  using sums = float[4];

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

  __device__ const std::byte* await_slot() {
    gpu::ptx::mbarrier_wait_parity(gpu::ptx::shared_address(&shared_.filled[next_.slot]), next_.parity);
    return shared_.ring[next_.slot];
  }
  __device__ void free_slot() {
    __syncwarp();
    if (lane_ == 0) gpu::ptx::mbarrier_arrive(gpu::ptx::shared_address(&shared_.freed[next_.slot]));
    next_.advance();
  }

  // The warp's part of the input, by lane four columns, as this lane's fragment of the matrix instructions:
  // eight columns of the larger parts, or of the smaller.
  __device__ uint4 fragment_of(float4 x) const {
    uint2* const parts = shared_.common.parts[warp_];
    const uint2 large{gpu::bf16x2(x.x, x.y), gpu::bf16x2(x.z, x.w)};
    const uint2 small{gpu::bf16x2(x.x - gpu::low_bf16(large.x), x.y - gpu::high_bf16(large.x)),
                      gpu::bf16x2(x.z - gpu::low_bf16(large.y), x.w - gpu::high_bf16(large.y))};
    __syncwarp();
    parts[lane_] = large, parts[gpu::warp_lanes + lane_] = small;
    __syncwarp();
    return reinterpret_cast<const uint4*>(parts)[lane_];
  }

  // Adds the warp's products of the next slot's four rows. An instruction takes the terms in the order in
  // which a lane finds them: eight neighbours, of the row of its group of eight lanes.
  __device__ void multiply_slot(uint4 input, sums& even, sums& odd) {
    const auto* const weights = reinterpret_cast<const uint4*>(await_slot()) + warp_ * 16 +
                                lane_ / 8 * (row_bytes / sizeof(uint4)) + lane_ % 8;
    const uint4 a = weights[0], b = weights[8];
    free_slot();
    gpu::ptx::mma_m16n8k16_f32_bf16(even, {a.x, b.x, a.y, b.y}, {input.x, input.y});
    gpu::ptx::mma_m16n8k16_f32_bf16(odd, {a.z, b.z, a.w, b.w}, {input.z, input.w});
  }
  // Leaves the warp's sums of four rows, the first of which is `first` of the batch. Interleaved: two rows of
  // each of two matrices are in a slot, and sums of the two become neighbours.
  template <bool Interleaved>
  __device__ void leave_sums(unsigned first, const sums& even, const sums& odd) {
    const bool second = (lane_ & 4) != 0;
    const float upper = second ? even[1] + odd[1] : even[0] + odd[0];
    const float lower = second ? even[3] + odd[3] : even[2] + odd[2];
    const float sum = gpu::over_warp<8>((lane_ & 1) != 0 ? lower : upper, gpu::sum_of());
    const unsigned i = lane_ / 8, place = Interleaved ? i % 2 * 2 + i / 2 : i;
    if (lane_ % 8 == 0) shared_.partial[turn_][(first + place) * pitch + warp_] = sum;
  }
  // Adds up the partial sums of all warps for `count` rows: four lanes a row; all lanes of a warp call
  // finish(row, valid, sum).
  template <class Finish>
  __device__ void add_partial_sums(unsigned count, Finish finish) {
    gpu::ptx::bar_sync(1, consumers);
    if (warp_ * 8 < count) {
      const unsigned row = threadIdx.x / 4;
      const float4 p = *reinterpret_cast<const float4*>(&shared_.partial[turn_][row * pitch + lane_ % 4 * 4]);
      finish(row, row < count, gpu::over_warp<4>(p.x + p.y + p.z + p.w, gpu::sum_of()));
    }
    turn_ ^= 1U;
  }

  // Rows of `hidden` columns times x.
  template <bool Interleaved, class Finish>
  __device__ void multiply(unsigned rows, float4 x, Finish finish) {
    const uint4 input = fragment_of(x);
    for (unsigned first = 0; first < rows; first += batch_rows) {
      const unsigned count = min(batch_rows, rows - first);
      for (unsigned row = 0; row < count; row += 4) {
        sums even{}, odd{};
        multiply_slot(input, even, odd);
        leave_sums<Interleaved>(row, even, odd);
      }
      add_partial_sums(count, [&](unsigned row, bool valid, float sum) { finish(first + row, valid, sum); });
    }
  }

  __device__ void take_token(unsigned layer, unsigned last_tag) {
    const share pairs = pairs_of_token(layer);
    float4 x;
    take_state(layer == 0 ? nullptr : words_.state, last_tag, 2 * layer, x);
    MARK(1)
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

  __device__ void attend() {
    attention_state state;
    state.clear();
    const unsigned e = lane_ % lanes_of_key * lane_numbers;
    float4 queries[head_group];
    await<head_group>(&words_.made[part_.head * head_group * head_width + e], head_width, tag_, queries);
    MARK(3)
#pragma unroll
    for (unsigned h = 0; h < head_group; ++h) state.set_query(h, queries[h]);
    for (unsigned done = 0; done < part_.keys.count; done += keys_of_slot) {
      const auto* const keys = reinterpret_cast<const uint2*>(await_slot()) + threadIdx.x;
      uint2 key[2], value[2];
#pragma unroll
      for (unsigned i = 0; i < 2; ++i)
        key[i] = keys[i * consumers], value[i] = keys[half_slot / sizeof(uint2) + i * consumers];
      free_slot();
#pragma unroll
      for (unsigned i = 0; i < 2; ++i)
        state.take(key[i], value[i], done + i * keys_at_once + threadIdx.x / lanes_of_key < part_.keys.count);
    }
    if (part_.last && warp_ == 0) {
      const auto* const key = &words_.made[hidden + part_.head * head_width + e];
      state.take(await_rounded(key), await_rounded(key + kept_rows / 2), lane_ < lanes_of_key);
    }
    state.leave(shared_.common.attention, warp_, lane_);
    gpu::ptx::bar_sync(1, consumers);
    if (threadIdx.x < head_group * head_width) hand_on_attention();
    gpu::ptx::bar_sync(1, consumers);  // the sums have been read: parts of inputs take their place
  }
  __device__ void hand_on_attention() {
    const unsigned h = threadIdx.x / head_width, d = threadIdx.x % head_width,
                   head = part_.head * head_group + h;
    float2 statistics;
    const float o = join_warps(shared_.common.attention, h, d, statistics);
    hand_on(&words_.attended[part_.split][head * head_width + d], o, tag_);
    if (d < 2)
      hand_on(&words_.statistics[part_.split][2 * head + d], d == 0 ? statistics.x : statistics.y, tag_);
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
    } while (MISSING((missing & 1U) != 0));
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
    MARK(5)
    multiply<false>(rows.count, x, [&](unsigned i, bool valid, float sum) {
      const unsigned row = rows.begin + i;
      if (valid && lane_ % 4 == 0) hand_on(&words_.middle[row], shared_.state[row] + sum, tag_);
    });
  }

  __device__ void feed_forward(unsigned layer) {
    const share pairs = pairs_of_gate();
    float4 x;
    take_state(words_.middle, tag_, 2 * layer + 1, x);
    MARK(7)
    multiply<true>(2 * pairs.count, x, [&](unsigned i, bool valid, float sum) {
      const float y = sum * norm_scale(), up = __shfl_xor_sync(gpu::all_lanes, y, 4);
      if (valid && lane_ % 8 == 0) hand_on(&words_.activations[pairs.begin + i / 2], gated(y, up), tag_);
    });
    MARK(8) multiply_long(rows_of_down(layer));
  }

  // Rows of `between` columns, in quarters.
  __device__ void multiply_long(share rows) {
    float4 x[quarters];
    await<quarters>(&words_.activations[4 * threadIdx.x], hidden, tag_, x);
    MARK(9)
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

  block_places& shared_;
  const step& step_;
  stage_words& words_;
  unsigned warp_, lane_;
  attention_part part_;
  ring_position next_{};
  unsigned turn_ = 0, norm_turn_ = 0, tag_ = 0, layer_ = 0;
};

#endif

}  // namespace ridge::experiments::ch10_megakernel_decode
