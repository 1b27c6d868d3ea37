// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace ridge::host {

// Sees to it that no program outlives this process: while it lives, every program that this process starts,
// and every program which those start, carries a variable (RIDGE_KEPT_BY) in its environment. When this
// object ends, or when this process ends in any way, SIGKILL included, whatever still carries the variable is
// killed. A small process beside this one waits for that. Programs that clear their environment escape. Make
// it before there are other threads; one at a time. Throws io_failure when the machine allows no more
// processes.
class process_keeper final {
 public:
  process_keeper();
  ~process_keeper();
  process_keeper(const process_keeper&) = delete;
  process_keeper& operator=(const process_keeper&) = delete;

  // Returns the process that waits.
  [[nodiscard]] pid_t id() const { return id_; }

 private:
  std::string mark_;
  std::optional<std::string> outer_{};  // the variable's value before, of a keeper around this one
  pid_t id_ = -1;
  int alive_ = -1;  // closed when this process ends, which the other one sees
};

}  // namespace ridge::host
