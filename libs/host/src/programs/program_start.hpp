// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <array>
#include <csignal>

#include <ridge/host/child_process.hpp>

namespace ridge::host {

// Closes the descriptor where it is one, and forgets it.
void close_descriptor(int& descriptor);

struct pipe_ends {
  int read = -1, write = -1;
};

// A pipe whose ends a program does not inherit. Throws io_failure.
[[nodiscard]] pipe_ends make_pipe();

// Everything that a new process needs before it executes its program. It is made beforehand, since the
// process must not allocate after its start.
struct start_plan {
  char* const* arguments = nullptr;
  char* const* environment = nullptr;
  const char* folder = nullptr;            // nullptr: the working folder
  std::array<int, 3> streams{-1, -1, -1};  // descriptors of stdin, stdout and stderr; -1: inherited
  pipe_ends hold{};  // the process first waits for a byte from here; -1: it does not wait
  int failed = -1;   // receives errno when the program cannot be executed
  bool own_group = true;
  pid_t parent = 0;
  sigset_t signals{};  // the caller's mask
};

// The files behind a child's streams, open in this process until the child has started.
struct started_files {
  // Throws io_failure where a file of `start` cannot be opened.
  explicit started_files(const program& start);
  ~started_files();
  started_files(const started_files&) = delete;
  started_files& operator=(const started_files&) = delete;

  int nowhere = -1, input = -1, output = -1;  // -1: the stream of this process

 private:
  void close_all();
};

// Starts the process of a plan and returns its id; -1 with errno where there is none.
[[nodiscard]] pid_t start_process(const start_plan& plan);

// Called in a new process: the kernel kills it when the thread that started it ends.
void die_with(pid_t parent);
// Called in a new process: handlers of its parent's do not run in it.
void drop_signal_handlers();

}  // namespace ridge::host
