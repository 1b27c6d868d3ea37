// SPDX-License-Identifier: Apache-2.0
#include "verify/gpu_watch.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/base/units.hpp>

namespace ridge::harness {
namespace {

// Drivers give memory in pieces of 2 MiB.
constexpr std::size_t least_taken = std::size_t{2} << 20;
constexpr double accident_bytes = 6 << 20;
constexpr double work_left_at_most_s = 10e-3;

std::string use_between(const device::gpu_use& before, const device::gpu_use& after) {
  if (!after.opened) return "";
  if (!before.opened) return "opened it";
  if (after.free_bytes + least_taken > before.free_bytes) return "";
  return "took " + format_quantity(static_cast<double>(before.free_bytes - after.free_bytes), "B");
}

}  // namespace

std::string gpu_watch::undeclared_use() const {
  const auto after = device_.gpus();
  for (auto i = static_cast<std::size_t>(declared_); i < std::min(before_.size(), after.size()); ++i) {
    const auto seen = use_between(before_[i], after[i]);
    if (!seen.empty())
      return fmt::format("uses GPU {} ({}) and declares {}: set .needs.gpus", i, seen, declared_);
  }
  return "";
}

verification_watch::verification_watch(device::device& device)
    : device_(device), free_before_(device.on_host() ? 0 : device.memory_bytes()) {}

std::string verification_watch::left_running() {
  if (device_.on_host()) return "";
  try {
    const double seconds = device_.wait_for_other_work();
    return seconds > work_left_at_most_s
               ? fmt::format("leaves work running for {} after its call", format_quantity(seconds, "s"))
               : "";
  } catch (const failure& lost) {
    return lost.what();
  }
}

void verification_watch::expect_answer(const std::string& refused) {
  if (device_.on_host()) return;
  try {
    device_.synchronize();
  } catch (const std::exception&) {
    throw failure({refused, "see the kernels of the variant"});
  }
}

double verification_watch::kept_bytes() const {
  if (device_.on_host()) return 0;
  const auto now = device_.memory_bytes();
  return now < free_before_ ? beyond_accident(static_cast<double>(free_before_ - now)) : 0;
}

double beyond_accident(double bytes) { return bytes > accident_bytes ? bytes : 0; }

}  // namespace ridge::harness
