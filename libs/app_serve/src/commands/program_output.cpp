// SPDX-License-Identifier: Apache-2.0
#include "commands/program_output.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::app_serve {
namespace {

constexpr std::size_t most_bytes = 64U << 20U;

// What becomes of the errors that the program writes.
enum class errors : bool { dropped, beside_output };

// Starts the program with its output in a pipe. Returns its process, or minus the errno.
pid_t started(const std::vector<std::string>& words, int output, errors errors_go) {
  std::vector<std::string> all{"ridge"};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (auto& word : all) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (errors_go == errors::beside_output)
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  else
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  // A group of its own: Ctrl-C in the terminal of the server is for the server, which stops its jobs itself.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t process = 0;
  const int code = posix_spawn(&process, "/proc/self/exe", &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code == 0 ? process : -code;
}

// Returns whether the pipe was read to its end in time.
bool read_all(int pipe, std::chrono::steady_clock::time_point until, std::string& text) {
  std::array<char, 65536> part{};
  while (text.size() <= most_bytes) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    pollfd waited{pipe, POLLIN, 0};
    if (left.count() <= 0 || poll(&waited, 1, static_cast<int>(left.count())) <= 0) return false;
    const auto count = read(pipe, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
  return false;
}

}  // namespace

result<piped_process> program_with_pipe(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    return error{fmt::format("cannot start the program: {}", std::strerror(errno)), "close some files"};
  const auto process = started(words, ends[1], errors::beside_output);
  close(ends[1]);
  if (process > 0) return piped_process{process, ends[0]};
  close(ends[0]);
  return error{fmt::format("cannot start the program: {}", std::strerror(-process)), "run it by hand"};
}

void lines_of(int pipe, const std::function<void(std::string_view line)>& take) {
  constexpr std::size_t longest = 65536;
  std::array<char, 4096> part{};
  std::string line;
  while (true) {
    const auto count = read(pipe, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    for (const char letter : std::string_view(part.data(), static_cast<std::size_t>(count))) {
      if (letter != '\n') line += letter;
      if (letter == '\n' || line.size() >= longest) {
        take(line);
        line.clear();
      }
    }
  }
  if (!line.empty()) take(line);
  close(pipe);
}

result<std::string> output_of_program(const std::vector<std::string>& words, std::chrono::milliseconds time) {
  const auto line = "ridge " + join(words, " ");
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    return error{fmt::format("cannot run `{}`: {}", line, std::strerror(errno)), "close some files"};
  const auto process = started(words, ends[1], errors::dropped);
  close(ends[1]);
  std::string text;
  const bool is_read = process > 0 && read_all(ends[0], std::chrono::steady_clock::now() + time, text);
  close(ends[0]);
  if (process <= 0)
    return error{fmt::format("cannot run `{}`: {}", line, std::strerror(-process)), "run it by hand"};
  if (!is_read) kill(process, SIGKILL);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (!is_read) return error{fmt::format("`{}` took too long or wrote too much", line), "run it by hand"};
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return error{fmt::format("`{}` failed", line), "run it by hand: it says why"};
  return text;
}

}  // namespace ridge::app_serve
