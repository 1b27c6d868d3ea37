// SPDX-License-Identifier: Apache-2.0
#include "jobs/job_queue.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <utility>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ridge/base/escape.hpp>
#include <ridge/model/json_writer.hpp>

namespace ridge::app_serve {
namespace {

constexpr std::size_t most_waiting = 16;
constexpr std::size_t most_remembered = 100;
constexpr std::size_t longest_line = 2000;

std::string now_text() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

bool has_ended(const job& one) { return one.state != "queued" && one.state != "running"; }

}  // namespace

job_queue::job_queue(std::shared_ptr<server::event_hub> events, starter start)
    : events_(std::move(events)), start_(std::move(start)), thread_([this] { work(); }) {}

job_queue::~job_queue() { end(); }

void job_queue::end() {
  using namespace std::chrono_literals;
  {
    std::unique_lock lock(mutex_);
    ends_ = true;
    if (running_process_ > 0) kill(running_process_, SIGINT);
    changed_.notify_all();
    changed_.wait_for(lock, 10s, [this] { return running_process_ == 0; });
    if (running_process_ > 0) kill(running_process_, SIGKILL);
  }
  if (thread_.joinable()) thread_.join();
}

void job_queue::publish(const job& changed) const {
  model::json_writer json;
  json.begin_object().field("id", changed.id).field("suite", changed.suite).field("state", changed.state);
  json.field("started", changed.started).field("message", changed.message).end_object();
  events_->publish({.type = "job", .key = changed.id, .data = std::move(json).take()});
}

void job_queue::publish_line(const std::string& id, std::string_view line) const {
  model::json_writer json;
  json.begin_object().field("job", id).field("text", terminal_escaped(line, longest_line)).end_object();
  events_->publish({.type = "log", .key = "", .data = std::move(json).take()});
}

result<job> job_queue::add(std::string suite, std::vector<std::string> words) {
  job made{.suite = std::move(suite), .words = std::move(words)};
  {
    const std::lock_guard guard(mutex_);
    if (ends_) return error{"the server stops", "start it again"};
    if (std::ranges::count(jobs_, "queued", &job::state) >= static_cast<std::ptrdiff_t>(most_waiting))
      return error{fmt::format("{} jobs are waiting", most_waiting), "wait, or stop one"};
    made.id = std::to_string(++last_id_);
    jobs_.push_back(made);
    if (jobs_.size() > most_remembered)
      if (const auto old = std::ranges::find_if(jobs_, has_ended); old != jobs_.end()) jobs_.erase(old);
    publish(made);
  }
  changed_.notify_all();
  return made;
}

result<job> job_queue::stop(const std::string& id) {
  const std::lock_guard guard(mutex_);
  const auto found = std::ranges::find(jobs_, id, &job::id);
  if (found == jobs_.end()) return error{fmt::format("there is no job {}", id), "see /api/v1/jobs"};
  if (has_ended(*found)) return error{fmt::format("job {} has ended", id), "see /api/v1/jobs"};
  if (found->state == "running") {
    found->message = "being stopped";
    if (running_process_ > 0) kill(running_process_, SIGINT);
  } else {
    found->state = "stopped";
  }
  publish(*found);
  return *found;
}

std::vector<job> job_queue::jobs() const {
  const std::lock_guard guard(mutex_);
  return {jobs_.rbegin(), jobs_.rend()};
}

void job_queue::work() {
  std::unique_lock lock(mutex_);
  while (!ends_) {
    const auto next = std::ranges::find(jobs_, "queued", &job::state);
    if (next == jobs_.end())
      changed_.wait(lock);
    else
      run(*next, lock);
  }
}

// A job in the list stays where it is: only jobs that have ended are forgotten.
void job_queue::run(job& next, std::unique_lock<std::mutex>& lock) {
  auto started = start_(next.words);
  next.state = started ? "running" : "failed";
  next.started = now_text();
  if (!started) next.message = started.why().text();
  publish(next);
  if (!started) return;
  running_process_ = started->process;
  const auto id = next.id;
  lock.unlock();
  lines_of(started->output, [&](std::string_view line) { publish_line(id, line); });
  int status = 0;
  while (waitpid(started->process, &status, 0) < 0 && errno == EINTR) {
  }
  lock.lock();
  running_process_ = 0;
  changed_.notify_all();
  const bool was_stopped = next.message == "being stopped" || ends_;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  next.state = was_stopped ? "stopped" : code == 0 ? "finished" : "failed";
  next.message = code == 0 || was_stopped ? std::string() : fmt::format("exit code {}", code);
  publish(next);
}

}  // namespace ridge::app_serve
