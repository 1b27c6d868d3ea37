// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <ridge/harness/setup.hpp>
#include <ridge/host/hand_over.hpp>
#include <ridge/host/open_file.hpp>

#include "goodput_loop.hpp"
#include "records.hpp"

namespace ridge::experiments::ch01_goodput_loop {

[[nodiscard]] inline std::size_t windows_of(const workload& w) {
  return (w.samples + window_rows - 1) / window_rows;
}
// Rows of window `index` of the file; only the last may have fewer than window_rows.
[[nodiscard]] std::size_t rows_of(const workload& w, std::size_t index);

// Reads the windows of the training file; it allocates nothing.
class record_file {
 public:
  explicit record_file(const workload& w);
  // Reads the records of window `index` from storage. Throws io_failure.
  void read_window(std::size_t index, std::span<std::byte> raw) const;
  // Asks the kernel to begin reading window `index` into its page cache; returns at once.
  void expect_window(std::size_t index) const;

 private:
  const workload& workload_;
  host::open_file file_;
};
// Decodes the records of a window. Throws failure when a record's checksum or label is wrong.
void decode_window(const workload& w, std::span<const std::byte> raw, std::span<float> features,
                   std::span<std::uint8_t> labels);
// Sets `order` to the order in which the windows of the file are visited; a ragged one comes last.
void order_windows(const workload& w, std::span<std::uint32_t> order);
// Sets `order` to the order in which the rows of window `index` are visited.
void order_rows(const workload& w, std::size_t index, std::span<std::uint32_t> order);
// Copies rows order[0], order[1], ... of `source` to `features` and `labels`, which have as many rows as
// `order` has entries.
void gather(const mlp::samples& source, std::span<const std::uint32_t> order, std::span<float> features,
            std::span<std::uint8_t> labels);

// Room for the samples of one window. `Room` gives memory as setup::workspace does; the host must reach it.
struct window_slot {
  template <class Room>
  explicit window_slot(Room& s)
      : features(s.template workspace<float>(window_rows * features_per_record)),
        labels(s.template workspace<std::uint8_t>(window_rows)) {}
  [[nodiscard]] mlp::samples view() const {
    return {features.first(rows * features_per_record), labels.first(rows)};
  }
  std::span<float> features;
  std::span<std::uint8_t> labels;
  std::size_t rows = 0;
};

// Loads windows into slots by way of buffers that it makes once.
class window_loader {
 public:
  template <class Room>
  window_loader(const workload& w, Room& s)
      : raw_(s.template workspace<std::byte>(window_rows * record_bytes)),
        decoded_(s),
        rows_(s.template workspace<std::uint32_t>(window_rows)),
        windows_(s.template workspace<std::uint32_t>(windows_of(w))) {}

  // Returns the order of an epoch's windows, valid until the next call.
  [[nodiscard]] std::span<const std::uint32_t> begin_epoch(const workload& w) {
    order_windows(w, windows_);
    return windows_;
  }
  // `mark(phase)` returns something that lives as long as the phase lasts.
  template <class Mark>
  void load(const workload& w, const record_file& file, std::size_t window, window_slot& slot, Mark mark) {
    slot.rows = decoded_.rows = rows_of(w, window);
    const auto raw = raw_.first(slot.rows * record_bytes);
    const auto order = rows_.first(slot.rows);
    {
      [[maybe_unused]] const auto marked = mark(ch01_goodput_loop::read);
      file.read_window(window, raw);
    }
    {
      [[maybe_unused]] const auto marked = mark(ch01_goodput_loop::decode);
      decode_window(w, raw, decoded_.features, decoded_.labels.first(slot.rows));
    }
    [[maybe_unused]] const auto marked = mark(ch01_goodput_loop::shuffle);
    order_rows(w, window, order);
    gather(decoded_.view(), order, slot.features, slot.labels);
  }

 private:
  std::span<std::byte> raw_;
  window_slot decoded_;
  std::span<std::uint32_t> rows_;
  std::span<std::uint32_t> windows_;
};

// Runs on the loading thread of an epoch: fills two slots in turn, and asks the kernel to read ahead one
// window.
void load_ahead(const workload& w, window_loader& loader, std::array<window_slot, 2>& slots,
                host::hand_over& in_turn);

}  // namespace ridge::experiments::ch01_goodput_loop
