// SPDX-License-Identifier: Apache-2.0
#include <ridge/measure/interference.hpp>

#include <ridge/base/units.hpp>

namespace ridge::measure {
namespace {

std::string counted(long n, const char* singular, const char* many) {
  return std::to_string(n) + ' ' + (n == 1 ? singular : many);
}

}  // namespace

bool interference::clean(const interference_bounds& bounds) const {
  return cpu_over_wall >= bounds.least_cpu_over_wall &&
         involuntary_switches <= bounds.most_involuntary_switches &&
         voluntary_switches <= bounds.most_voluntary_switches && steal_s <= bounds.most_steal_s &&
         throttled_periods <= bounds.most_throttled_periods && minor_faults <= bounds.most_minor_faults &&
         major_faults <= bounds.most_major_faults && !migrated;
}

std::vector<std::string> interference::flags(const interference_bounds& bounds) const {
  std::vector<std::string> found;
  const auto add = [&](bool out, std::string words) {
    if (out) found.push_back(std::move(words));
  };
  add(cpu_over_wall < bounds.least_cpu_over_wall,
      format_quantity(1 - cpu_over_wall, "1", 2) + " of the time not running");
  add(involuntary_switches > bounds.most_involuntary_switches,
      counted(involuntary_switches, "involuntary switch", "involuntary switches"));
  add(voluntary_switches > bounds.most_voluntary_switches,
      counted(voluntary_switches, "voluntary switch", "voluntary switches"));
  add(steal_s > bounds.most_steal_s, format_quantity(steal_s, "s", 2) + " stolen by the hypervisor");
  add(throttled_periods > bounds.most_throttled_periods,
      counted(throttled_periods, "period", "periods") + " throttled by the control group");
  add(minor_faults > bounds.most_minor_faults, counted(minor_faults, "page fault", "page faults"));
  add(major_faults > bounds.most_major_faults,
      counted(major_faults, "page fault", "page faults") + " from disk");
  add(migrated, "moved to another CPU");
  return found;
}

}  // namespace ridge::measure
