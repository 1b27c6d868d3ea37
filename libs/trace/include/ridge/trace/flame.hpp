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
  [[nodiscard]] std::int64_t total() const { return nodes.empty() ? 0 : nodes.front().total; }
};

struct flame_options {
  std::optional<time_range> window{};  // only time (samples) within it
  std::optional<track_id> track{};     // only this thread; of device work: launched from it
};

// Host events nested on their thread: interpreter's frames, annotations, operators, calls. A thread is a
// frame below the root. Self time is time not covered by a nested event.
[[nodiscard]] flame_tree flame_of_host(const trace& t, const flame_options& options = {});
// Samples by their stacks, outermost caller first. Weights as the samples have them.
[[nodiscard]] flame_tree flame_of_samples(const trace& t, const flame_options& options = {});
// Device work, by its duration, below the host events around its launch (or, where the launch is not told,
// its operator), outermost first. Work without either stands below "(launch not recorded)".
[[nodiscard]] flame_tree flame_of_device(const trace& t, const flame_options& options = {});

// Makes a tree node by node. Node 0 is there from the start.
class flame_builder {
 public:
  flame_builder();
  // The child of that name, made at the first call.
  [[nodiscard]] std::uint32_t child(std::uint32_t parent, std::string_view name);
  void add(std::uint32_t node, std::int64_t self);
  [[nodiscard]] flame_tree finish() &&;  // with totals

 private:
  flame_tree made_{};
  name_interner names_{};
  std::unordered_map<std::uint64_t, std::uint32_t> children_{};  // (parent, name) -> node
};

// Two trees on one shape: every path of either.
struct flame_diff_node {
  std::string name{};
  std::uint32_t parent = none;
  std::int64_t self_before = 0, self_after = 0;
  std::int64_t total_before = 0, total_after = 0;
};
[[nodiscard]] std::vector<flame_diff_node> flame_diff(const flame_tree& before, const flame_tree& after);
}  // namespace ridge::trace
