// SPDX-License-Identifier: Apache-2.0
#include "stopwatch.hpp"

#include <algorithm>
#include <chrono>

namespace ridge::peers {

double seconds_of(workload& subject, std::uint64_t calls) {
  const auto from = std::chrono::steady_clock::now();
  subject.run(calls);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
}

std::uint64_t calls_for(workload& subject, double seconds) {
  std::uint64_t calls = 1;
  double taken = seconds_of(subject, calls);
  while (taken < seconds / 4) {
    calls *= 2;
    taken = seconds_of(subject, calls);
  }
  const double fitting = static_cast<double>(calls) * seconds / taken;
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(fitting));
}

std::vector<double> samples(workload& subject, std::size_t count, std::uint64_t calls) {
  std::vector<double> taken;
  for (std::size_t i = 0; i < count; ++i)
    taken.push_back(seconds_of(subject, calls) / static_cast<double>(calls));
  return taken;
}

}  // namespace ridge::peers
