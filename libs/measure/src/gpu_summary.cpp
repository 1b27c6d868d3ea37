// SPDX-License-Identifier: Apache-2.0
#include <ridge/measure/gpu_summary.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>

namespace ridge::measure {
namespace {

std::optional<spread> spread_of(std::span<const gpu_state> blocks,
                                std::optional<double> gpu_state::*quantity) {
  std::vector<double> known;
  for (const auto& block : blocks) {
    if (const auto& read = block.*quantity; read && std::isfinite(*read)) known.push_back(*read);
  }
  if (known.empty()) return std::nullopt;
  std::ranges::sort(known);
  const auto n = known.size();
  return spread{(known[(n - 1) / 2] + known[n / 2]) / 2, known.front(), known.back()};
}

double part_of(std::size_t few, std::size_t all) {
  return static_cast<double>(few) / static_cast<double>(all);
}

void count_reasons(std::span<const gpu_state> blocks, gpu_summary& summary) {
  std::map<std::string, std::size_t> found;
  std::size_t known = 0, throttled = 0;
  for (const auto& block : blocks) {
    if (!block.throttled_by) continue;
    ++known;
    if (!block.throttled_by->empty()) ++throttled;
    for (const auto& reason : std::set(block.throttled_by->begin(), block.throttled_by->end())) {
      ++found[reason];
    }
  }
  if (known == 0) return;
  summary.throttled_share = part_of(throttled, known);
  for (const auto& [reason, count] : found) summary.reasons.push_back({reason, part_of(count, known)});
  std::ranges::stable_sort(summary.reasons, std::greater{}, &reason_share::share);
}

std::string in_words(const spread& clock) {
  auto middle = fmt::format("SM clock {:.0f} MHz", clock.median);
  if (clock.least == clock.most) return middle;
  return middle + fmt::format(" ({:.0f}..{:.0f})", clock.least, clock.most);
}

std::string in_words(const std::string& label, double share) {
  return label + " in " + format_quantity(share, "1", 2) + " of blocks";
}

}  // namespace

gpu_summary summarize(std::span<const gpu_state> blocks) {
  gpu_summary summary;
  summary.blocks = blocks.size();
  if (blocks.empty()) return summary;
  summary.sm_clock_mhz = spread_of(blocks, &gpu_state::sm_clock_mhz);
  if (const auto power = spread_of(blocks, &gpu_state::power_w)) summary.median_power_w = power->median;
  if (const auto heat = spread_of(blocks, &gpu_state::temperature_c)) summary.most_temperature_c = heat->most;
  count_reasons(blocks, summary);
  const auto idle = std::ranges::count(blocks, true, &gpu_state::idle);
  summary.idle_share = part_of(static_cast<std::size_t>(idle), blocks.size());
  return summary;
}

std::string gpu_summary::text() const {
  if (blocks == 0) return "no readings of the GPU";
  std::vector<std::string> parts;
  parts.push_back(sm_clock_mhz ? in_words(*sm_clock_mhz) : "SM clock unknown");
  if (median_power_w) parts.push_back(fmt::format("{:.0f} W", *median_power_w));
  if (most_temperature_c) parts.push_back(fmt::format("{:.0f} C", *most_temperature_c));
  if (!throttled_share) parts.emplace_back("throttling unknown");
  if (throttled_share == 0.0) parts.emplace_back("not throttled");
  for (const auto& [reason, share] : reasons) parts.push_back(in_words(reason, share));
  if (idle_share > 0) parts.push_back(in_words("idle", idle_share));
  return join(parts, ", ");
}

}  // namespace ridge::measure
