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
  external_id,  // the operator of its "External id": the launch is not in the trace, or lies in no operator
};

// One call of an operator, alone and with everything it called on its thread. Times are sums of durations of
// device work; concurrent work counts each time.
struct op_node {
  event_id event = none;
  std::uint32_t parent = none;  // into op_tree::nodes; always a smaller index
  std::uint32_t depth = 0;
  std::uint32_t self_works = 0;    // works launched by it and by no operator inside it
  std::uint32_t works = 0;         // works of it and its descendants
  nanoseconds self_device_ns = 0;  // sum over self_works
  nanoseconds device_ns = 0;       // sum over works
};

// All operators of one name.
struct op_row {
  name_id name = 0;
  std::uint64_t count = 0;
  std::uint64_t works = 0;         // works launched by operators of this name, or inside them
  nanoseconds self_device_ns = 0;  // rows' self times sum to op_tree::linked_ns
  nanoseconds device_ns = 0;       // recursion counts once
  nanoseconds self_host_ns = 0;    // host time outside operators that it called
  nanoseconds host_ns = 0;         // recursion counts once
};

// All operators of a trace as they call each other, and the device work that each launched.
struct op_tree {
  std::vector<op_node> nodes{};               // in the order of their events
  std::vector<std::uint32_t> node_of_work{};  // the innermost operator of each of trace::works, or `none`
  std::vector<op_link> link_of_work{};        // how each of node_of_work was found
  std::vector<event_id>
      launch_of_work{};        // launch of each of trace::works: device_work::launch, or found by id
  std::vector<op_row> rows{};  // largest device_ns first
  std::uint64_t linked_works = 0, works = 0;  // counts of kernels, copies and fills
  nanoseconds linked_ns = 0, device_ns = 0;   // sums of durations
  std::vector<op_row> roots{};                // rows of operators without a parent, largest device_ns first

  // Share of device time whose operator is known, 0..1; 0 where there is no device work.
  [[nodiscard]] double linked_share() const;
  // Returns the node, its parent, and so on up to the root.
  [[nodiscard]] std::vector<std::uint32_t> path_of(std::uint32_t node) const;
};

// Returns the tree of all events of category::op. An API call without correlation is found by the "External
// id" that it shares with the work (older ROCm traces number both this way).
[[nodiscard]] op_tree op_tree_of(const trace& t);

// Returns a node's path as text, outermost operator first: "aten::linear > aten::addmm".
[[nodiscard]] std::string path_text(const trace& t, const op_tree& tree, std::uint32_t node);

}  // namespace ridge::trace
