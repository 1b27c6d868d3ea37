// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::host {

// How a child process ended.
struct child_exited {
  int status = 0;
  bool operator==(const child_exited&) const = default;
};
struct child_signalled {
  int signal = 0;
  std::string name{};  // "SIGSEGV"
  bool operator==(const child_signalled&) const = default;
};
struct child_timed_out {
  double limit_s = 0;  // the child was killed when this time had passed
  bool operator==(const child_timed_out&) const = default;
};
struct child_not_started {
  std::string program{};
  int code = 0;  // errno
  bool operator==(const child_not_started&) const = default;
};
using child_outcome = std::variant<child_exited, child_signalled, child_timed_out, child_not_started>;

// Whether the child exited with status 0.
[[nodiscard]] bool succeeded(const child_outcome& outcome);
// The status a shell would report: the exit status, 128 + the signal's number, 124 after a time limit, 127
// when it could not be started.
[[nodiscard]] int shell_status(const child_outcome& outcome);
// In words: "exited with status 3", "was killed by SIGSEGV", "did not end within 60 s", "cannot start "x": No
// such file".
[[nodiscard]] std::string text(const child_outcome& outcome);

enum class child_output {
  pass,     // to our own stream
  discard,  // to /dev/null
  capture,  // into memory, read back after the end: nothing has to be drained while the child runs
};

// A program to start, and how.
struct program {
  std::vector<std::string> command{};  // command[0] is searched in PATH
  std::vector<std::pair<std::string, std::string>>
      variables{};                              // added to our environment, or replacing there
  child_output output = child_output::capture;  // stdout
  child_output errors = child_output::capture;  // stderr; may be the same memory, see `one_stream`
  bool one_stream = false;  // captured errors go where the output goes, in the order written
  bool own_input = true;    // stdin is /dev/null; false: ours
  bool own_group = true;    // Ctrl-C does not reach it from the terminal; false: our process group
  bool held = false;        // waits before its first instruction until release()
};

// What a child that has ended left behind.
struct finished_child {
  child_outcome outcome{};
  double wall_s = 0;  // from before the start until the end was noticed
  double cpu_s = 0;   // user and system time, that of its own waited-for children included
  double peak_bytes =
      0;  // largest resident set; the kernel counts our own size at the start of a program as well
  std::string output{};  // what was captured of stdout, or what a forked function returned
  std::string errors{};  // what was captured of stderr
};

// One child process. It ends with this object, which kills it (and its group, where it has one) if it still
// runs, and the kernel kills it when the thread that started it ends. Not for use by several threads at once.
class child_process final {
 public:
  // Throws io_failure when the machine allows no more processes. A program that cannot be executed is an
  // outcome, told by wait(), or by release() of a held one.
  explicit child_process(const program& start);
  // Runs `work` in a copy of this process, in which no other thread exists; what it returns becomes the
  // output. Standard streams are ours. An exception that leaves `work` ends the child with status 1.
  explicit child_process(const std::function<std::string()>& work);
  ~child_process();
  child_process(child_process&& other) noexcept;
  child_process& operator=(child_process&&) = delete;
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;

  // Its process id; -1 when it could not be started.
  [[nodiscard]] pid_t id() const { return id_; }
  // Lets a held program run; an error when it cannot be executed.
  [[nodiscard]] result<void> release();
  // Whether it has ended. Does not wait.
  [[nodiscard]] bool ended();
  // Waits for the end, without a limit when none is given; kills the child when the limit has passed.
  [[nodiscard]] finished_child wait(std::optional<double> limit_s = std::nullopt);

 private:
  void start_program(const program& start);
  void reap(bool block);
  bool ends_within(double limit_s);
  void kill_all() const;
  void close_all();

  pid_t id_ = -1;
  std::string name_{};
  bool own_group_ = false;
  int hold_ = -1, failed_ = -1, output_ = -1, errors_ = -1;  // descriptors; -1: none
  double start_s_ = 0;
  std::optional<finished_child> finished_{};
};

// Starts a program and waits for its end. Errors as with child_process.
[[nodiscard]] finished_child run_program(const program& start, std::optional<double> limit_s = std::nullopt);

// Runs `work` in a forked copy of this process and waits for its end; `output` is what it returned, empty
// when it crashed, exited or was killed. The copy may do as it likes: nothing changes here.
[[nodiscard]] finished_child run_forked(const std::function<std::string()>& work,
                                        std::optional<double> limit_s = std::nullopt);

}  // namespace ridge::host
