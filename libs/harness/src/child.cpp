// SPDX-License-Identifier: Apache-2.0
#include "child.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ridge/base/error.hpp>
#include <ridge/harness/session.hpp>

namespace ridge::harness {
namespace {

void write_all(int to, std::string_view text) {
  while (!text.empty()) {
    const auto n = ::write(to, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

[[noreturn]] void live_as_child(const std::function<std::string()>& work, int out) {
  for (const int fatal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGINT, SIGTERM})
    std::signal(fatal, SIG_DFL);
  write_all(out, work());
  ::_exit(0);
}

// Reads until the child closes its end; false when time ran out first.
bool read_until_closed(int from, double at_most_s, std::string& said) {
  const double end = monotonic_seconds() + at_most_s;
  char buffer[4096];
  while (true) {
    const double left = end - monotonic_seconds();
    if (left <= 0) return false;
    pollfd ready{.fd = from, .events = POLLIN, .revents = 0};
    const int n = ::poll(&ready, 1, static_cast<int>(left * 1000) + 1);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) return false;
    const auto got = ::read(from, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    said.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace

child_end in_child(const std::function<std::string()>& work, double at_most_s) {
  int ends[2];
  if (::pipe(ends) != 0) throw io_failure("open", "a pipe", errno);
  const pid_t child = ::fork();
  if (child < 0) {
    const int code = errno;
    ::close(ends[0]), ::close(ends[1]);
    throw io_failure("start", "a child process", code, "raise the limit on processes (ulimit -u)");
  }
  if (child == 0) {
    ::close(ends[0]);
    live_as_child(work, ends[1]);
  }
  ::close(ends[1]);
  child_end end;
  end.timed_out = !read_until_closed(ends[0], at_most_s, end.said);
  ::close(ends[0]);
  if (end.timed_out) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  return end;
}

std::string text(const child_end& end, double at_most_s) {
  if (end.timed_out) return fmt::format("did not end within {:.0f} s", at_most_s);
  const bool outside = end.signal == SIGSEGV || end.signal == SIGBUS;
  const char* abbreviation = ::sigabbrev_np(end.signal);
  return fmt::format("was killed by SIG{}{}", abbreviation ? abbreviation : "?",
                     outside ? " (an access outside its arrays)" : "");
}

}  // namespace ridge::harness
