// SPDX-License-Identifier: Apache-2.0
#include "live/started_run.hpp"

#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace ridge::tui {
namespace {

constexpr std::size_t most_lines = 2000, most_bytes = 2000;

// Replaces this process, which is the child, by the program. Only calls that are safe behind fork.
[[noreturn]] void become(char* const* words) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGPIPE, SIGWINCH, SIGCONT})
    std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execvp(words[0], words);
  constexpr int not_found = 127;
  _exit(not_found);
}

}  // namespace

void output_lines::add(std::string_view bytes) {
  for (const char byte : bytes) {
    if (state_ == state::escape) {
      state_ = byte == '[' ? state::sequence : state::text;
    } else if (state_ == state::sequence) {
      if (byte >= '@' && byte <= '~') state_ = state::text;
    } else if (byte == '\x1b') {
      state_ = state::escape;
    } else if (byte == '\n') {
      lines_.push_back(std::move(open_));
      open_.clear();
      begun_again_ = false;
      if (lines_.size() > most_lines) lines_.pop_front();
    } else if (byte == '\r') {
      begun_again_ = true;
    } else {
      if (begun_again_) open_.clear();
      begun_again_ = false;
      if (open_.size() < most_bytes) open_ += byte;
    }
  }
}

result<void> started_run::start(const std::vector<std::string>& words, std::string command) {
  if (running()) return error{"a run is going on", "wait for it, or end it with :stop"};
  if (words.empty()) return error{"this program cannot start runs", ""};
  std::vector<std::string> own = words;
  std::vector<char*> pointers;
  for (auto& word : own) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  winsize size{};
  size.ws_row = 40;
  size.ws_col = 100;
  const pid_t child = forkpty(&master_, nullptr, nullptr, &size);
  if (child == 0) become(pointers.data());
  if (child < 0) {
    master_ = -1;
    return error{"the run could not be started: " + std::string(std::strerror(errno)), ""};
  }
  fcntl(master_, F_SETFL, O_NONBLOCK);
  fcntl(master_, F_SETFD, FD_CLOEXEC);
  child_ = child;
  exit_code_.reset();
  output_ = {};
  command_ = std::move(command);
  return {};
}

void started_run::stop() {
  if (running()) kill(child_, SIGINT);
}

bool started_run::read() {
  if (master_ < 0) return false;
  bool news = false;
  std::array<char, 4096> bytes{};
  for (;;) {
    const auto count = ::read(master_, bytes.data(), bytes.size());
    if (count > 0) {
      output_.add({bytes.data(), static_cast<std::size_t>(count)});
      news = true;
      continue;
    }
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) break;
    collect(true);  // the child closed its terminal: it has ended
    return true;
  }
  return news;
}

void started_run::collect(bool wait) {
  if (child_ > 0) {
    int status = 0;
    if (waitpid(child_, &status, wait ? 0 : WNOHANG) != child_) return;
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    child_ = -1;
  }
  if (master_ >= 0) close(master_);
  master_ = -1;
}

started_run::~started_run() {
  if (!running()) return;
  stop();
  // Reading on keeps the child from waiting for a full terminal; a second request ends it at once.
  constexpr int most_waits = 100;
  for (int i = 0; i < most_waits && running(); ++i) {
    read();
    if (i == most_waits / 2) stop();
    usleep(100'000);
  }
  if (running()) kill(child_, SIGKILL);
  collect(true);
}

}  // namespace ridge::tui
