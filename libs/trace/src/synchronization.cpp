// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/synchronization.hpp>

#include <array>

namespace ridge::trace {

std::string_view name(wait_kind k) {
  constexpr std::array<std::string_view, 5> names{"device", "stream", "event", "copy", "other"};
  return names.at(static_cast<std::size_t>(k));
}

std::optional<wait_kind> wait_of_call(std::string_view) { return {}; }

synchronization_report host_waits_of(const trace&, std::optional<time_range>, std::span<const time_range>) {
  return {};
}

}  // namespace ridge::trace
