// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <ridge/harness/experiment.hpp>

#include "row_sizes.hpp"

namespace ridge::experiments::ch01_double_buffering {

// Rows of `row_blocks` blocks are gathered from all over a table into a buffer (the transfer); then each row
// is divided by 8 times its root mean square and put through a polynomial (the compute), which needs the
// whole row first.
struct workload {
  input<float> table{};          // blocks of block_floats
  input<std::uint32_t> order{};  // the blocks in the order the rows want them, each once
  input<float> coefficients{};   // highest power first
  output<float> result{};        // in that order
};

inline constexpr phase transfer{"transfer"}, compute{"compute"}, wait{"wait"};

[[nodiscard]] inline std::size_t rows_of(const workload& w) {
  return (w.order.size() + row_blocks - 1) / row_blocks;
}
// Copies the blocks of `row` into `buffer`, which holds row_floats; returns the part filled, all of it but
// for the last row.
std::span<const float> transfer_row(const workload& w, std::size_t row, std::span<float> buffer);
// Writes the results of `row` from its values.
void compute_row(const workload& w, std::size_t row, std::span<const float> values);
// Writes all results, computed in double.
void compute_in_double(workload& w);
// One result, computed in double; reads its row.
[[nodiscard]] double element_in_double(const workload& w, std::size_t i);

ladder<workload> cpu();
[[gnu::weak]] ladder<workload> cuda();

}  // namespace ridge::experiments::ch01_double_buffering
