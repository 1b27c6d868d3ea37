// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <ridge/host/open_file.hpp>

#include "goodput_loop.hpp"

namespace ridge::experiments::ch01_goodput_loop {

[[nodiscard]] inline std::size_t windows_of(const workload& w) {
  return (w.samples + window_rows - 1) / window_rows;
}
// Rows of window `index` of the file; only the last may have fewer than window_rows.
[[nodiscard]] std::size_t rows_of(const workload& w, std::size_t index);

// The parts of loading a window; none allocates.
class record_file {
 public:
  explicit record_file(const workload& w);
  // The records of window `index`, from storage. Throws io_failure.
  void read_window(std::size_t index, std::span<std::byte> raw) const;
  // Asks the kernel to begin reading window `index` into its page cache; returns at once.
  void expect_window(std::size_t index) const;

 private:
  const workload& of_;
  host::open_file file_;
};
// Throws corrupt_record (a failure) when a record's checksum is wrong.
void decode_window(const workload& w, std::span<const std::byte> raw, std::span<float> features,
                   std::span<std::uint8_t> labels);
// Order in which the windows of the file are visited; a ragged one comes last.
void order_windows(const workload& w, std::span<std::uint32_t> order);
// Order in which the rows of window `index` are visited.
void order_rows(const workload& w, std::size_t index, std::span<std::uint32_t> order);
// to's rows become the rows `order` of from; order has as many entries as `to` has labels.
void gather(const ch01_mlp::samples& from, std::span<const std::uint32_t> order, std::span<float> features,
            std::span<std::uint8_t> labels);

}  // namespace ridge::experiments::ch01_goodput_loop
