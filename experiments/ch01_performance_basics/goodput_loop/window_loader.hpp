// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <ridge/harness/setup.hpp>

#include "loader.hpp"
#include "records.hpp"

namespace ridge::experiments::ch01_goodput_loop {

// Room for the samples of one window. `Room` gives memory as setup::workspace does; the host must reach it.
struct window_slot {
  template <class Room>
  explicit window_slot(Room& s)
      : features(s.template workspace<float>(window_rows * features_per_record)),
        labels(s.template workspace<std::uint8_t>(window_rows)) {}
  [[nodiscard]] ch01_mlp::samples view() const {
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

  // The order of an epoch's windows.
  [[nodiscard]] std::span<const std::uint32_t> begin_epoch(const workload& w) {
    order_windows(w, windows_);
    return windows_;
  }
  // `mark(phase)` returns something that lives as long as the phase lasts.
  template <class Mark>
  void load(const workload& w, const record_file& file, std::size_t window, window_slot& into, Mark mark) {
    into.rows = decoded_.rows = rows_of(w, window);
    const auto raw = raw_.first(into.rows * record_bytes);
    const auto order = rows_.first(into.rows);
    {
      [[maybe_unused]] const auto marked = mark(ch01_goodput_loop::read);
      file.read_window(window, raw);
    }
    {
      [[maybe_unused]] const auto marked = mark(ch01_goodput_loop::decode);
      decode_window(w, raw, decoded_.features, decoded_.labels.first(into.rows));
    }
    [[maybe_unused]] const auto marked = mark(ch01_goodput_loop::shuffle);
    order_rows(w, window, order);
    gather(decoded_.view(), order, into.features, into.labels);
  }

 private:
  std::span<std::byte> raw_;
  window_slot decoded_;
  std::span<std::uint32_t> rows_;
  std::span<std::uint32_t> windows_;
};

}  // namespace ridge::experiments::ch01_goodput_loop
