// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/server/event_hub.hpp>

#include "commands/program_output.hpp"

namespace ridge::app_serve {

// A run that was asked for over the API.
struct job {
  std::string id{};                  // "1", "2", ...: of this server
  std::string suite{};               // what is measured: "ch01", "ch07.coalescing"
  std::vector<std::string> words{};  // the command line of the program: {"run", "ch01", ...}
  std::string state{"queued"};       // queued, running, finished, failed, stopped
  std::string started{};             // ISO 8601, UTC; empty: not yet
  std::string message{};             // how it ended
};

// Runs jobs one after the other, each as a process of this program without a shell: two at once would disturb
// each other. Publishes `job` (key: its id) with each state and `log` with each line that it writes. Any
// thread may use it. Its end is that of its jobs; what they have stored is kept.
class job_queue final {
 public:
  // How the process of a job is started: program_with_pipe, but for tests.
  using starter = std::function<result<piped_process>(const std::vector<std::string>& words)>;

  explicit job_queue(std::shared_ptr<server::event_hub> events, starter start = program_with_pipe);
  ~job_queue();
  job_queue(const job_queue&) = delete;
  job_queue& operator=(const job_queue&) = delete;

  // Enters a job and returns it; an error where 16 are waiting.
  [[nodiscard]] result<job> add(std::string suite, std::vector<std::string> words);

  // Ends a job: one that waits at once, one that runs after its current look at the data (Ctrl-C). Returns
  // it; an error where there is none of this id or it has ended.
  [[nodiscard]] result<job> stop(const std::string& id);

  // Ends all jobs and takes no more: asks the one that runs to stop, and kills it after ten seconds. Returns
  // when it has ended and its last event is published.
  void end();

  // Returns all jobs that are remembered (the last 100), the newest first.
  [[nodiscard]] std::vector<job> jobs() const;

 private:
  void work();
  void run(job& next, std::unique_lock<std::mutex>& lock);
  void publish(const job& changed) const;
  void publish_line(const std::string& id, std::string_view line) const;

  std::shared_ptr<server::event_hub> events_;
  starter start_;
  mutable std::mutex mutex_{};
  std::condition_variable changed_{};
  std::list<job> jobs_{};  // the oldest first
  std::uint64_t last_id_ = 0;
  int running_process_ = 0;  // 0: none
  bool ends_ = false;
  std::thread thread_{};
};

}  // namespace ridge::app_serve
