// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/copies.hpp>

#include <array>

namespace ridge::trace {

std::int64_t copy_size_class_begin(int size_class) {
  constexpr std::array<std::int64_t, copy_size_classes> begins{0,       1 << 10, 1 << 12, 1 << 14, 1 << 16,
                                                               1 << 18, 1 << 20, 1 << 24, 1 << 28};
  return begins.at(static_cast<std::size_t>(size_class));
}

double copy_sum::bytes_per_s() const {
  return ns > 0 ? static_cast<double>(bytes) * 1e9 / static_cast<double>(ns) : 0;
}

void copy_sum::add(std::int64_t more_bytes, nanoseconds more_ns) {
  ++count;
  bytes += more_bytes;
  ns += more_ns;
}

bool copy_group::pageable() const { return from == memory_kind::pageable || to == memory_kind::pageable; }

std::optional<double> copy_group::achieved(double peak_bytes_per_s) const {
  if (large.count == 0 || peak_bytes_per_s <= 0) return {};
  return large.bytes_per_s() / peak_bytes_per_s;
}

copy_report copies_of(const trace&, std::span<const work_class>, std::int32_t device,
                      std::optional<time_range>, std::span<const time_range>) {
  return {.device = device};
}

}  // namespace ridge::trace
