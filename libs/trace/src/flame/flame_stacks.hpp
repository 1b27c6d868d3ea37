// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include <ridge/trace/flame.hpp>

namespace ridge::trace {

// Returns a name as a flame shows it: numbered steps become one frame.
[[nodiscard]] inline std::string_view flame_name(std::string_view name) {
  return name.starts_with("ProfilerStep#") ? name.substr(0, 12) : name;
}

// The open events of a thread, and the nodes of those below which weight was added.
class flame_stack {
 public:
  flame_stack(const trace& t, flame_builder& builder) : t_(t), builder_(builder) {}
  void push(event_id e) { open_.push_back({e, none}); }
  void pop() { open_.pop_back(); }
  void base(std::uint32_t node) { base_ = node; }
  // Returns the node of the innermost open event after leaving out the `without` innermost ones.
  [[nodiscard]] std::uint32_t node(std::size_t without = 0) {
    auto parent = base_;
    for (std::size_t i = 0; i + without < open_.size(); ++i) {
      auto& [event, known] = open_[i];
      if (known == none) known = builder_.child(parent, flame_name(t_.name_of(event)));
      parent = known;
    }
    return parent;
  }

 private:
  struct open_event {
    event_id event = none;
    std::uint32_t node = none;
  };
  const trace& t_;
  flame_builder& builder_;
  std::vector<open_event> open_{};
  std::uint32_t base_ = 0;
};

[[nodiscard]] inline nanoseconds length_in(const std::optional<time_range>& window, nanoseconds start,
                                           nanoseconds end) {
  if (!window) return end - start;
  return time_range{std::max(start, window->start_ns), std::min(end, window->end_ns)}.length_ns();
}

}  // namespace ridge::trace
