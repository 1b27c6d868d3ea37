// SPDX-License-Identifier: Apache-2.0
#include "perf_sampler.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <limits>
#include <utility>
#include <variant>

#include "perf_attributes.hpp"
#include "record_queue.hpp"
#include "ring_buffer.hpp"

namespace ridge::backends::profile_perf_event {
namespace {

class descriptor {
 public:
  explicit descriptor(int number) : number_(number) {}
  ~descriptor() {
    if (number_ >= 0) close(number_);
  }
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

// The event of one processor: a process can be followed to its children only with one event per processor.
struct watched_cpu {
  descriptor event;
  ring_buffer ring;
};

std::int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

class perf_sampler final : public profile::cpu_sampler {
 public:
  perf_sampler(std::vector<watched_cpu> cpus, sampled event) : cpus_(std::move(cpus)), sampled_(event) {}

  [[nodiscard]] std::string unit() const override {
    return sampled_ == sampled::cycles ? "cycles" : "cpu-clock";
  }

  void drain(int wait_ms, const profile::record_sink& sink) override {
    wait(wait_ms);
    // A record may not yet be in its ring when its time has passed.
    const auto certain_ns = now_ns() - 5'000'000;
    read_rings();
    queue_.give_before(certain_ns, sink);
  }

  void finish(const profile::record_sink& sink) override {
    read_rings();
    queue_.give_before(std::numeric_limits<std::int64_t>::max(), sink);
  }

 private:
  void wait(int wait_ms) {
    std::vector<pollfd> all;
    for (const auto& c : cpus_) all.push_back({c.event.number(), POLLIN, 0});
    const auto start = now_ns();
    poll(all.data(), all.size(), wait_ms);
    // An event whose processes have all ended is always "ready".
    const bool ended = std::ranges::any_of(all, [](const pollfd& p) { return (p.revents & POLLHUP) != 0; });
    const auto left_ns = wait_ms * std::int64_t{1'000'000} - (now_ns() - start);
    if (!ended || left_ns <= 0) return;
    const timespec rest{0, std::min<std::int64_t>(left_ns, 1'000'000)};
    nanosleep(&rest, nullptr);
  }

  void read_rings() {
    for (auto& c : cpus_) {
      c.ring.read([this](std::span<const std::byte> bytes) {
        if (auto record = read_record(bytes)) queue_.add(std::move(*record));
      });
    }
  }

  std::vector<watched_cpu> cpus_;
  sampled sampled_;
  record_queue queue_{};
};

// Opens the event on all online processors; returns errno where that fails.
std::variant<std::vector<watched_cpu>, int> watch_all(pid_t process, const perf_event_attr& attributes) {
  std::vector<watched_cpu> made;
  for (long cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); ++cpu) {
    auto a = attributes;
    descriptor event(static_cast<int>(
        syscall(SYS_perf_event_open, &a, process, static_cast<int>(cpu), -1, PERF_FLAG_FD_CLOEXEC)));
    if (event.number() < 0 && errno == ENODEV) continue;  // not online
    if (event.number() < 0) return errno;
    auto ring = ring_buffer::map(event.number());
    if (!ring) return errno;
    made.push_back({std::move(event), std::move(*ring)});
  }
  if (made.empty()) return ENODEV;
  return made;
}

}  // namespace

result<std::unique_ptr<profile::cpu_sampler>> make(pid_t process, const profile::sampler_settings& settings) {
  int why = 0;
  for (const auto what : {sampled::cycles, sampled::cpu_clock}) {
    auto made = watch_all(process, attributes_of(what, settings.frequency_hz));
    if (auto* cpus = std::get_if<0>(&made))
      return std::unique_ptr<profile::cpu_sampler>(std::make_unique<perf_sampler>(std::move(*cpus), what));
    why = std::get<1>(made);
  }
  return refusal_here(why);
}

}  // namespace ridge::backends::profile_perf_event
