// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <array>

namespace ridge::profile {

// While it lives, signals that would end us go to another process. One at a time.
class passed_signals {
 public:
  explicit passed_signals(pid_t to);
  ~passed_signals();
  passed_signals(const passed_signals&) = delete;
  passed_signals& operator=(const passed_signals&) = delete;

 private:
  static constexpr std::array signals{SIGINT, SIGQUIT, SIGTERM, SIGHUP};
  std::array<struct sigaction, signals.size()> before_{};
};

}  // namespace ridge::profile
