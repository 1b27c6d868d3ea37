// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// How device work was joined to its operator.
enum class op_link : std::uint8_t {
  unlinked,     // no operator found
  launch,       // the innermost operator around its launch call, on the call's thread
  external_id,  // the operator of its "External id": the launch is not in the trace, or stands in no operator
};

// An operator, by itself and with all that it called on its thread. Times are sums of durations of device
// work: what runs at once counts as often as it runs.
struct op_node {
  event_id event = none;
  std::uint32_t parent = none;  // into op_tree::nodes; always a smaller index
  std::uint32_t depth = 0;
  std::uint32_t self_works = 0;    // launched by it and by no operator inside it
  std::uint32_t works = 0;         // with its descendants
  nanoseconds self_device_ns = 0;  // of self_works
  nanoseconds device_ns = 0;       // of works
};

// All operators of one name.
struct op_row {
  name_id name = 0;
  std::uint64_t count = 0;
  std::uint64_t works = 0;         // launched by operators of this name, or inside them
  nanoseconds self_device_ns = 0;  // rows' self times sum to op_tree::linked_ns
  nanoseconds device_ns = 0;       // recursion counts once
  nanoseconds self_host_ns = 0;    // without operators inside
  nanoseconds host_ns = 0;         // recursion counts once
};

struct op_tree {
  std::vector<op_node> nodes{};               // in the order of their events
  std::vector<std::uint32_t> node_of_work{};  // of each of trace::works: the innermost operator, or `none`
  std::vector<op_link> link_of_work{};        // how that is known
  std::vector<event_id> launch_of_work{};     // of each of trace::works: device_work::launch, or found by id
  std::vector<op_row> rows{};                 // largest device_ns first
  std::uint64_t linked_works = 0, works = 0;  // of kernels, copies and fills
  nanoseconds linked_ns = 0, device_ns = 0;   // sums of durations
  std::vector<op_row> roots{};                // of operators that have no parent, largest device_ns first

  // Share of device time whose operator is known; 0 where there is no device work.
  [[nodiscard]] double linked_share() const;
  // The node, its parent, and so on.
  [[nodiscard]] std::vector<std::uint32_t> path_of(std::uint32_t node) const;
};

// Operators are events of category::op. An API call without correlation is found by the "External id" that it
// shares with the work (older ROCm traces number both so).
[[nodiscard]] op_tree op_tree_of(const trace& t);

// "aten::linear > aten::addmm", outermost first.
[[nodiscard]] std::string path_text(const trace& t, const op_tree& tree, std::uint32_t node);

}  // namespace ridge::trace
