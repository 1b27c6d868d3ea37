// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/trace.hpp>
#include <ridge/trace/work_class.hpp>

// Copies between memories. Fills do not count as copies.
namespace ridge::trace {

inline constexpr int copy_size_classes = 9;
// Returns the size in bytes at which a class begins: 0, 1 KiB, 4 KiB, 16 KiB, 64 KiB, 256 KiB, 1 MiB, 16 MiB,
// 256 MiB.
[[nodiscard]] std::int64_t copy_size_class_begin(int size_class);

struct copy_sum {
  std::uint64_t count = 0;
  std::int64_t bytes = 0;
  nanoseconds ns = 0;                        // the sum of durations
  [[nodiscard]] double bytes_per_s() const;  // 0 where ns is 0
  // Adds one copy to the sum.
  void add(std::int64_t more_bytes, nanoseconds more_ns);
};

// Copies of one kind between two kinds of memory.
struct copy_group {
  copy_kind kind = copy_kind::unknown;
  memory_kind source = memory_kind::unknown, destination = memory_kind::unknown;
  copy_sum all{};
  std::array<copy_sum, copy_size_classes> sizes{};
  std::int64_t median_bytes = 0;    // the element at rank floor(n / 2)
  nanoseconds busy_ns = 0;          // union
  nanoseconds exposed_ns = 0;       // union, outside compute, fills and communication
  std::uint64_t unknown_sizes = 0;  // copies recorded with 0 bytes: they do not count in `large`
  copy_sum large{};                 // copies of 1 MiB and more: what a link's peak is held against
  work_id longest = none;
  // Returns whether one side is pageable host memory, so that the copy is staged and the call waits.
  [[nodiscard]] bool pageable() const;
  // Returns the rate of the large copies divided by `peak_bytes_per_s`, the peak of their link; nullopt
  // without large copies.
  [[nodiscard]] std::optional<double> achieved(double peak_bytes_per_s) const;
};

// One direction's copies in the steps of a window, for "many tiny copies".
struct copies_per_step {
  copy_kind kind = copy_kind::unknown;
  std::uint64_t steps = 0;
  std::uint64_t count = 0;         // in all steps
  std::uint64_t median_count = 0;  // per step: the element at rank floor(steps / 2)
  std::uint64_t max_count = 0;
  std::int64_t median_bytes = 0;  // per copy
};

struct copy_report {
  std::int32_t device = 0;
  time_range window{};
  copy_sum all{};
  nanoseconds busy_ns = 0;  // time with at least one copy
  // of it, without compute, fills or communication: the partition's exposed copies
  nanoseconds exposed_ns = 0;
  nanoseconds device_to_device_ns = 0;      // union
  nanoseconds exposed_pageable_ns = 0;      // union over groups with pageable()
  std::vector<copy_group> groups{};         // ordered by (kind, from, to)
  std::vector<copies_per_step> per_step{};  // ordered by kind; empty without steps
};

// Returns the copies of one device in `window` (default: its first start to its last end). `classes` holds
// one class for each of t.works, as classes_of() returns them. Copies that straddle an edge of the window are
// counted with all their bytes and durations where they start; busy and exposed times are cut to the window.
// `steps`: ascending windows; a copy belongs to the step in which it starts. Where a profile does not tell
// kind or memories in columns they are read from the name ("Memcpy HtoD (Pageable -> Device)").
[[nodiscard]] copy_report copies_of(const trace& t, std::span<const work_class> classes, std::int32_t device,
                                    std::optional<time_range> window = {},
                                    std::span<const time_range> steps = {});

}  // namespace ridge::trace
