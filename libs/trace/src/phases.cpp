// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/phases.hpp>

namespace ridge::trace {

std::string_view name(phase p) {
  constexpr std::array<std::string_view, phase_count> names{"forward", "backward", "optimizer",
                                                            "prefill", "decode",   "other"};
  return names.at(static_cast<std::size_t>(p));
}

std::string_view name(phase_source s) {
  constexpr std::array<std::string_view, 4> names{"not_told", "annotations", "sequence", "graph_launches"};
  return names.at(static_cast<std::size_t>(s));
}

std::optional<phase> phase_of_name(std::string_view) { return {}; }

phase_report phases_of(const trace&, std::int32_t device, std::optional<time_range>) {
  return {.device = device};
}

}  // namespace ridge::trace
