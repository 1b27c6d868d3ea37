// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/approximate.cuh>
#include <ridge/gpu/reduce.cuh>

#include "flash_attention_forward.hpp"

namespace ridge::experiments::ch10_flash_attention_forward {
namespace {

constexpr unsigned threads = 256;

// A block normalizes a row: it reads the scores twice.
__global__ void __launch_bounds__(threads) softmax_of_rows(score_rows w, float scale) {
  const std::size_t row = blockIdx.x, query = row % w.tokens, seen = w.causal ? query + 1 : w.tokens;
  const float* scores = w.scores + row * w.pitch;
  float most = gpu::most_of::neutral, sum = 0;
  for (std::size_t j = threadIdx.x; j < seen; j += threads) {
    const float score = scores[j] * scale, larger = fmaxf(most, score);
    sum = sum * gpu::ptx::ex2_approx_ftz(most - larger) + gpu::ptx::ex2_approx_ftz(score - larger);
    most = larger;
  }
  const float of_row = gpu::over_block(most, gpu::most_of{});
  const float factor = 1 / gpu::over_block(sum * gpu::ptx::ex2_approx_ftz(most - of_row), gpu::sum_of{});
  for (std::size_t j = threadIdx.x; j < w.tokens; j += threads) {
    const float weight = j < seen ? gpu::ptx::ex2_approx_ftz(scores[j] * scale - of_row) * factor : 0;
    w.weights[row * w.pitch + j] = bf16(weight);
  }
}

}  // namespace

void launch_softmax(const score_rows& w, float scale, stream queue) {
  gpu::launch(softmax_of_rows, {static_cast<unsigned>(w.rows), threads, 0, queue}, w, scale * 1.44269504F);
}

}  // namespace ridge::experiments::ch10_flash_attention_forward
