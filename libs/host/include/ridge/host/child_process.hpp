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

// Returns whether the child exited with status 0.
[[nodiscard]] bool succeeded(const child_outcome& outcome);
// Returns the status that a shell would report: the exit status, 128 + the number of the signal, 124 after a
// time limit, 127 when it could not be started.
[[nodiscard]] int shell_status(const child_outcome& outcome);
// Returns the outcome in words: "exited with status 3", "was killed by SIGSEGV", "did not end within 60 s",
// "cannot start "x": No such file".
[[nodiscard]] std::string text(const child_outcome& outcome);

// Where an output stream of a child goes.
enum class child_output {
  pass,     // to our own stream
  discard,  // to /dev/null
  capture,  // into memory that is read after the end; nobody has to read while it runs
};

// A program to start, and how.
struct program {
  std::vector<std::string> command{};  // command[0] is searched in PATH
  std::vector<std::pair<std::string, std::string>>
      variables{};                              // added to this environment, or replacing variables of it
  child_output output = child_output::capture;  // stdout
  child_output errors = child_output::capture;  // stderr; may be the same memory, see `one_stream`
  bool one_stream = false;    // captured errors go where the output goes, in the order written
  bool own_input = true;      // stdin is /dev/null, or `input_file`; false: ours
  std::string input_file{};   // read as stdin; empty: none
  std::string output_file{};  // what is passed of stdout goes here, written anew; empty: to ours
  std::string folder{};       // where it starts; empty: the working folder
  bool own_group = true;      // Ctrl-C does not reach it from the terminal; false: our process group
  bool held = false;          // waits before its first instruction until release()
};

// What remains of a child that has ended.
struct finished_child {
  child_outcome outcome{};
  double wall_s = 0;                // from before the start until the end was noticed
  double cpu_s = 0;                 // user and system time, including children that it waited for
  double user_s = 0, system_s = 0;  // the two parts of it
  double peak_bytes = 0;  // largest resident set; the kernel starts counting at the size of this process
  std::string output{};   // what was captured of stdout, or what a forked function returned
  std::string errors{};   // what was captured of stderr
};

// One child process. It ends with this object, which kills it (and its group, where it has one) if it still
// runs; the kernel kills it when the thread that started it ends. Not for use by several threads at once.
class child_process final {
 public:
  // Starts a program. Throws io_failure when the machine allows no more processes, or a file of `start`
  // cannot be opened. A program that cannot be executed is an outcome, which wait() returns, or release() for
  // a held one.
  explicit child_process(const program& start);
  // Runs `work` in a copy of this process, in which no other thread exists; the text it returns becomes the
  // output. Standard streams are those of this process. An exception that leaves `work` ends the child with
  // status 1.
  explicit child_process(const std::function<std::string()>& work);
  ~child_process();
  child_process(child_process&& other) noexcept;
  child_process& operator=(child_process&&) = delete;
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;

  // Returns its process id; -1 when it could not be started.
  [[nodiscard]] pid_t id() const { return id_; }
  // Lets a held program run; returns an error when it cannot be executed.
  [[nodiscard]] result<void> release();
  // Sends it a signal; nothing once its end was noticed, for its id may then be another process's.
  void signal(int number) const;
  // Returns whether it has ended, without waiting.
  [[nodiscard]] bool ended();
  // Waits for the end and returns what remains. With a limit, in seconds, it kills the child when the limit
  // has passed.
  [[nodiscard]] finished_child wait(std::optional<double> limit_s = std::nullopt);
  // Does the same and asks every `look_s` seconds whether to go on; where `goes_on` says no it kills the
  // child, as if the time so far had been the limit.
  [[nodiscard]] finished_child wait_watched(double limit_s, double look_s,
                                            const std::function<bool()>& goes_on);

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

// Starts a program and waits for its end. Throws as child_process does.
[[nodiscard]] finished_child run_program(const program& start, std::optional<double> limit_s = std::nullopt);

// Runs `work` in a forked copy of this process and waits for its end; `output` is the text it returned, empty
// when it crashed, exited or was killed. Nothing that the copy does changes this process.
[[nodiscard]] finished_child run_forked(const std::function<std::string()>& work,
                                        std::optional<double> limit_s = std::nullopt);

}  // namespace ridge::host
