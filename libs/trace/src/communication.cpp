// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/communication.hpp>

namespace ridge::trace {

double busbw_factor(collective_kind kind, std::uint32_t ranks) {
  const auto n = static_cast<double>(ranks);
  if (kind == collective_kind::all_reduce) return 2 * (n - 1) / n;
  return 1;
}

std::optional<double> rank_communication::overlap_percent() const { return std::nullopt; }

std::optional<double> communication_report::wait_share() const { return std::nullopt; }

communication_report communication_of(std::span<const trace>, const communication_names&,
                                      const clock_alignment&) {
  return {};
}

}  // namespace ridge::trace
