// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/scopes.hpp>

#include <array>
#include <unordered_map>

#include "scopes/captured_calls.hpp"
#include "scopes/scope_walk.hpp"

namespace ridge::trace {
namespace {

// Forward operators by sequence number. A thread counts on its own, and the profiler numbers threads
// otherwise than the system does, so that a number which two threads used is not believed. An operator that
// makes no node of the backward pass carries the number of the next one that does: the last of a number made
// it.
class forward_ops {
 public:
  explicit forward_ops(const trace& t) : t_(t) {
    for (event_id e = 0; e < t.events.size(); ++e) {
      const auto* op = detail_of(e);
      if (op == nullptr || op->sequence < 0 || op->forward_thread > 0) continue;
      auto& last = events_.try_emplace(op->sequence, e).first->second;
      last = last == none || t.events.track[last] != t.events.track[e] ? none : e;
    }
  }

  // Returns the forward operator of the innermost backward operator around a node; `none` without one.
  [[nodiscard]] event_id of(const op_tree& ops, std::uint32_t node) const {
    for (; node != none; node = ops.nodes[node].parent) {
      const auto* op = detail_of(ops.nodes[node].event);
      if (op == nullptr || op->sequence < 0 || op->forward_thread <= 0) continue;
      const auto at = events_.find(op->sequence);
      if (at != events_.end()) return at->second;
    }
    return none;
  }

 private:
  const op_detail* detail_of(event_id e) const {
    if (t_.events.kind[e] != category::op) return nullptr;
    const auto row = t_.events.detail[e];
    return row < t_.ops.size() ? &t_.ops[row] : nullptr;
  }

  const trace& t_;
  std::unordered_map<std::int64_t, event_id> events_{};
};

class work_scopes {
 public:
  work_scopes(const trace& t, const op_tree& ops, scope_kind kind)
      : ops_(ops), kind_(kind), walk_(t, kind), forward_(t), captured_(t), t_(t) {}

  scope_tree made() && {
    scope_tree tree;
    for (work_id w = 0; w < t_.works.size(); ++w) {
      const auto [node, link] = scope_of(w);
      tree.node_of_work.push_back(node);
      tree.link_of_work.push_back(node == none ? scope_link::outside : link);
    }
    tree.nodes = std::move(walk_).nodes();
    return tree;
  }

 private:
  using found = std::pair<std::uint32_t, scope_link>;

  [[nodiscard]] found scope_of(work_id w) const {
    const auto launch = ops_.launch_of_work[w];
    if (const auto node = walk_.at(captured_.call_of(w)); node != none) return {node, scope_link::capture};
    auto node = walk_.at(launch);
    if (node == none) node = walk_.at(t_.works[w].op);
    if (node != none) return {node, scope_link::stack};
    if (node = walk_.at(forward_.of(ops_, ops_.node_of_work[w])); node != none)
      return {node, scope_link::forward};
    if (kind_ == scope_kind::ranges && launch != none)
      return {walk_.on_main_thread(t_.events.start_ns[launch]), scope_link::time};
    return {none, scope_link::outside};
  }

  const op_tree& ops_;
  scope_kind kind_;
  scope_walk walk_;
  forward_ops forward_;
  captured_calls captured_;
  const trace& t_;
};

}  // namespace

std::string_view name(scope_link l) {
  constexpr std::array<std::string_view, scope_link_count> names{"outside", "stack", "forward", "capture",
                                                                 "time"};
  return names.at(static_cast<std::size_t>(l));
}

std::string scope_tree::path_text(std::uint32_t node) const {
  if (node == none) return "";
  const auto above = path_text(nodes.at(node).parent);
  return above.empty() ? nodes[node].name : above + " > " + nodes[node].name;
}

scope_tree scopes_of(const trace& t, const op_tree& ops, scope_kind kind) {
  return work_scopes(t, ops, kind).made();
}

}  // namespace ridge::trace
