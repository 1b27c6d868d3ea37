// SPDX-License-Identifier: Apache-2.0
#include <ridge/profile/child_program.hpp>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fmt/format.h>

#include <ridge/base/error.hpp>

namespace ridge::profile {
namespace {

struct pipe_ends {
  int read = -1, write = -1;
};

pipe_ends make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw io_failure("create", "a pipe", errno);
  return {ends[0], ends[1]};
}

// Texts as exec() takes them, nullptr at the end.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (auto& t : texts) all.push_back(t.data());
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& variables) {
  std::vector<std::string> all;
  for (char** at = environ; *at != nullptr; ++at) all.emplace_back(*at);
  for (const auto& [name, value] : variables) {
    std::erase_if(all, [&](const std::string& v) { return v.starts_with(name + "="); });
    all.push_back(name + "=" + value);
  }
  return all;
}

// In the new process: only calls that are safe after fork(). Ends when the pipe that holds it is closed
// unread.
[[noreturn]] void execute_when_let(int held, int failed, char* const* argv, char* const* environment) {
  char go = 0;
  ssize_t got = 0;
  while ((got = read(held, &go, 1)) < 0 && errno == EINTR) {
  }
  if (got == 1) {
    execvpe(argv[0], argv, environment);
    const int why = errno;
    (void)!write(failed, &why, sizeof why);
  }
  _exit(127);
}

}  // namespace

child_program::child_program(const program_start& what) : name_(what.command.at(0)) {
  auto words = what.command;
  auto environment = environment_with(what.variables);
  const auto argv = pointers_to(words), variables = pointers_to(environment);
  const auto held = make_pipe(), failed = make_pipe();
  process_ = fork();
  if (process_ == 0) {
    close(held.write);
    execute_when_let(held.read, failed.write, argv.data(), variables.data());
  }
  const int why = errno;
  close(held.read);
  close(failed.write);
  hold_ = held.write;
  failed_ = failed.read;
  if (process_ < 0) throw io_failure("create", "a process", why);
}

child_program::~child_program() {
  if (hold_ >= 0) close(hold_);
  if (failed_ >= 0) close(failed_);
  if (process_ > 0 && !code_) (void)ended(true);
}

result<void> child_program::release() {
  const char go = 1;
  (void)!write(hold_, &go, 1);
  close(std::exchange(hold_, -1));
  int why = 0;
  ssize_t got = 0;
  while ((got = read(failed_, &why, sizeof why)) < 0 && errno == EINTR) {
  }
  close(std::exchange(failed_, -1));
  if (got != sizeof why) return {};
  (void)ended(true);
  return error{fmt::format("cannot start \"{}\": {}", name_, std::strerror(why)),
               "give a program that can be executed"};
}

std::optional<int> child_program::ended(bool wait) {
  if (code_) return code_;
  int status = 0;
  pid_t got = 0;
  while ((got = waitpid(process_, &status, wait ? 0 : WNOHANG)) < 0 && errno == EINTR) {
  }
  if (got == process_) code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (got < 0) code_ = 127;  // somebody else took its end
  return code_;
}

}  // namespace ridge::profile
