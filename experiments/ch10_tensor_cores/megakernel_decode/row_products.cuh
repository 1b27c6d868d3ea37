// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/gpu/ptx/matrix.cuh>

#include "persistent.cuh"

// Products of rows that come through the ring.
namespace ridge::experiments::ch10_megakernel_decode {

#if __CUDA_ARCH__ >= 900

// The products of a block's sixteen warps. Each takes a sixteenth of the columns of every row, so that it
// needs that part of the input alone. Matrix instructions multiply: four quarters of the warp's columns in
// four rows are their sixteen rows; the same quarters of the input, in two parts, are their eight columns. Of
// the sums those where the quarters are the same count. Two parts of bf16 hold 16 bits of an input in fp32.
class row_products {
 public:
  __device__ explicit row_products(block_places& shared)
      : shared_(shared), warp_(threadIdx.x / gpu::warp_lanes), lane_(threadIdx.x % gpu::warp_lanes) {}

 protected:
  using sums = float[4];

  // Keeps the compiler from computing addresses once for all layers, for which it has no registers.
  __device__ void forget_addresses() { asm volatile("" : "+r"(warp_), "+r"(lane_)); }

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

  block_places& shared_;
  unsigned warp_, lane_;
  ring_position next_{};
  unsigned turn_ = 0;
};

#endif

}  // namespace ridge::experiments::ch10_megakernel_decode
