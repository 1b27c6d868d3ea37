// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace ridge::selftest {

// Busy threads on the same machine, each wandering over its own 1 MiB, until the end of the scope.
class neighbours {
 public:
  explicit neighbours(int count);
  ~neighbours();
  neighbours(const neighbours&) = delete;
  neighbours& operator=(const neighbours&) = delete;

 private:
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

}  // namespace ridge::selftest
