// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace ridge::trace {

// What a communication operation does, as its name or the framework records it.
enum class collective_kind : std::uint8_t {
  unknown,
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  broadcast,
  reduce,
  gather,
  scatter,
  send_receive,
  dispatch,  // tokens to the ranks of their experts
  combine,   // tokens back from the ranks of their experts
  barrier,
};
inline constexpr int collective_kind_count = static_cast<int>(collective_kind::barrier) + 1;

[[nodiscard]] std::string_view name(collective_kind k);  // "all-reduce"

// Returns the kind that a framework's or library's word means: "_allgather_base", "all_to_allv", "AllReduce",
// "send".
[[nodiscard]] collective_kind collective_kind_of(std::string_view operation);

}  // namespace ridge::trace
