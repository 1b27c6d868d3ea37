// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/ceilings.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace ridge::harness {
namespace {

constexpr double latency_below = 0.02;
// The bandwidth probe's arrays are a good multiple of the nearer caches; much smaller ones may live in those,
// where another ceiling holds.
constexpr double comparable_size = 0.125;

std::string label(const model::ceiling& c) {
  return fmt::format("{}, {} thread{}", c.id, c.threads, c.threads == 1 ? "" : "s");
}

const model::ceiling* row(const model::peak& peak, std::string_view id, int threads) {
  const auto* exact = peak.find(id, threads);
  return exact ? exact : peak.find(id);
}

}  // namespace

ceiling_share share_of_ceiling(const model::peak& peak, double flop, double bytes, double seconds,
                               int threads, double array_bytes, dtype arithmetic) {
  const auto* bandwidth = row(peak, "cpu.triad", threads);
  const auto* multiply_add = row(peak, fmt::format("cpu.fma.{}", name(arithmetic)), threads);
  if (bandwidth && array_bytes < comparable_size * bandwidth->size_bytes) bandwidth = nullptr;
  const double moving = bandwidth && bandwidth->value > 0 ? bytes / bandwidth->value : 0;
  const double computing = multiply_add && multiply_add->value > 0 ? flop / multiply_add->value : 0;
  const double least = std::max(moving, computing);
  if (least <= 0 || seconds <= 0) return {};
  const double share = least / seconds;
  const bool memory = moving >= computing;
  auto bound = memory ? model::bound::memory : model::bound::compute;
  if (share < latency_below) bound = model::bound::latency;
  return {.share = share, .id = label(memory ? *bandwidth : *multiply_add), .bound = bound};
}

}  // namespace ridge::harness
