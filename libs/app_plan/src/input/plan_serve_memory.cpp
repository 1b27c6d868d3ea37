// SPDX-License-Identifier: Apache-2.0
#include "input/plan_serve_memory.hpp"

#include <algorithm>
#include <cmath>

#include <sys/resource.h>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/host/topology.hpp>

namespace ridge::app_plan {

double bytes_of(const simulated_requests& r) {
  constexpr double request_bytes = 137, name_bytes = 32;
  return r.count * (request_bytes + name_bytes * r.blocks_a_prompt);
}

double free_bytes() {
  const auto machine = host::read_topology();
  double free = static_cast<double>(machine.usable_memory_bytes());
  if (machine.available_bytes > 0) free = std::min(free, static_cast<double>(machine.available_bytes));
  rlimit space{};
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
    free = std::min(free, static_cast<double>(space.rlim_cur));
  return free;
}

result<void> check_memory(const simulated_requests& r, double free) {
  const double needed = bytes_of(r);
  if (needed <= free) return {};
  return error{
      fmt::format("{:.0f} requests take {} of memory, and {} are free", r.count, format_quantity(needed, "B"),
                  format_quantity(free, "B")),
      fmt::format("give at most {:.0f} (--requests, --repeat, --limit): percentiles of a steady load "
                  "hardly change beyond a million",
                  std::floor(free / needed * r.count))};
}

}  // namespace ridge::app_plan
