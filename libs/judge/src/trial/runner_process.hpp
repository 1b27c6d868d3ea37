// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "exchange/assignment.hpp"
#include "exchange/control_page.hpp"
#include "exchange/shared_memory.hpp"

namespace ridge::judge {

// What a runner's process is started with.
struct runner_start {
  std::vector<std::string> command{};  // program and words; the first is a path
  int inputs = -1, outputs = -1;       // descriptors of the memory that it computes in
  int candidate = -1;                  // descriptor of the candidate's file; -1: none
  double limit_s = 10;                 // longest time that one request may take
};

// One runner, as the judge sees it. It runs only while a request is answered: before and after, all of its
// threads are stopped. The destructor ends it with everything that it left. One thread uses it.
class runner_process final {
 public:
  // How a request ended.
  struct answer {
    double seconds = 0;      // from before it was continued until it was stopped
    double processor_s = 0;  // processor time of its threads meanwhile
    std::string failed{};    // why the request failed, or how the process ended; empty where it succeeded
  };

  // Starts the process; start() then waits until it is in its sandbox. Everything passed may end before it.
  // Throws io_failure where no process can be started.
  runner_process(const runner_start& start, const assignment& given);
  ~runner_process();
  runner_process(const runner_process&) = delete;
  runner_process& operator=(const runner_process&) = delete;

  // Waits until the runner is in its sandbox. Called once, first.
  [[nodiscard]] answer start();
  // Has a request answered. After a failure that ended the process no further one may be made.
  [[nodiscard]] answer ask(operation wanted, std::uint64_t first, std::uint64_t count);

  // Processor time that it has used so far, in seconds.
  [[nodiscard]] double processor_s() const;
  // Processor time that it used while it should have been stopped, in seconds.
  [[nodiscard]] double unaccounted_s() const { return unaccounted_s_; }
  // What the sandbox is, as it was before a candidate was loaded.
  [[nodiscard]] const sandbox_report& sandbox() const { return sandbox_; }

 private:
  [[nodiscard]] control_page& page() const {
    return *reinterpret_cast<control_page*>(control_.bytes().data());
  }
  [[nodiscard]] bool wait_for_answer(std::uint32_t request, std::string& ended);
  [[nodiscard]] std::string stop();
  [[nodiscard]] std::string how_it_ended();
  void end();

  double limit_s_;
  shared_memory control_, assigned_;
  pid_t id_ = -1;
  std::uint32_t request_ = 0;
  double accounted_s_ = 0, unaccounted_s_ = 0;
  sandbox_report sandbox_{};
};

}  // namespace ridge::judge
