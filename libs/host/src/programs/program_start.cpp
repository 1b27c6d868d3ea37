// SPDX-License-Identifier: Apache-2.0
#include "programs/program_start.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include <ridge/base/error.hpp>

namespace ridge::host {
namespace {

// Opens a file for a child's stream.
int stream_file(const std::string& path, int flags) {
  const int made = open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (made < 0) throw io_failure("open", path, errno);
  return made;
}

// Runs in the new process and makes only calls that are safe there.
[[noreturn]] void become_program(const start_plan& plan) {
  die_with(plan.parent);
  if (plan.own_group) setpgid(0, 0);
  for (int stream = 0; stream < 3; ++stream) {
    const int source = plan.streams[static_cast<std::size_t>(stream)];
    if (source >= 0) dup2(source, stream);
  }
  drop_signal_handlers();
  sigprocmask(SIG_SETMASK, &plan.signals, nullptr);
  char go = 1;
  if (plan.hold.read >= 0) {
    close(plan.hold.write);  // an open write end would hide the end of the pipe
    ssize_t got = 0;
    while ((got = read(plan.hold.read, &go, 1)) < 0 && errno == EINTR) {
    }
    if (got != 1) _exit(127);
  }
  if (plan.folder == nullptr || chdir(plan.folder) == 0)
    execvpe(plan.arguments[0], plan.arguments, plan.environment);
  const int why = errno;
  (void)!write(plan.failed, &why, sizeof why);
  _exit(127);
}

}  // namespace

void close_descriptor(int& descriptor) {
  if (descriptor >= 0) close(descriptor);
  descriptor = -1;
}

pipe_ends make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw io_failure("create", "a pipe", errno);
  return {ends[0], ends[1]};
}

// A signal handler of this process must not run in a child that still shares its memory.
void drop_signal_handlers() {
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action {};
    if (sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_DFL ||
        action.sa_handler == SIG_IGN)
      continue;
    action.sa_handler = SIG_DFL;
    action.sa_flags = 0;
    sigaction(number, &action, nullptr);
  }
}

void die_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // the parent ended in between
}

started_files::started_files(const program& start) : nowhere(stream_file("/dev/null", O_RDWR)) {
  try {
    if (!start.output_file.empty()) output = stream_file(start.output_file, O_WRONLY | O_CREAT | O_TRUNC);
    if (!start.input_file.empty()) input = stream_file(start.input_file, O_RDONLY);
  } catch (...) {
    close_all();
    throw;
  }
  if (input < 0 && start.own_input) input = fcntl(nowhere, F_DUPFD_CLOEXEC, 0);
}

started_files::~started_files() { close_all(); }

void started_files::close_all() {
  for (int* one : {&nowhere, &input, &output}) close_descriptor(*one);
}

// vfork() copies no page tables, so a start takes the same time whatever the size of this process. It
// suspends this thread until the program is executed; a held program would suspend it for long, so that one
// is forked.
[[gnu::noinline]] pid_t start_process(const start_plan& plan) {
  const pid_t id = plan.hold.read >= 0 ? ::fork() : ::vfork();
  if (id == 0) become_program(plan);
  return id;
}

}  // namespace ridge::host
