// SPDX-License-Identifier: Apache-2.0
#include "terminal/rescue.hpp"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace ridge::tui {
namespace {

// What handlers may touch: plain memory that is written before they are installed.
constexpr std::size_t most_farewell = 256, stack_bytes = 65536;
std::array<char, most_farewell> farewell_bytes{};
std::size_t farewell_size = 0;
int terminal_descriptor = -1;
termios modes_before{};
bool has_modes = false;
int pipe_writing = -1;
volatile std::sig_atomic_t end_seen = 0, suspend_seen = 0, continued_seen = 0, resized_seen = 0;
std::array<char, stack_bytes> crash_stack{};

constexpr std::array crashes{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP};
constexpr std::array remembered{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};
std::array<struct sigaction, crashes.size()> crashes_before{};
std::array<struct sigaction, remembered.size()> remembered_before{};
struct sigaction pipe_before {};

void on_crash(int signal) {
  if (terminal_descriptor >= 0) {
    [[maybe_unused]] const auto written = write(terminal_descriptor, farewell_bytes.data(), farewell_size);
    if (has_modes) tcsetattr(terminal_descriptor, TCSANOW, &modes_before);
  }
  // The handler that was there before, a sanitizer's for instance, hears of it next.
  for (std::size_t i = 0; i < crashes.size(); ++i) {
    if (crashes[i] == signal) sigaction(signal, &crashes_before[i], nullptr);
  }
  raise(signal);
}

void on_signal(int signal) {
  const int before = errno;
  if (signal == SIGTSTP)
    suspend_seen = 1;
  else if (signal == SIGCONT)
    continued_seen = 1;
  else if (signal == SIGWINCH)
    resized_seen = 1;
  else
    end_seen = 1;
  [[maybe_unused]] const auto written = write(pipe_writing, "!", 1);
  errno = before;
}

void install(int signal, void (*handler)(int), int flags, struct sigaction* before) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, before);
}

}  // namespace

terminal_rescue::terminal_rescue(int terminal, const std::string& farewell) {
  farewell_size = std::min(farewell.size(), most_farewell);
  std::copy_n(farewell.begin(), farewell_size, farewell_bytes.begin());
  has_modes = tcgetattr(terminal, &modes_before) == 0;
  terminal_descriptor = terminal;
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0) {
    reading_ = ends[0];
    pipe_writing = ends[1];
  }
  stack_t stack{};
  stack.ss_sp = crash_stack.data();
  stack.ss_size = crash_stack.size();
  sigaltstack(&stack, nullptr);
  for (std::size_t i = 0; i < crashes.size(); ++i)
    install(crashes[i], on_crash, SA_ONSTACK | SA_NODEFER, &crashes_before[i]);
  for (std::size_t i = 0; i < remembered.size(); ++i)
    install(remembered[i], on_signal, SA_RESTART, &remembered_before[i]);
  install(SIGPIPE, SIG_IGN, 0, &pipe_before);
}

terminal_rescue::~terminal_rescue() {
  for (std::size_t i = 0; i < crashes.size(); ++i) sigaction(crashes[i], &crashes_before[i], nullptr);
  for (std::size_t i = 0; i < remembered.size(); ++i)
    sigaction(remembered[i], &remembered_before[i], nullptr);
  sigaction(SIGPIPE, &pipe_before, nullptr);
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  terminal_descriptor = -1;
  if (reading_ >= 0) close(reading_);
  if (pipe_writing >= 0) close(pipe_writing);
  pipe_writing = -1;
}

signals_seen terminal_rescue::take() {
  const signals_seen seen{.end = end_seen != 0,
                          .suspend = suspend_seen != 0,
                          .continued = continued_seen != 0,
                          .resized = resized_seen != 0};
  end_seen = 0;
  suspend_seen = 0;
  continued_seen = 0;
  resized_seen = 0;
  return seen;
}

void terminal_rescue::stop_here() {
  struct sigaction handler {};
  install(SIGTSTP, SIG_DFL, 0, &handler);
  raise(SIGTSTP);
  // The program sleeps inside of raise and goes on here.
  sigaction(SIGTSTP, &handler, nullptr);
}

}  // namespace ridge::tui
