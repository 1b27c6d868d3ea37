// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <string>

namespace ridge::server {

// Counts the refused tokens of each address. Used by one thread.
class failure_limit final {
 public:
  using time = std::chrono::steady_clock::time_point;

  // After `most` failures within `window` an address is refused until the first of them is so long ago.
  failure_limit(std::size_t most, std::chrono::milliseconds window) : most_(most), window_(window) {}

  // Returns the seconds for which an address is refused from now on, rounded up; 0: it may try.
  [[nodiscard]] std::size_t wait_s(const std::string& address, time now);

  // Counts a failure. Addresses whose failures are all older than the window are forgotten.
  void add(const std::string& address, time now);

 private:
  void forget(time now);
  std::size_t most_;
  std::chrono::milliseconds window_;
  std::map<std::string, std::deque<time>> failures_{};
};

}  // namespace ridge::server
