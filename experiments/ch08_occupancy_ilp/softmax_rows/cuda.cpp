// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <ridge/harness/experiment.hpp>
#include <ridge/vendor/cudnn.hpp>

#include "softmax_rows.hpp"

namespace ridge::experiments::ch08_softmax_rows {
namespace {

auto by_cudnn(workload& shape, setup& s) {
  vendor::cudnn_softmax softmax(shape.rows, shape.columns, s.queue());
  return [softmax = std::move(softmax)](workload& w, call&) {
    softmax.enqueue(w.source.data(), w.target.data());
  };
}

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "block_a_row",
       .is = role::baseline,
       .idea = "256 threads read their row three times: for the largest, for the sum, for the result",
       .run = enqueues(launch_block_a_row)},
      {.name = "block_in_registers",
       .idea = "256 threads hold their row in registers: it is read once, by 16-byte loads",
       .run = enqueues(launch_block_in_registers)},
      {.name = "fitted_rows",
       .idea = "32 elements in each thread, so that a warp holds a row of 1024 and needs no barrier",
       .run = enqueues(launch_fitted_rows)},
      {.name = "cudnn",
       .is = role::comparator,
       .idea = "cudnnSoftmaxForward, accurate",
       .run = by_cudnn,
       .needs = {.library = "cudnn"},
       .within = tolerance{.abs = 1e-30, .rel = 0x1p-6},
       .tolerance_reason = "cuDNN rounds to bf16 once more on the way"},
  };
}

}  // namespace ridge::experiments::ch08_softmax_rows
