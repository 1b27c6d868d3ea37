// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <thread>
#include <vector>

namespace ridge::peers {

// Runs threads that compete for processor and memory until it is destroyed: bursts of passes over 32 MiB and
// of arithmetic, with pauses of random length between them.
class neighbours {
 public:
  explicit neighbours(int count);

 private:
  std::vector<std::jthread> threads_;
};

}  // namespace ridge::peers
