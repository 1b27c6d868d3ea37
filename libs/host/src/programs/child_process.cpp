// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/child_process.hpp>

#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include <ridge/base/error.hpp>
#include <ridge/base/expects.hpp>

#include "programs/program_start.hpp"

namespace ridge::host {
namespace {

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int memory_file() {
  const int made = memfd_create("ridge-output", MFD_CLOEXEC);
  if (made < 0) throw io_failure("create", "a file in memory", errno);
  return made;
}

std::string text_in(int descriptor) {
  std::string all(static_cast<std::size_t>(lseek(descriptor, 0, SEEK_END)), '\0');
  std::size_t done = 0;
  while (done < all.size()) {
    const auto got = pread(descriptor, all.data() + done, all.size() - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return all;
}

void write_text(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const auto written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(1);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Returns texts as exec() takes them, with nullptr at the end.
std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (const auto& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& variables) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
  for (const auto& [name, value] : variables) {
    std::erase_if(all, [&](const std::string& entry) { return entry.starts_with(name + "="); });
    all.push_back(name + "=" + value);
  }
  return all;
}

child_outcome outcome_of(int status) {
  if (WIFEXITED(status)) return child_exited{WEXITSTATUS(status)};
  const int signal = WTERMSIG(status);
  const char* name = sigabbrev_np(signal);
  return child_signalled{signal, std::string("SIG") + (name != nullptr ? name : std::to_string(signal))};
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

[[noreturn]] void throw_no_process(int code) {
  throw io_failure("start", "a child process", code, "raise the limit on processes (ulimit -u)");
}

}  // namespace

child_process::child_process(const program& start) : name_(start.command.at(0)), own_group_(start.own_group) {
  try {
    start_program(start);
  } catch (...) {
    close_all();
    throw;
  }
}

void child_process::start_program(const program& start) {
  const auto environment = environment_with(start.variables);
  const auto arguments = pointers_to(start.command), variables = pointers_to(environment);
  if (start.output == child_output::capture) output_ = memory_file();
  const bool shared = start.errors == child_output::capture && start.one_stream;
  if (start.errors == child_output::capture && !shared) errors_ = memory_file();
  const started_files files(start);
  const auto stream = [&](child_output kind, int captured, int passed) {
    return kind == child_output::capture ? captured : kind == child_output::discard ? files.nowhere : passed;
  };
  auto failed = make_pipe();
  pipe_ends held;
  if (start.held) held = make_pipe();
  start_plan plan{.arguments = arguments.data(),
                  .environment = variables.data(),
                  .folder = start.folder.empty() ? nullptr : start.folder.c_str(),
                  .streams = {files.input, stream(start.output, output_, files.output),
                              stream(start.errors, shared ? output_ : errors_, -1)},
                  .hold = held,
                  .failed = failed.write,
                  .own_group = start.own_group,
                  .parent = getpid()};
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &plan.signals);
  start_s_ = now_s();
  id_ = start_process(plan);
  const int why = errno;
  pthread_sigmask(SIG_SETMASK, &plan.signals, nullptr);
  close_descriptor(failed.write);
  close_descriptor(held.read);
  failed_ = failed.read;
  hold_ = held.write;
  if (id_ < 0) throw_no_process(why);
  if (!start.held) (void)release();
}

child_process::child_process(const std::function<std::string()>& work) : name_("a forked function") {
  output_ = memory_file();
  const pid_t parent = getpid();
  start_s_ = now_s();
  id_ = ::fork();
  if (id_ < 0) {
    const int why = errno;
    close_all();
    throw_no_process(why);
  }
  if (id_ != 0) return;
  die_with(parent);
  drop_signal_handlers();
  try {
    write_text(output_, work());
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

child_process::child_process(child_process&& other) noexcept
    : id_(std::exchange(other.id_, -1)),
      name_(std::move(other.name_)),
      own_group_(other.own_group_),
      hold_(std::exchange(other.hold_, -1)),
      failed_(std::exchange(other.failed_, -1)),
      output_(std::exchange(other.output_, -1)),
      errors_(std::exchange(other.errors_, -1)),
      start_s_(other.start_s_),
      finished_(std::move(other.finished_)) {}

child_process::~child_process() {
  close_descriptor(hold_);
  if (id_ >= 0 && !finished_) {
    kill_all();
    // A program that waits for a dead file server may survive SIGKILL for a while; it is left behind then.
    close_descriptor(output_);
    close_descriptor(errors_);
    (void)ends_within(1.0);
  }
  close_all();
}

void child_process::close_all() {
  for (int* descriptor : {&hold_, &failed_, &output_, &errors_}) close_descriptor(*descriptor);
}

void child_process::kill_all() const {
  if (own_group_) kill(-id_, SIGKILL);
  kill(id_, SIGKILL);
}

result<void> child_process::release() {
  if (hold_ >= 0) {
    const char go = 1;
    (void)!write(hold_, &go, 1);
    close_descriptor(hold_);
  }
  if (failed_ < 0) return {};
  int why = 0;
  ssize_t got = 0;
  while ((got = read(failed_, &why, sizeof why)) < 0 && errno == EINTR) {
  }
  close_descriptor(failed_);
  if (got != sizeof why) return {};
  reap(true);
  finished_->outcome = child_not_started{name_, why};
  return error{text(finished_->outcome), "give a program that can be executed"};
}

void child_process::reap(bool block) {
  if (finished_) return;
  int status = 0;
  rusage used{};
  pid_t got = 0;
  while ((got = wait4(id_, &status, block ? 0 : WNOHANG, &used)) < 0 && errno == EINTR) {
  }
  if (got == 0) return;
  finished_child made;
  made.wall_s = now_s() - start_s_;
  if (got == id_) {
    made.outcome = outcome_of(status);
    made.user_s = seconds(used.ru_utime);
    made.system_s = seconds(used.ru_stime);
    made.cpu_s = made.user_s + made.system_s;
    made.peak_bytes = static_cast<double>(used.ru_maxrss) * 1024;
  } else {
    made.outcome = child_exited{127};  // another part of the process waited for it
  }
  if (output_ >= 0) made.output = text_in(output_);
  if (errors_ >= 0) made.errors = text_in(errors_);
  finished_ = std::move(made);
}

void child_process::signal(int number) const {
  if (id_ >= 0 && !finished_) (void)kill(id_, number);
}

bool child_process::ended() {
  if (hold_ < 0) reap(false);
  return finished_.has_value();
}

// Where the kernel has no pidfd (before 5.3), this looks every millisecond.
bool child_process::ends_within(double limit_s) {
  const double end = now_s() + limit_s;
  int watched = static_cast<int>(syscall(SYS_pidfd_open, id_, 0));
  for (double left = limit_s; left > 0 && !finished_; left = end - now_s()) {
    if (watched >= 0) {
      pollfd until{watched, POLLIN, 0};
      (void)poll(&until, 1, static_cast<int>(std::min(left, 1e6) * 1000) + 1);
    } else {
      usleep(1000);
    }
    reap(false);
  }
  close_descriptor(watched);
  return finished_.has_value();
}

finished_child child_process::wait(std::optional<double> limit_s) {
  expects(hold_ < 0, "child_process::wait: a held program must be released first");
  if (!limit_s) {
    reap(true);
  } else if (!ends_within(*limit_s)) {
    kill_all();
    reap(true);
    finished_->outcome = child_timed_out{*limit_s};
  }
  return *finished_;
}

finished_child child_process::wait_watched(double limit_s, double look_s,
                                           const std::function<bool()>& goes_on) {
  expects(hold_ < 0, "child_process::wait_watched: a held program must be released first");
  const double start = now_s();
  double gone = 0;
  while (gone < limit_s) {
    if (ends_within(std::min(look_s, limit_s - gone))) return *finished_;
    gone = now_s() - start;
    if (!goes_on()) break;
  }
  kill_all();
  reap(true);
  finished_->outcome = child_timed_out{gone};
  return *finished_;
}

finished_child run_program(const program& start, std::optional<double> limit_s) {
  return child_process(start).wait(limit_s);
}

finished_child run_forked(const std::function<std::string()>& work, std::optional<double> limit_s) {
  return child_process(work).wait(limit_s);
}

}  // namespace ridge::host
