// SPDX-License-Identifier: Apache-2.0
#include "trial/start_process.hpp"

#include <fcntl.h>
#include <linux/sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include <fmt/format.h>

#include <ridge/base/error.hpp>

namespace ridge::judge {
namespace {

constexpr int first_descriptor = 3;
constexpr int beyond_all = 64;  // copies of descriptors lie from here on, out of the way of their targets
constexpr int exit_code_of_exec = 127;

// Everything that the child needs, made before it exists: between clone and exec it may not allocate.
struct launch {
  std::vector<char*> words{}, variables{};
  std::vector<int> sources{};  // by target, from first_descriptor on
  std::string user_map{}, group_map{};
};

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (const auto& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

void write_text(const char* path, const std::string& text) {
  const int file = ::open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  static_cast<void>(!::write(file, text.data(), text.size()));
  ::close(file);
}

[[noreturn]] void become(const launch& start, bool own_users) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (own_users) {
    write_text("/proc/self/setgroups", "deny");
    write_text("/proc/self/uid_map", start.user_map);
    write_text("/proc/self/gid_map", start.group_map);
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (int stream = 0; stream < first_descriptor; ++stream) ::dup2(nowhere, stream);
  int target = first_descriptor;
  for (const int source : start.sources) {
    if (source >= 0) {
      ::dup2(source, target);
    } else {
      ::close(target);
    }
    ++target;
  }
  ::syscall(SYS_close_range, static_cast<unsigned>(target), ~0U, 0U);
  static_cast<void>(!::chdir("/"));
  ::execve(start.words.front(), start.words.data(), start.variables.data());
  ::_exit(exit_code_of_exec);
}

// clone(2) as fork: the child goes on with a copy of this thread.
pid_t cloned(unsigned long flags) {
  return static_cast<pid_t>(::syscall(SYS_clone, flags | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
}

// Tries both namespaces, then the one that root may have alone, then none.
pid_t cloned_apart(const launch& start, sandbox_report& report) {
  auto& users = report[sandbox_part::user_namespace];
  auto& processes = report[sandbox_part::pid_namespace];
  pid_t child = cloned(CLONE_NEWUSER | CLONE_NEWPID);
  if (child == 0) become(start, true);
  users = processes = child > 0 ? 0 : errno;
  if (child > 0) return child;
  child = cloned(CLONE_NEWPID);
  if (child == 0) become(start, false);
  processes = child > 0 ? 0 : errno;
  if (child > 0) return child;
  child = cloned(0);
  if (child == 0) become(start, false);
  return child;
}

}  // namespace

pid_t start_process(const std::vector<std::string>& command, const std::vector<std::string>& variables,
                    const std::vector<int>& descriptors, sandbox_report& report) {
  launch start{.words = pointers(command), .variables = pointers(variables)};
  start.user_map = fmt::format("0 {} 1", ::geteuid());
  start.group_map = fmt::format("0 {} 1", ::getegid());
  for (const int each : descriptors)
    start.sources.push_back(each < 0 ? -1 : ::fcntl(each, F_DUPFD_CLOEXEC, beyond_all));
  const pid_t child = cloned_apart(start, report);
  const int code = errno;
  for (const int each : start.sources) {
    if (each >= 0) ::close(each);
  }
  if (child < 0) throw io_failure("start", command.front(), code, "allow this user more processes");
  return child;
}

}  // namespace ridge::judge
