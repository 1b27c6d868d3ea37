// SPDX-License-Identifier: Apache-2.0
#include "session/child_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include <fmt/format.h>

#include <ridge/base/error.hpp>

namespace ridge::app {
namespace {

// Keeps a stream of the child in memory: a pipe would have to be drained while the child is timed.
class memory_file {
 public:
  memory_file() : descriptor_(memfd_create("ridge-output", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw io_failure("create", "a file in memory", errno);
  }
  ~memory_file() { close(descriptor_); }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;
  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] std::string text() const {
    std::string all(static_cast<std::size_t>(lseek(descriptor_, 0, SEEK_END)), '\0');
    std::size_t done = 0;
    while (done < all.size()) {
      const auto got = pread(descriptor_, all.data() + done, all.size() - done, static_cast<off_t>(done));
      if (got <= 0) break;
      done += static_cast<std::size_t>(got);
    }
    return all;
  }

 private:
  int descriptor_;
};

class file_actions {
 public:
  file_actions() { posix_spawn_file_actions_init(&actions_); }
  ~file_actions() { posix_spawn_file_actions_destroy(&actions_); }
  file_actions(const file_actions&) = delete;
  file_actions& operator=(const file_actions&) = delete;
  void open(int descriptor, const char* path, int flags) {
    posix_spawn_file_actions_addopen(&actions_, descriptor, path, flags, 0);
  }
  void dup(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

// A group of its own: Ctrl-C reaches ridge alone, which ends after the sample it is taking.
class own_group {
 public:
  own_group() {
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes_, 0);
  }
  ~own_group() { posix_spawnattr_destroy(&attributes_); }
  own_group(const own_group&) = delete;
  own_group& operator=(const own_group&) = delete;
  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
}

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

finished_program timed(const std::vector<std::string>& argv, const file_actions& actions) {
  std::vector<char*> words;
  for (const auto& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const own_group group;
  pid_t child = 0;
  const double start = now_s();
  const int failed = posix_spawnp(&child, words[0], actions.get(), group.get(), words.data(), environ);
  if (failed != 0)
    throw unavailable(fmt::format("cannot start \"{}\": {}", argv[0], std::strerror(failed)),
                      "give a program that can be executed");
  int status = 0;
  rusage used{};
  while (wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  finished_program done;
  done.wall_s = now_s() - start;
  done.cpu_s = seconds(used.ru_utime) + seconds(used.ru_stime);
  done.peak_bytes = static_cast<double>(used.ru_maxrss) * 1024;
  done.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return done;
}

}  // namespace

finished_program run_program(const std::vector<std::string>& argv, keep_output keep) {
  file_actions actions;
  actions.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  if (keep == keep_output::no) {
    actions.open(STDOUT_FILENO, "/dev/null", O_WRONLY);
    actions.open(STDERR_FILENO, "/dev/null", O_WRONLY);
    return timed(argv, actions);
  }
  const memory_file output, errors;
  actions.dup(output.descriptor(), STDOUT_FILENO);
  actions.dup(errors.descriptor(), STDERR_FILENO);
  auto done = timed(argv, actions);
  done.output = output.text();
  done.errors = errors.text();
  return done;
}

finished_program run_shell(const std::string& line, keep_output keep) {
  return run_program({"/bin/sh", "-c", line}, keep);
}

}  // namespace ridge::app
