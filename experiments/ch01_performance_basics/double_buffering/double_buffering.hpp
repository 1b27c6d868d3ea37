// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch01_double_buffering {

inline constexpr std::size_t block_floats = 64;
inline constexpr std::size_t row_blocks = 128;
inline constexpr std::size_t row_floats = row_blocks * block_floats;

// Rows of `row_blocks` blocks are gathered from all over a table into a buffer (the transfer); then each row
// is divided by 8 times its root mean square and put through a polynomial (the compute), which needs the
// whole row first.
struct workload {
  input<float> table{};          // blocks of block_floats
  input<std::uint32_t> order{};  // the blocks in the order the rows want them, each once
  input<float> coefficients{};   // highest power first
  output<float> result{};        // rows in that order
};

inline constexpr phase transfer{"transfer"}, compute{"compute"}, wait{"wait"};

[[nodiscard]] inline std::size_t rows_of(const workload& w) {
  return (w.order.size() + row_blocks - 1) / row_blocks;
}
// In rows.cpp. Copies the blocks of `row` into `buffer`, which holds row_floats; returns the part filled, all
// of it but for the last row.
std::span<const float> transfer_row(const workload& w, std::size_t row, std::span<float> buffer);
// Writes the results of `row` from its values.
void compute_row(const workload& w, std::size_t row, std::span<const float> values);
// Writes all results, computed in double.
void compute_in_double(workload& w);
// Returns one result, computed in double; it reads the whole row.
[[nodiscard]] double element_in_double(const workload& w, std::size_t i);

// In kernels.cu. Returns the address under which the device reads pinned host memory. Throws failure where it
// cannot.
[[nodiscard]] std::span<const float> seen_by_device(std::span<const float> pinned);
// Enqueues the transfer: target[b] = table[wanted[b]], block by block. `table` may lie in pinned host memory;
// the rest on the device.
void gather_blocks(std::span<const float> table, std::span<const std::uint32_t> wanted,
                   std::span<float> target, stream queue);
// Enqueues the compute of whole rows (the last may be shorter) in place; all on the device.
void compute_rows(std::span<const float> coefficients, std::span<float> values, stream queue);
// Enqueues both in one kernel: the rows are gathered out of the device's own memory.
void compute_gathered_rows(std::span<const float> table, std::span<const std::uint32_t> order,
                           std::span<const float> coefficients, std::span<float> result, stream queue);

[[gnu::weak]] ladder<workload> cuda();

}  // namespace ridge::experiments::ch01_double_buffering
