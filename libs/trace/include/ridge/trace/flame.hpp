// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/name_table.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// A weighted tree of stacks. Node 0 is the root, named ""; parents stand before their children; children of a
// node have distinct names. total == self + the children's totals.
struct flame_node {
  std::string name{};
  std::uint32_t parent = none;
  std::int64_t self = 0;  // nanoseconds, or the samples' weight
  std::int64_t total = 0;
};
struct flame_tree {
  std::vector<flame_node> nodes{};
  // Weight of the whole tree.
  [[nodiscard]] std::int64_t total() const { return nodes.empty() ? 0 : nodes.front().total; }
};

struct flame_options {
  std::optional<time_range> window{};  // counts only time (or samples) within it
  std::optional<track_id> track{};     // counts only this thread, or device work launched from it
};

// Returns the tree of host events as they nest on their thread: interpreter frames, annotations, operators
// and calls. A thread is a frame below the root. Self time is the time that no nested event covers.
[[nodiscard]] flame_tree flame_of_host(const trace& t, const flame_options& options = {});
// Returns the tree of sampled stacks, outermost caller first, weighted as the samples are.
[[nodiscard]] flame_tree flame_of_samples(const trace& t, const flame_options& options = {});
// Returns the tree of device work, weighted by duration, below the host events around its launch (or around
// its operator, where the launch is not recorded), outermost first. Work without either stands below "(launch
// not recorded)".
[[nodiscard]] flame_tree flame_of_device(const trace& t, const flame_options& options = {});

// Builds a tree node by node. Node 0 exists from the start.
class flame_builder {
 public:
  flame_builder();
  // Returns the child of that name and makes it at the first call.
  [[nodiscard]] std::uint32_t child(std::uint32_t parent, std::string_view name);
  // Adds to the node's own weight.
  void add(std::uint32_t node, std::int64_t self);
  [[nodiscard]] flame_tree finish() &&;  // fills in the totals; spends the builder

 private:
  flame_tree made_{};
  name_interner names_{};
  std::unordered_map<std::uint64_t, std::uint32_t> children_{};  // (parent, name) -> node
};

// One path of either of two trees, with its weights in both.
struct flame_diff_node {
  std::string name{};
  std::uint32_t parent = none;
  std::int64_t self_before = 0, self_after = 0;
  std::int64_t total_before = 0, total_after = 0;
};
// Returns both trees as one: node 0 is the root, and every path of either tree has one node.
[[nodiscard]] std::vector<flame_diff_node> flame_diff(const flame_tree& before, const flame_tree& after);
}  // namespace ridge::trace
