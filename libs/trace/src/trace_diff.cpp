// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/trace_diff.hpp>

#include <array>

namespace ridge::trace {

std::string_view name(diff_state s) {
  constexpr std::array<std::string_view, diff_state_count> names{"compute", "exposed_communication",
                                                                 "exposed_copies", "idle"};
  return names.at(static_cast<std::size_t>(s));
}

std::string_view name(diff_cause c) {
  constexpr std::array<std::string_view, 7> names{"added",  "removed", "more_calls", "fewer_calls",
                                                  "slower", "faster",  "unchanged"};
  return names.at(static_cast<std::size_t>(c));
}

trace_diff diff_of(const diff_side&, const diff_side&) { return {}; }

std::vector<count_change> count_changes(const diff_side&, const diff_side&, counted) { return {}; }

}  // namespace ridge::trace
