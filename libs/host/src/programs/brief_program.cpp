// SPDX-License-Identifier: Apache-2.0
#include "programs/brief_program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

namespace ridge::host {
namespace {

constexpr std::size_t most_bytes = 1 << 16;  // of an answer; a program gone wild fills memory, not our time

pid_t start(const std::vector<std::string>& argv, int output) {
  std::vector<char*> words;
  for (const auto& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t child = -1;
  const int failed = posix_spawn(&child, words[0], &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? child : -1;
}

}  // namespace

brief_program::brief_program(const std::vector<std::string>& argv)
    : descriptor_(memfd_create("ridge-answer", MFD_CLOEXEC)) {
  if (descriptor_ >= 0) child_ = start(argv, descriptor_);
  ended_ = child_ < 0;
}

brief_program::brief_program(brief_program&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      child_(std::exchange(other.child_, -1)),
      ended_(std::exchange(other.ended_, true)) {}

brief_program::~brief_program() {
  if (!ended()) {
    kill(-child_, SIGKILL);
    // A program that waits for a dead file server takes even this signal late; it is left behind then.
    for (int i = 0; i < 10 && !ended(); ++i) usleep(10'000);
  }
  if (descriptor_ >= 0) close(descriptor_);
}

bool brief_program::ended() {
  if (!ended_) ended_ = waitpid(child_, nullptr, WNOHANG) != 0;
  return ended_;
}

std::optional<std::string> brief_program::output() {
  if (child_ < 0 || !ended()) return std::nullopt;
  std::string text(most_bytes, '\0');
  const auto got = pread(descriptor_, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

}  // namespace ridge::host
