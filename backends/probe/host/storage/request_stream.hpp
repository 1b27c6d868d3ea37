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

// The pattern of the requests to a file.
struct pattern {
  bool writes = false;
  bool random = false;  // false: one after the other, then again from the beginning
  std::size_t bytes = 0;
  int depth = 1;  // requests in flight
};

// Sends requests to the first `size` bytes of a file, all of which hold random data. Each 4 KiB starts with a
// stamp of its position, which is written with it and checked when it is read. Throws failure where another
// stamp is found.
class request_stream final {
 public:
  request_stream(std::unique_ptr<block_engine> engine, int descriptor, std::size_t size, pattern access);

  // Sends requests until `enough` returns true for the number of finished requests and the seconds since the
  // start; requests in flight are then waited for and not counted.
  void run(const measure::clock& clock, const std::function<bool(std::size_t done, double seconds)>& enough);

 private:
  [[nodiscard]] transfer next(std::size_t slot);
  void stamp(std::size_t slot, std::uint64_t offset);
  void check(std::size_t slot) const;
  std::byte* memory_of(std::size_t slot) const;
  int descriptor_;
  std::size_t requests_;  // number of requests that fit into the file
  pattern access_;
  host::region memory_;
  std::vector<std::uint64_t> offsets_;
  std::uint64_t position_ = 0, seed_ = 0x9e3779b97f4a7c15;
  std::unique_ptr<block_engine> engine_;  // destroyed first: until then requests may access the memory
};

// Returns the rates in bytes per second of windows of requests, each of a few requests and a twentieth of the
// time; one rate of all requests where the storage is too slow for windows.
[[nodiscard]] std::vector<double> rates_of(request_stream& stream, pattern access,
                                           const measure::clock& clock, double time_s);

// Writes the first `room` bytes of the file for as long as `time_s` allow, but at least 8 MiB; returns how
// many bytes it wrote.
[[nodiscard]] std::size_t fill(std::unique_ptr<block_engine> engine, int descriptor, std::size_t room,
                               const measure::clock& clock, double time_s);
inline constexpr int fill_depth = 8;

}  // namespace ridge::backends::probe_host
