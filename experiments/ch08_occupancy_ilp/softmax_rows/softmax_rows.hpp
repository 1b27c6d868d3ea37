// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/base/element.hpp>
#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch08_softmax_rows {

// Each row of `target` is exp(x - m) / sum of exp(x - m) over the row x of `source`, with m its largest
// element.
struct workload {
  std::size_t rows = 0, columns = 0;
  input<bf16> source{};
  output<bf16> target{};
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues a softmax of kernels.cu on `queue`. A block of 256 threads a row, which it reads three times;
// a block a row that it holds in registers; as many threads a row as hold 32 elements each, at least a warp,
// which then needs no barrier. Rows that are no whole vectors of eight elements, or too long for registers,
// go to the first.
void launch_block_a_row(const workload& w, stream queue);
void launch_block_in_registers(const workload& w, stream queue);
void launch_fitted_rows(const workload& w, stream queue);

}  // namespace ridge::experiments::ch08_softmax_rows
