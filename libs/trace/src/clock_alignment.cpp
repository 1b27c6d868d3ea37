// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/clock_alignment.hpp>

namespace ridge::trace {

std::string_view name(clock_source) { return ""; }

nanoseconds clock_map::to_common(nanoseconds t) const { return t + offset_ns; }

std::optional<nanoseconds> clock_alignment::uncertainty_ns(std::uint32_t, std::uint32_t) const {
  return std::nullopt;
}

std::optional<nanoseconds> clock_alignment::uncertainty_ns() const { return std::nullopt; }

bool clock_alignment::tells(std::uint32_t, std::uint32_t, nanoseconds) const { return false; }

clock_alignment align_clocks(std::span<const trace>, const matched_collectives&) { return {}; }

}  // namespace ridge::trace
