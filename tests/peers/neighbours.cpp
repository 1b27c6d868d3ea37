// SPDX-License-Identifier: Apache-2.0
#include "neighbours.hpp"

#include <chrono>
#include <random>

#include "workload.hpp"

namespace ridge::peers {
namespace {

void disturb(const std::stop_token& stop, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> milliseconds(0, 20);
  const auto memory = array_pass("neighbour", 32 << 20);
  const auto arithmetic = register_bound();
  while (!stop.stop_requested()) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds(random));
    workload& now = random() % 2 == 0 ? *memory : *arithmetic;
    while (std::chrono::steady_clock::now() < until) now.run(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds(random) / 4));
  }
}

}  // namespace

neighbours::neighbours(int count) {
  for (int i = 0; i < count; ++i) threads_.emplace_back(disturb, static_cast<unsigned>(i + 1));
}

}  // namespace ridge::peers
