// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace ridge::harness {

// How a forked child ended.
struct child_end {
  std::string said{};      // all it wrote
  int signal = 0;          // that killed it; 0: none
  bool timed_out = false;  // killed because it did not end in time
};

// Runs `work` in a forked child and returns what it says. The child holds a copy of everything and changes
// nothing here; other threads of this process do not exist in it. It may be crashed, hung or exited by the
// code it runs. Throws io_failure when no child can be made.
[[nodiscard]] child_end in_child(const std::function<std::string()>& work, double at_most_s);

// "was killed by SIGSEGV (an access outside its arrays)", "did not end within 60 s".
[[nodiscard]] std::string text(const child_end& end, double at_most_s);

}  // namespace ridge::harness
