// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <ridge/host/child_process.hpp>

namespace ridge::harness {

// A forked child that works in steps: before each of them it waits for its parent, which meanwhile looks at
// what the step before left behind. What the child says is that it waits; its parent believes nothing else of
// it. What the child writes to the standard output is discarded.
class stepped_child {
 public:
  // Says that the step before is over, and waits until the parent asks for the next one. Throws failure when
  // the parent cannot be reached.
  using next_step = std::function<void()>;
  // Runs `work` in a child. What it returns is the output that finish() gives back. Throws io_failure when no
  // child can be made.
  explicit stepped_child(const std::function<std::string(const next_step&)>& work);
  stepped_child(const stepped_child&) = delete;
  stepped_child& operator=(const stepped_child&) = delete;
  ~stepped_child();

  // Waits until the child is about to begin its next step. False when it has ended or did not come that far
  // within `limit_s` seconds; it is still to be finished then.
  [[nodiscard]] bool waits(double limit_s);
  // Asks for the next step.
  void proceed();
  // Lets the child come to its end and returns what remains of it. It is killed where it takes longer than
  // `limit_s` seconds, or has taken too long before.
  [[nodiscard]] host::finished_child finish(double limit_s);
  // The process id of the child.
  [[nodiscard]] int id() const { return child_->id(); }
  // Sends the child a signal while it lives, as child_process::signal does.
  void signal(int number) const { child_->signal(number); }

 private:
  int ours_ = -1, theirs_ = -1;  // two ends of one socket
  std::optional<host::child_process> child_{};
  std::optional<double> late_s_{};  // the limit that it has not met
};

}  // namespace ridge::harness
