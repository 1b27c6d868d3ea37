// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <ridge/host/pages.hpp>
#include <ridge/measure/clock.hpp>

#include "storage/block_engine.hpp"

namespace ridge::backends::probe_host {

// Which requests a file is sent.
struct pattern {
  bool writes = false;
  bool random = false;  // else one after the other, and again from the beginning
  std::size_t bytes = 0;
  int depth = 1;  // in flight
};

// Requests to the first `size` bytes of a file, all of which hold random data; each 4 KiB begins with a stamp
// of its place, which is written with it and checked when it is read. Throws failure where another one is
// found.
class request_stream final {
 public:
  request_stream(std::unique_ptr<block_engine> engine, int descriptor, std::size_t size, pattern access);

  // Done, one after the other, until `enough` answers yes to (requests finished, seconds since the begin);
  // those in flight are then waited for, and not counted.
  void run(const measure::clock& clock, const std::function<bool(std::size_t done, double seconds)>& enough);

 private:
  [[nodiscard]] transfer next(std::size_t slot);
  void stamp(std::size_t slot, std::uint64_t offset);
  void check(std::size_t slot) const;
  std::byte* memory_of(std::size_t slot) const;
  int descriptor_;
  std::size_t requests_;  // that the file has room for
  pattern access_;
  host::region memory_;
  std::vector<std::uint64_t> offsets_;
  std::uint64_t position_ = 0, seed_ = 0x9e3779b97f4a7c15;
  std::unique_ptr<block_engine> by_;  // ends first: until then requests may reach the memory
};

// Rates in bytes per second of windows of the requests, each of a few of them and a twentieth of the time;
// where the storage is too slow for windows, of all.
[[nodiscard]] std::vector<double> rates_of(request_stream& stream, pattern access,
                                           const measure::clock& clock, double time_s);

// Writes the file's first `room` bytes for as long as `time_s` allow, at least 8 MiB; how many.
[[nodiscard]] std::size_t fill(std::unique_ptr<block_engine> engine, int descriptor, std::size_t room,
                               const measure::clock& clock, double time_s);
inline constexpr int fill_depth = 8;

}  // namespace ridge::backends::probe_host
