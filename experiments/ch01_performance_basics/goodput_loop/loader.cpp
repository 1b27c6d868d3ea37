// SPDX-License-Identifier: Apache-2.0
#include "loader.hpp"

#include <algorithm>
#include <cerrno>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include <ridge/base/error.hpp>

namespace ridge::experiments::ch01_goodput_loop {

std::size_t rows_of(const workload& w, std::size_t index) {
  return std::min(window_rows, w.samples - index * window_rows);
}

record_file::record_file(const workload& w) : workload_(w), file_(w.records.path, O_RDONLY) {}

void record_file::read_window(std::size_t index, std::span<std::byte> raw) const {
  auto offset = static_cast<off_t>(index * window_rows * record_bytes);
  while (!raw.empty()) {
    const auto got = ::pread(file_.descriptor(), raw.data(), raw.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      throw io_failure("read", workload_.records.path, got < 0 ? errno : EIO, "the file is too short");
    raw = raw.subspan(static_cast<std::size_t>(got));
    offset += got;
  }
}

void record_file::expect_window(std::size_t index) const {
  const auto offset = static_cast<off_t>(index * window_rows * record_bytes);
  const auto bytes = static_cast<off_t>(rows_of(workload_, index) * record_bytes);
  // This is advice: a kernel or file system that ignores it costs time, not correctness.
  static_cast<void>(::posix_fadvise(file_.descriptor(), offset, bytes, POSIX_FADV_WILLNEED));
}

void decode_window(const workload& w, std::span<const std::byte> raw, std::span<float> features,
                   std::span<std::uint8_t> labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto record = raw.subspan(i * record_bytes, record_bytes);
    if (!decode_record(record, features.subspan(i * features_per_record, features_per_record), labels[i])) {
      throw failure({w.records.path + ": a record's checksum or label is wrong", "write the file again"});
    }
  }
}

void order_windows(const workload& w, std::span<std::uint32_t> order) {
  const auto whole = w.samples / window_rows;
  draw_order(order.first(whole), w.order_seed[0]);
  if (whole < order.size()) order[whole] = static_cast<std::uint32_t>(whole);
}

void order_rows(const workload& w, std::size_t index, std::span<std::uint32_t> order) {
  draw_order(order, (static_cast<std::uint64_t>(w.order_seed[0]) << 32U) + index + 1);
}

void gather(const mlp::samples& source, std::span<const std::uint32_t> order, std::span<float> features,
            std::span<std::uint8_t> labels) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto row = source.features.subspan(order[i] * features_per_record, features_per_record);
    std::ranges::copy(row, features.begin() + static_cast<std::ptrdiff_t>(i * features_per_record));
    labels[i] = source.labels[order[i]];
  }
}

void load_ahead(const workload& w, window_loader& loader, std::array<window_slot, 2>& slots,
                host::hand_over& in_turn) {
  host::stop_on_failure guard(in_turn);
  const record_file file(w);
  const auto order = loader.begin_epoch(w);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i + 1 < order.size()) file.expect_window(order[i + 1]);
    if (!in_turn.wait_for_free()) return;
    loader.load(w, file, order[i], slots[in_turn.free_slot()], [](phase p) { return p; });
    in_turn.publish();
  }
  guard.done();
}

}  // namespace ridge::experiments::ch01_goodput_loop
