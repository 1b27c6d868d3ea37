// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge::app {

// While it lives, the first Ctrl-C (or SIGTERM) asks for an end instead of killing: the present look is
// finished and what is finished is kept. The second kills. One at a time.
class interrupt_guard final {
 public:
  interrupt_guard();
  ~interrupt_guard();
  interrupt_guard(const interrupt_guard&) = delete;
  interrupt_guard& operator=(const interrupt_guard&) = delete;
};

// Whether an end was asked for since the guard was made.
[[nodiscard]] bool interrupted();

}  // namespace ridge::app
