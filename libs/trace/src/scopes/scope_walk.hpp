// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <ridge/trace/scopes.hpp>

namespace ridge::trace {

// The innermost scope at every event of a trace's threads.
class scope_walk {
 public:
  scope_walk(const trace& t, scope_kind kind);

  // Returns the innermost scope that was open when a host event began; `none` outside.
  [[nodiscard]] std::uint32_t at(event_id e) const { return e == none ? none : node_at_[e]; }
  // Returns the innermost scope open at a time on the thread of the steps, or on the one with most scopes.
  [[nodiscard]] std::uint32_t on_main_thread(nanoseconds time_ns) const;
  [[nodiscard]] std::vector<scope_node> nodes() && { return std::move(nodes_); }

  // Called by thread_sweep.
  void opened(event_id e);
  void closed(event_id e);
  void stretch(nanoseconds, nanoseconds, event_id) {}

 private:
  struct change {
    nanoseconds time_ns = 0;
    std::uint32_t node = none;  // open from then on
  };

  // Returns the scope that an event opens, without what tells calls apart; empty for any other event.
  [[nodiscard]] std::string scope_name(event_id e) const;
  void close_step();
  [[nodiscard]] std::uint32_t top() const { return open_.empty() ? none : open_.back().second; }

  const trace& t_;
  scope_kind kind_;
  std::string step_{};  // what steps are called, before their numbers
  std::vector<scope_node> nodes_{};
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> known_{};
  std::vector<std::uint32_t> node_at_{};
  std::vector<std::pair<event_id, std::uint32_t>> open_{};
  std::vector<change> changes_{}, main_{};  // of the thread being walked, and of the main thread
};

}  // namespace ridge::trace
