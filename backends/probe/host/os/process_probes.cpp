// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>

#include <ridge/base/error.hpp>
#include <ridge/host/resident_memory.hpp>

#include "os/observed.hpp"
#include "os/os_lists.hpp"
#include "os/partner.hpp"

namespace ridge::backends::probe_host {
namespace {

// Returns whether the child ended within patience_s; where the kernel has no pidfd (before 5.3) it waits
// without a limit.
bool ends_in_time(pid_t child) {
  const int seen = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (seen < 0) return true;
  pollfd until{seen, POLLIN, 0};
  const int ready = poll(&until, 1, static_cast<int>(patience_s * 1e3));
  close(seen);
  return ready != 0;
}

void reap(pid_t child) {
  const bool in_time = ends_in_time(child);
  if (!in_time) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (!in_time) throw failure({"a child of the probe did not end", ""});
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw failure({"a child of the probe failed", ""});
}

template <class Child>
double time_child(const measure::clock& clock, Child in_child) {
  const auto begin = clock.now();
  const pid_t child = fork();
  if (child < 0) throw unavailable("another process", "raise `ulimit -u`");
  if (child == 0) in_child();
  reap(child);
  return clock.seconds(clock.now() - begin);
}

rows row_of_children(const char* id, const char* words, const char* variant, const observed& found) {
  auto row = row_of_times(id, words, found, variant);
  row.size_bytes = static_cast<double>(host::read_resident_memory().now_bytes);
  return {row};
}

}  // namespace

rows probe_thread(const probe::request& request) {
  const auto once = [&] {
    const auto begin = request.clock.now();
    std::thread([] {}).join();
    return request.clock.seconds(request.clock.now() - begin);
  };
  const auto found = observe(request.clock, {time_of_row(request.depth)}, gives_way::yes, once);
  return {row_of_times("os.thread", "starting a thread and waiting for its end", found, "std::thread")};
}

rows probe_fork(const probe::request& request) {
  const auto once = [&] { return time_child(request.clock, [] { _exit(0); }); };
  return row_of_children("os.fork", "a copy of this process, and its end", "fork, _exit, waitpid",
                         observe(request.clock, {time_of_row(request.depth)}, gives_way::yes, once));
}

rows probe_exec(const probe::request& request) {
  if (access("/bin/true", X_OK) != 0) throw unavailable("/bin/true", "");
  const auto once = [&] {
    return time_child(request.clock, [] {
      execl("/bin/true", "true", static_cast<char*>(nullptr));
      _exit(127);
    });
  };
  return row_of_children("os.exec", "running another program to its end", "fork, execve of /bin/true",
                         observe(request.clock, {time_of_row(request.depth)}, gives_way::yes, once));
}

}  // namespace ridge::backends::probe_host
