// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/fleet.hpp>

namespace ridge::trace {

std::string_view name(fleet_measure) { return ""; }

std::optional<std::int64_t> fleet_member::value(fleet_measure m) const {
  return values.at(static_cast<std::size_t>(m));
}

fleet_report fleet_of(std::span<const trace>, const communication_names&, std::span<const fleet_window>) {
  return {};
}

}  // namespace ridge::trace
