// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/clock_events.hpp>

#include <utility>

#include <fmt/format.h>

namespace ridge::gpu {
namespace {

constexpr std::pair<std::uint64_t, const char*> names[] = {
    {clock_events::idle_bit, "idle"},
    {clock_events::clocks_set_bit, "clocks set by the user"},
    {clock_events::power_cap_bit, "power cap"},
    {clock_events::hardware_slowdown_bit, "hardware slowdown"},
    {clock_events::sync_boost_bit, "sync boost"},
    {clock_events::thermal_slowdown_bit, "thermal slowdown"},
    {clock_events::hardware_thermal_slowdown_bit, "hardware thermal slowdown"},
    {clock_events::power_brake_bit, "power brake"},
    {clock_events::display_clock_bit, "display clock"},
};

std::string name_of(std::uint64_t bit) {
  for (const auto& [known, name] : names) {
    if (known == bit) return name;
  }
  return fmt::format("unknown reason {:#x}", bit);
}

}  // namespace

clock_events clock_events::throttling() const {
  return {bits & ~(idle_bit | clocks_set_bit | display_clock_bit)};
}

std::vector<std::string> clock_events::words() const {
  std::vector<std::string> found;
  for (auto rest = bits; rest != 0; rest &= rest - 1) found.push_back(name_of(rest & (~rest + 1)));
  return found;
}

}  // namespace ridge::gpu
