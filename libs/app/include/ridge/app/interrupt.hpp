// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge::app {

// While it lives, the first Ctrl-C (or SIGTERM) requests an end instead of killing the process: the current
// look at the data is completed, and finished results are kept. The second one kills. Only one guard may
// exist at a time.
class interrupt_guard final {
 public:
  interrupt_guard();
  ~interrupt_guard();
  interrupt_guard(const interrupt_guard&) = delete;
  interrupt_guard& operator=(const interrupt_guard&) = delete;
};

// Returns whether an end was requested since the guard was made.
[[nodiscard]] bool interrupted();

}  // namespace ridge::app
