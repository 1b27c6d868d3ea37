// SPDX-License-Identifier: Apache-2.0
#include "rocpd_extra.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <nlohmann/json.hpp>

namespace ridge::backends::trace_rocpd {
namespace {

using nlohmann::json;

std::int64_t whole(const json& agent, const char* key) {
  if (!agent.is_object()) return 0;
  const auto at = agent.find(key);
  if (at == agent.end() || !at->is_number_integer()) return 0;
  return std::clamp<std::int64_t>(at->get<std::int64_t>(), 0, std::numeric_limits<std::int64_t>::max());
}

int small(const json& agent, const char* key) {
  return static_cast<int>(std::min<std::int64_t>(whole(agent, key), 1 << 24));
}

std::int64_t memory_bytes(const json& agent) {
  std::int64_t bytes = 0;
  const auto banks = agent.is_object() ? agent.find("mem_banks") : agent.end();
  if (!agent.is_object() || banks == agent.end() || !banks->is_array()) return 0;
  for (const auto& bank : *banks) bytes += std::min(whole(bank, "size_in_bytes"), std::int64_t{1} << 50);
  return bytes;
}

}  // namespace

std::string message_in(std::string_view extra) {
  if (extra.find("\"message\"") == std::string_view::npos) return {};
  const auto parsed = json::parse(extra, nullptr, false);
  if (!parsed.is_object()) return {};
  const auto at = parsed.find("message");
  return at != parsed.end() && at->is_string() ? at->get<std::string>() : std::string();
}

trace::device_facts agent_facts(std::string_view extra) {
  const auto agent = json::parse(extra, nullptr, false);
  const auto lanes = std::int64_t{small(agent, "wave_front_size")};
  const auto threads =
      lanes * small(agent, "simd_per_cu") * std::min(small(agent, "max_waves_per_simd"), 1024);
  return {.memory_bytes = memory_bytes(agent),
          .sms = small(agent, "cu_count"),
          .warp_size = static_cast<int>(lanes),
          .threads_per_sm = static_cast<int>(std::clamp<std::int64_t>(threads, 0, 1 << 24)),
          .shared_bytes_per_sm = std::min(small(agent, "lds_size_in_kb"), 1 << 20) * 1024,
          .clock_hz = 1e6 * static_cast<double>(whole(agent, "max_engine_clk_fcompute"))};
}

}  // namespace ridge::backends::trace_rocpd
