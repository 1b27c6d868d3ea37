// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ridge::store::tests {

// A server of its own for this process (tests/store/postgresql-server), started when it is first needed. It
// ends when its input does: however this process ends.
class postgresql_server {
 public:
  static postgresql_server& running() {
    static postgresql_server only;
    return only;
  }
  postgresql_server(const postgresql_server&) = delete;
  postgresql_server& operator=(const postgresql_server&) = delete;
  ~postgresql_server() {
    if (input_ >= 0) close(input_);
    if (output_) std::fclose(output_);
    if (child_ > 0) waitpid(child_, nullptr, 0);
  }

  // Returns the URL of an empty database; an empty text where no server can be started.
  [[nodiscard]] const std::string& url() const { return url_; }
  // Returns the folder of the server, which holds its socket.
  [[nodiscard]] std::string folder() const {
    const auto from = url_.find("host=") + 5;
    return url_.substr(from, url_.find('&') - from);
  }
  // Ends every process of the server at once, as a loss of power does.
  void kill_at_once() const {
    std::FILE* file = std::fopen((folder() + "/data/postmaster.pid").c_str(), "r");
    int postmaster = 0;
    ASSERT_NE(file, nullptr);
    ASSERT_EQ(std::fscanf(file, "%d", &postmaster), 1);
    std::fclose(file);
    ASSERT_GT(postmaster, 1);
    std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", postmaster));
    ASSERT_EQ(::kill(postmaster, SIGKILL), 0);
    for (pid_t child = 0; children >> child;) ::kill(child, SIGKILL);
  }
  // Starts a server that was killed or stopped; returns whether it came up.
  bool restart() { return tell("restart\n") == "restarted"; }

 private:
  postgresql_server() {
    std::array<int, 2> to_child{}, from_child{};
    if (pipe2(to_child.data(), O_CLOEXEC) != 0 || pipe2(from_child.data(), O_CLOEXEC) != 0) return;
    const auto script = std::string(std::getenv("RIDGE_SOURCE_DIR")) + "/tests/store/postgresql-server";
    child_ = fork();
    if (child_ == 0) {
      dup2(to_child[0], STDIN_FILENO);
      dup2(from_child[1], STDOUT_FILENO);
      execl(script.c_str(), script.c_str(), nullptr);
      _exit(127);
    }
    close(to_child[0]);
    close(from_child[1]);
    input_ = to_child[1];
    output_ = fdopen(from_child[0], "r");
    url_ = line();
  }
  std::string line() {
    std::string all;
    for (int letter = 0; (letter = std::fgetc(output_)) != EOF && letter != '\n';)
      all += static_cast<char>(letter);
    return all;
  }
  std::string tell(const std::string& word) {
    if (write(input_, word.data(), word.size()) < 0) return {};
    return line();
  }

  pid_t child_ = -1;
  int input_ = -1;
  std::FILE* output_ = nullptr;
  std::string url_{};
};

}  // namespace ridge::store::tests
