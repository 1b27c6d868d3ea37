// SPDX-License-Identifier: Apache-2.0
#include "view/visited_screens.hpp"

namespace ridge::tui {

bool visited_screens::open(const screen& which) {
  if (!current_.empty() && current_ != which.name) {
    before_.push_back(current_);
    constexpr std::size_t most_steps = 50;
    if (before_.size() > most_steps) before_.erase(before_.begin());
  }
  current_ = which.name;
  return states_.try_emplace(which.name, which).second;
}

bool visited_screens::back() {
  if (before_.empty()) return false;
  current_ = before_.back();
  before_.pop_back();
  return true;
}

}  // namespace ridge::tui
