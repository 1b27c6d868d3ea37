// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "child/in_child.hpp"
#include "run/progress_mark.hpp"

namespace ridge::harness {

// When a child that runs variants is ended, in seconds.
struct child_limits {
  double whole_s = 900;
  double stall_s = 60;  // without a step of the mark, once a variant's code was entered
};

// Does what in_child does, and ends the child as well when `mark`, which it shares, shows no progress.
[[nodiscard]] child_result<std::string> in_watched_child(const std::function<std::string()>& work,
                                                         const child_limits& limits,
                                                         const progress_mark& mark);

}  // namespace ridge::harness
