// SPDX-License-Identifier: Apache-2.0
#include "neighbours.hpp"

#include <cstddef>
#include <cstdint>

#include <ridge/host/affinity.hpp>

namespace ridge::selftest {
namespace {

void be_busy(const std::atomic<bool>& stop) {
  host::set_affinity(host::process_cpus());
  std::vector<std::uint32_t> own(std::size_t{1} << 18, 1);
  std::uint32_t at = 1;
  while (!stop.load(std::memory_order_relaxed)) {
    for (int i = 0; i < 4096; ++i) {
      at = at * 1664525u + 1013904223u;
      own[at % own.size()] += at;
    }
  }
}

}  // namespace

neighbours::neighbours(int count) {
  for (int i = 0; i < count; ++i) threads_.emplace_back([this] { be_busy(stop_); });
}

neighbours::~neighbours() {
  stop_ = true;
  for (auto& thread : threads_) thread.join();
}

}  // namespace ridge::selftest
