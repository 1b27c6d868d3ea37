// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <array>

namespace ridge::profile {

// While it exists, signals that would end this process are passed on to another one. Only one may exist at a
// time.
class passed_signals {
 public:
  explicit passed_signals(pid_t process);
  ~passed_signals();
  passed_signals(const passed_signals&) = delete;
  passed_signals& operator=(const passed_signals&) = delete;

 private:
  static constexpr std::array signals{SIGINT, SIGQUIT, SIGTERM, SIGHUP};
  std::array<struct sigaction, signals.size()> before_{};
};

}  // namespace ridge::profile
