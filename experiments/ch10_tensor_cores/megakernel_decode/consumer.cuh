// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "persistent.cuh"

// The role of the threads that multiply.
namespace ridge::experiments::ch10_megakernel_decode {

#if __CUDA_ARCH__ >= 900

// Waits for inputs and multiplies. Each warp takes a sixteenth of the columns of every row, so that it needs
// that part of the input alone and keeps it in registers.
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
      take_token(layer, last_tag);
      if (part_.some) attend();
      project(layer);
      feed_forward(layer);
    }
    finish();
  }

 private:
  using four = float[4];

  // This lane's four numbers of the hidden state times the factors of norm `norm`; their squares go to the
  // block. The state is that of `words`, or the embedding.
  __device__ void take_state(std::uint32_t* words, unsigned tag, unsigned norm, four& x) {
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
    x[0] = a * gpu::low_bf16(factor.x), x[1] = b * gpu::high_bf16(factor.x);
    x[2] = c * gpu::low_bf16(factor.y), x[3] = d * gpu::high_bf16(factor.y);
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

  // The warp's sums of four rows, each in a group of eight lanes.
  __device__ float sums_of_four(const four& s) const {
    const bool upper = (lane_ & 16) != 0, odd = (lane_ & 8) != 0;
    const float first = exchange(upper, s[0], s[2], 16), second = exchange(upper, s[1], s[3], 16);
    return gpu::over_warp<8>(exchange(odd, first, second, 8), gpu::sum_of());
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

  // Rows of `hidden` columns. Interleaved: a slot holds two rows of each of two matrices, and sums of the two
  // become neighbours.
  template <bool Interleaved, class Finish>
  __device__ void multiply(unsigned rows, const four& x, Finish finish) {
    for (unsigned first = 0; first < rows; first += batch_rows) {
      const unsigned count = min(batch_rows, rows - first);
      for (unsigned row = 0; row < count; row += 4) {
        const auto* const weights = reinterpret_cast<const uint2*>(await_slot()) + threadIdx.x;
        four s;
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
          const uint2 pair = weights[i * (row_bytes / sizeof(uint2))];
          s[i] = 0;
          add_products(s[i], pair.x, x[0], x[1]), add_products(s[i], pair.y, x[2], x[3]);
        }
        free_slot();
        const float sum = sums_of_four(s);
        const unsigned i = lane_ / 8, place = Interleaved ? i % 2 * 2 + i / 2 : i;
        if (lane_ % 8 == 0) shared_.partial[turn_][(row + place) * pitch + warp_] = sum;
      }
      add_partial_sums(count, [&](unsigned row, bool valid, float sum) { finish(first + row, valid, sum); });
    }
  }

  __device__ void take_token(unsigned layer, unsigned last_tag) {
    const share pairs = pairs_of_token(layer);
    four x;
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

  __device__ void attend() {
    attention_state state;
    state.clear();
    const unsigned e = lane_ % lanes_of_key * lane_numbers;
    float4 queries[head_group];
    await<head_group>(&words_.made[part_.head * head_group * head_width + e], head_width, tag_, queries);
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
    state.leave(shared_.attention, warp_, lane_);
    gpu::ptx::bar_sync(1, consumers);
    if (threadIdx.x >= head_group * head_width) return;
    const unsigned h = threadIdx.x / head_width, d = threadIdx.x % head_width,
                   head = part_.head * head_group + h;
    float2 statistics;
    const float o = join_warps(shared_.attention, h, d, statistics);
    hand_on(&words_.attended[part_.split][head * head_width + d], o, tag_);
    if (d < 2)
      hand_on(&words_.statistics[part_.split][2 * head + d], d == 0 ? statistics.x : statistics.y, tag_);
  }

  // This lane's four numbers of what all parts of its head have attended to.
  __device__ void take_attended(four& x) {
    const unsigned column = 4 * threadIdx.x, head = column / head_width;
    float most = far_below, weights = 0;
    float4 all{};
    for (unsigned split = 0; split < step_.splits; ++split) {
      float4 o[1];
      const auto* const pair = reinterpret_cast<const uint2*>(&words_.statistics[split][2 * head]);
      uint2 statistics = gpu::ptx::ld_relaxed_gpu_v2_b32(pair);
      await<1>(&words_.attended[split][column], 0, tag_, o);
      while ((((statistics.x ^ tag_) | (statistics.y ^ tag_)) & 1U) != 0)
        statistics = gpu::ptx::ld_relaxed_gpu_v2_b32(pair);
      const float part_most = __uint_as_float(statistics.x & ~1U);
      const float larger = fmaxf(most, part_most);
      const float keep = gpu::ptx::ex2_approx_ftz(most - larger),
                  add = gpu::ptx::ex2_approx_ftz(part_most - larger);
      most = larger, weights = weights * keep + add * __uint_as_float(statistics.y & ~1U);
      all = {all.x * keep + add * o[0].x, all.y * keep + add * o[0].y, all.z * keep + add * o[0].z,
             all.w * keep + add * o[0].w};
    }
    x[0] = all.x / weights, x[1] = all.y / weights, x[2] = all.z / weights, x[3] = all.w / weights;
  }

  __device__ void project(unsigned layer) {
    const share rows = rows_of_projection(layer);
    four x;
    take_attended(x);
    multiply<false>(rows.count, x, [&](unsigned i, bool valid, float sum) {
      const unsigned row = rows.begin + i;
      if (valid && lane_ % 4 == 0) hand_on(&words_.middle[row], shared_.state[row] + sum, tag_);
    });
  }

  __device__ void feed_forward(unsigned layer) {
    const share pairs = pairs_of_gate();
    four x;
    take_state(words_.middle, tag_, 2 * layer + 1, x);
    multiply<true>(2 * pairs.count, x, [&](unsigned i, bool valid, float sum) {
      const float y = sum * norm_scale(), up = __shfl_xor_sync(gpu::all_lanes, y, 4);
      if (valid && lane_ % 8 == 0) hand_on(&words_.activations[pairs.begin + i / 2], gated(y, up), tag_);
    });
    multiply_long(rows_of_down(layer));
  }

  // Rows of `between` columns, of which a lane takes twice eight.
  __device__ void multiply_long(share rows) {
    const unsigned column = 2 * 8 * gpu::warp_lanes * warp_ + 8 * lane_;
    float x[2][8];
#pragma unroll
    for (unsigned i = 0; i < 2; ++i) {
      float4 a[2];
      await<2>(&words_.activations[column + 8 * gpu::warp_lanes * i], 4, tag_, a);
      x[i][0] = a[0].x, x[i][1] = a[0].y, x[i][2] = a[0].z, x[i][3] = a[0].w;
      x[i][4] = a[1].x, x[i][5] = a[1].y, x[i][6] = a[1].z, x[i][7] = a[1].w;
    }

    for (unsigned row = 0; row < rows.count; row += 4) {
      four s{};
#pragma unroll
      for (unsigned i = 0; i < 4; ++i) {
        if (row + i >= rows.count) break;
        const auto* const weights =
            reinterpret_cast<const uint4*>(await_slot()) + 2 * gpu::warp_lanes * warp_ + lane_;
        const uint4 a = weights[0], b = weights[gpu::warp_lanes];
        free_slot();
        add_products(s[i], a, x[0]), add_products(s[i], b, x[1]);
      }
      const float sum = sums_of_four(s);
      if (lane_ % 8 == 0) shared_.partial[turn_][(row + lane_ / 8) * pitch + warp_] = sum;
    }
    add_partial_sums(rows.count, [&](unsigned i, bool valid, float sum) {
      const unsigned row = rows.begin + i;
      if (valid && lane_ % 4 == 0) hand_on(&words_.state[row], shared_.state[row] + sum, tag_);
    });
  }

  __device__ void finish() {
    four x;
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
  unsigned turn_ = 0, norm_turn_ = 0, tag_ = 0;
};

#endif

}  // namespace ridge::experiments::ch10_megakernel_decode
