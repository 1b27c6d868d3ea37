// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/trace/op_tree.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// What divides a program into named parts.
enum class scope_kind : std::uint8_t {
  modules,  // calls of nn.Module, which PyTorch's profiler records with stacks ("nn.Module: Linear_3")
  ranges,   // ranges that the user named: NVTX, record_function
};

// How device work was joined to its scope.
enum class scope_link : std::uint8_t {
  outside,  // in no scope, or its launch is not known
  stack,    // the innermost scope around its launch, on the launching thread
  forward,  // work of a backward operator: the scope of the forward operator of that sequence number
  capture,  // work of a graph: the scope around the call that was captured as this node
  time,     // ranges only: the launching thread was in no range; the main thread was in this one meanwhile
};
inline constexpr int scope_link_count = static_cast<int>(scope_link::time) + 1;
// Returns the name of a link, as reports print it.
[[nodiscard]] std::string_view name(scope_link l);

// A scope below its parent; calls of the same name below the same parent are one node.
struct scope_node {
  std::string name{};           // "Linear_3"; steps are one node ("ProfilerStep#")
  std::uint32_t parent = none;  // into scope_tree::nodes; always a smaller index
  std::uint32_t depth = 0;
  std::uint64_t calls = 0;
  nanoseconds host_ns = 0;  // sum of the calls' durations on their threads
};

// The scopes of a trace and the work that belongs to them.
struct scope_tree {
  std::vector<scope_node> nodes{};            // parents before children, else in order of first call
  std::vector<std::uint32_t> node_of_work{};  // the innermost scope of each of trace::works, or `none`
  std::vector<scope_link> link_of_work{};     // how it was found

  // Returns the path of a node, outermost first: "Model_0 > Block_2 > Linear_3"; empty for `none`.
  [[nodiscard]] std::string path_text(std::uint32_t node) const;
};

// Returns the scopes of one kind. `ops` is op_tree_of(t).
[[nodiscard]] scope_tree scopes_of(const trace& t, const op_tree& ops, scope_kind kind);

}  // namespace ridge::trace
