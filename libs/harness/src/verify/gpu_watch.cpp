// SPDX-License-Identifier: Apache-2.0
#include "verify/gpu_watch.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

namespace ridge::harness {
namespace {

// Drivers give memory in pieces of 2 MiB.
constexpr std::size_t least_taken = std::size_t{2} << 20;

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

}  // namespace ridge::harness
