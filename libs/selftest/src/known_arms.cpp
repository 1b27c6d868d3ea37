// SPDX-License-Identifier: Apache-2.0
#include "known_arms.hpp"

#include <cmath>
#include <span>

#include <ridge/base/byte_units.hpp>
#include <ridge/harness/session.hpp>

namespace ridge::selftest {
namespace {

constexpr std::size_t chain_steps = 8000;
constexpr std::size_t cache_elements = 400 * kib / sizeof(float);
constexpr std::size_t memory_elements = 64 * mib / sizeof(float);

[[gnu::noinline]] std::uint64_t chain(std::size_t steps) {
  std::uint64_t x = 88172645463325252u;
  for (std::size_t i = 0; i < steps; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    asm volatile("" : "+r"(x));
  }
  return x;
}

[[gnu::noinline]] float sum(std::span<const float> data) {
  float lanes[32] = {};
  std::size_t i = 0;
  for (; i + 32 <= data.size(); i += 32) {
    for (std::size_t k = 0; k < 32; ++k) lanes[k] += data[i + k];
  }
  for (; i < data.size(); ++i) lanes[0] += data[i];
  float total = 0;
  for (const float lane : lanes) total += lane;
  return total;
}

std::size_t base_amount(workload kind) {
  return kind == workload::registers ? chain_steps
         : kind == workload::cache   ? cache_elements
                                     : memory_elements;
}

}  // namespace

known_arms::known_arms(workload kind, double extra) : kind_(kind) {
  amount_[0] = base_amount(kind);
  amount_[1] = static_cast<std::size_t>(std::llround(static_cast<double>(amount_[0]) * (1 + extra)));
  if (kind != workload::registers) {
    data_.resize(std::max(amount_[0], amount_[1]));
    for (std::size_t i = 0; i < data_.size(); ++i) data_[i] = static_cast<float>(i % 17);
  }
}

double known_arms::true_ratio() const {
  return static_cast<double>(amount_[0]) / static_cast<double>(amount_[1]);
}

harness::sample known_arms::run(std::size_t arm, std::uint64_t n) {
  const auto amount = amount_[arm];
  const double start = harness::monotonic_seconds();
  for (std::uint64_t i = 0; i < n; ++i) {
    if (kind_ == workload::registers) {
      auto result = chain(amount);
      asm volatile("" : : "r"(result));
    } else {
      auto result = sum(std::span(data_).first(amount));
      asm volatile("" : : "m"(result));
    }
  }
  const double seconds = harness::monotonic_seconds() - start;
  value_ = seconds / static_cast<double>(n);
  return {seconds, {&value_, 1}};
}

}  // namespace ridge::selftest
