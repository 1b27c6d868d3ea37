// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "xplane_reading.hpp"

namespace ridge::backends::trace_xplane {
namespace {

std::map<std::string_view, stat_value> stats_of(const plane& p) {
  std::map<std::string_view, stat_value> all;
  for (const auto message : p.stats) {
    const auto s = read_stat(message, p.stat_names);
    const auto at = p.stat_names.find(s.id);
    if (at != p.stat_names.end()) all.insert_or_assign(at->second, s);
  }
  return all;
}

}  // namespace

void read_device_facts(xplane_reading& reading, const plane& p, std::int32_t device) {
  const auto stats = stats_of(p);
  const auto whole = [&](std::string_view name) {
    const auto at = stats.find(name);
    return at == stats.end() ? 0 : std::max<std::int64_t>(at->second.whole, 0);
  };
  const auto small = [&](std::string_view name) {
    return static_cast<int>(std::min<std::int64_t>(whole(name), std::numeric_limits<int>::max()));
  };
  const auto model = stats.find("device_type_string");
  reading.builder.facts().devices.push_back(
      {.id = device,
       .name = model == stats.end() ? std::string() : std::string(model->second.text),
       .memory_bytes = whole("memory_size"),
       .sms = small("core_count"),
       .compute_major = small("compute_cap_major"),
       .compute_minor = small("compute_cap_minor"),
       .memory_bytes_per_s = static_cast<double>(whole("memory_bandwidth")),
       .clock_hz = 1e3 * static_cast<double>(whole("clock_rate"))});
}

void read_start_time(xplane_reading& reading, const plane& p) {
  const auto stats = stats_of(p);
  const auto at = stats.find("profile_start_time");
  if (at != stats.end() && trace::is_a_time(at->second.whole)) reading.profile_start_ns = at->second.whole;
}

}  // namespace ridge::backends::trace_xplane
