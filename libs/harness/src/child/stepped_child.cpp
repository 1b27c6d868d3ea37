// SPDX-License-Identifier: Apache-2.0
#include "child/stepped_child.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

#include <ridge/base/error.hpp>
#include <ridge/harness/session.hpp>

#include "child/in_child.hpp"

namespace ridge::harness {
namespace {

constexpr double look_every_s =
    0.05;  // whether the child has ended; processes that it left may hold its socket

// The parent's ends of all that exist in this process: a child closes those of its elder siblings, to which
// it could send otherwise what only their parent should.
std::vector<int>& ends_of_parent() {
  static std::vector<int> all;
  return all;
}

bool send_step(int socket) {
  const char step = 1;
  ssize_t sent = 0;
  while ((sent = send(socket, &step, 1, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
  }
  return sent == 1;
}

bool receive_step(int socket) {
  char step = 0;
  ssize_t got = 0;
  while ((got = recv(socket, &step, 1, 0)) < 0 && errno == EINTR) {
  }
  return got == 1;
}

}  // namespace

stepped_child::stepped_child(const std::function<std::string(const next_step&)>& work) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw io_failure("create", "a pair of sockets", errno);
  ours_ = ends[0], theirs_ = ends[1];
  child_.emplace([this, &work]() -> std::string {
    close(ours_);
    for (const int elder : ends_of_parent()) close(elder);
    discard_standard_output();
    return work([socket = theirs_] {
      if (!send_step(socket) || !receive_step(socket))
        throw failure({"the process was cut off from the one that watches it", {}});
    });
  });
  close(theirs_);
  ends_of_parent().push_back(ours_);
}

stepped_child::~stepped_child() {
  std::erase(ends_of_parent(), ours_);
  close(ours_);
}

bool stepped_child::waits(double limit_s) {
  const double end = monotonic_seconds() + limit_s;
  bool ended = false;
  for (double left = limit_s; left > 0; left = end - monotonic_seconds()) {
    pollfd socket{ours_, POLLIN, 0};
    const int milliseconds = static_cast<int>(std::min(left, look_every_s) * 1000) + 1;
    if (poll(&socket, 1, ended ? 0 : milliseconds) > 0) return receive_step(ours_);
    if (ended) return false;
    ended = child_->ended();  // what it sent before is still to be read
  }
  late_s_ = limit_s;
  return false;
}

void stepped_child::proceed() { (void)send_step(ours_); }

host::finished_child stepped_child::finish(double limit_s) {
  if (!late_s_) {
    proceed();
    return child_->wait(limit_s);
  }
  auto done = child_->wait(0);
  done.outcome = host::child_timed_out{*late_s_};
  return done;
}

}  // namespace ridge::harness
