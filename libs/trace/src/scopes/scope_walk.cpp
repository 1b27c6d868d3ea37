// SPDX-License-Identifier: Apache-2.0
#include "scopes/scope_walk.hpp"

#include <algorithm>

#include <ridge/trace/steps.hpp>

#include "critical_path/host_pieces.hpp"
#include "events/thread_sweep.hpp"

namespace ridge::trace {
namespace {

constexpr std::string_view module_frame = "nn.Module: ";

bool is_step_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

scope_walk::scope_walk(const trace& t, scope_kind kind)
    : t_(t), kind_(kind), node_at_(t.events.size(), none) {
  const auto steps = steps_of(t);
  step_ = steps.annotation;
  path_pieces threads;
  find_threads(t, threads);
  bool steps_seen = false;
  for (const auto& thread : threads.threads) {
    changes_.clear();
    thread_sweep sweep(t, thread.tracks, *this);
    sweep.run();
    const bool with_steps =
        steps.track != none && std::ranges::find(thread.tracks, steps.track) != thread.tracks.end();
    if (with_steps || (!steps_seen && changes_.size() > main_.size())) main_ = changes_;
    steps_seen = steps_seen || with_steps;
  }
}

std::string scope_walk::scope_name(event_id e) const {
  const auto name = t_.name_of(e);
  if (kind_ == scope_kind::modules) {
    if (t_.events.kind[e] != category::python || !name.starts_with(module_frame)) return {};
    return std::string(name.substr(module_frame.size()));
  }
  if (t_.events.kind[e] != category::annotation) return {};
  if (!step_.empty() && name.starts_with(step_) && is_step_number(name.substr(step_.size()))) return step_;
  return std::string(name);
}

void scope_walk::opened(event_id e) {
  if (auto name = scope_name(e); !name.empty()) {
    if (name == step_) close_step();
    const auto parent = top();
    const auto [at, fresh] = known_.try_emplace({parent, name}, static_cast<std::uint32_t>(nodes_.size()));
    if (fresh)
      nodes_.push_back({.name = std::move(name),
                        .parent = parent,
                        .depth = parent == none ? 0 : nodes_[parent].depth + 1});
    auto& node = nodes_[at->second];
    ++node.calls;
    node.host_ns += t_.events.duration_ns[e];
    open_.emplace_back(e, at->second);
    const auto start = t_.events.start_ns[e];
    changes_.push_back({changes_.empty() ? start : std::max(start, changes_.back().time_ns), at->second});
  }
  node_at_[e] = top();
}

// Rounded times let a step begin before the one before it ends; steps never lie in each other.
void scope_walk::close_step() {
  const auto step =
      std::ranges::find_if(open_, [&](const auto& o) { return nodes_[o.second].name == step_; });
  open_.erase(step, open_.end());
}

void scope_walk::closed(event_id e) {
  if (open_.empty() || open_.back().first != e) return;
  open_.pop_back();
  // A child that outlasts its parent closes after it; changes stay in order.
  changes_.push_back({std::max(t_.events.end_ns(e), changes_.back().time_ns), top()});
}

std::uint32_t scope_walk::on_main_thread(nanoseconds time_ns) const {
  const auto next = std::ranges::upper_bound(main_, time_ns, {}, &change::time_ns);
  return next == main_.begin() ? none : std::prev(next)->node;
}

}  // namespace ridge::trace
