// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/process_keeper.hpp>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include <ridge/base/error.hpp>

namespace ridge::host {
namespace {

constexpr const char* variable = "RIDGE_KEPT_BY";

bool carries(const std::filesystem::path& process, const std::string& mark) {
  std::ifstream file(process / "environ", std::ios::binary);
  const std::string all = '\0' + std::string{std::istreambuf_iterator<char>(file), {}} + '\0';
  return all.find('\0' + mark + '\0') != std::string::npos;
}

std::vector<pid_t> processes_with(const std::string& mark) {
  std::vector<pid_t> found;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", failed)) {
    const auto name = entry.path().filename().string();
    pid_t id = 0;
    const auto [stopped, wrong] = std::from_chars(name.data(), name.data() + name.size(), id);
    if (wrong != std::errc{} || stopped != name.data() + name.size() || id == getpid()) continue;
    if (carries(entry.path(), mark)) found.push_back(id);
  }
  return found;
}

// A program that is starting others may add one while we look, so this looks until it finds none.
void kill_all_with(const std::string& mark) {
  for (int turn = 0; turn < 50; ++turn) {
    const auto left = processes_with(mark);
    if (left.empty()) return;
    for (const pid_t id : left) kill(id, SIGKILL);
    usleep(5'000);
  }
}

[[noreturn]] void keep(int alive, const std::string& mark) {
  setsid();
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) std::signal(number, SIG_IGN);
  if (alive != 3) dup2(alive, 3);
  for (int stream = 0; stream < 3; ++stream) close(stream);
  closefrom(4);
  char done = 0;
  ssize_t got = 0;
  while ((got = read(3, &done, 1)) < 0 && errno == EINTR) {
  }
  if (got == 0) kill_all_with(mark);
  _exit(0);
}

}  // namespace

process_keeper::process_keeper() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const auto value =
      std::to_string(getpid()) + '.' + std::to_string(now.tv_sec) + '.' + std::to_string(now.tv_nsec);
  mark_ = std::string(variable) + '=' + value;
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw io_failure("create", "a pair of sockets", errno);
  id_ = fork();
  if (id_ == 0) {
    close(ends[1]);
    keep(ends[0], mark_);
  }
  const int why = errno;
  close(ends[0]);
  alive_ = ends[1];
  if (id_ < 0) {
    close(alive_);
    throw io_failure("start", "a child process", why, "raise the limit on processes (ulimit -u)");
  }
  if (const char* outer = std::getenv(variable)) outer_ = outer;
  setenv(variable, value.c_str(), 1);
}

process_keeper::~process_keeper() {
  if (outer_) {
    setenv(variable, outer_->c_str(), 1);
  } else {
    unsetenv(variable);
  }
  kill_all_with(mark_);
  const char done = 1;
  (void)!send(alive_, &done, 1, MSG_NOSIGNAL);  // the other process may be dead
  close(alive_);
  while (waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace ridge::host
