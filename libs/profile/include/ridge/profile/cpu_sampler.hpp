// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::profile {

// Times are of CLOCK_MONOTONIC, in nanoseconds.

// Where a thread was, innermost address first.
struct stack_seen {
  std::int64_t time_ns = 0;
  pid_t process = 0, thread = 0;
  std::uint64_t weight = 1;  // of the sampler's unit
  std::vector<std::uint64_t> addresses{};
};

// A file mapped as code.
struct mapping_made {
  std::int64_t time_ns = 0;
  pid_t process = 0;
  std::uint64_t begin = 0, length = 0, offset = 0;
  std::string file{};
};

struct thread_named {
  std::int64_t time_ns = 0;
  pid_t process = 0, thread = 0;
  std::string name{};
  bool by_exec = false;  // the process runs another program now: its mappings are gone
};

struct thread_started {
  std::int64_t time_ns = 0;
  pid_t process = 0, thread = 0;
  pid_t parent_process = 0;
};

// A thread left its processor, or came back.
struct thread_switched {
  std::int64_t time_ns = 0;
  pid_t process = 0, thread = 0;
  bool out = false;
  bool preempted = false;  // of `out`: it could have gone on
};

struct records_lost {
  std::uint64_t count = 0;
};

using sampler_record =
    std::variant<stack_seen, mapping_made, thread_named, thread_started, thread_switched, records_lost>;

struct sampler_settings {
  std::uint32_t frequency_hz = 999;  // not 1000: work that repeats every millisecond would hide
};

using record_sink = std::function<void(const sampler_record&)>;

// Samples the processors' stacks of a program and of all it starts.
class cpu_sampler {
 public:
  virtual ~cpu_sampler() = default;
  // What a sample's weight counts: "cpu-clock" (nanoseconds of a processor) or "cycles".
  [[nodiscard]] virtual std::string unit() const = 0;
  // Hands over, in the order of time, what was seen since the last call and is certain to have nothing before
  // it. Waits for more for at most `wait_ms`.
  virtual void drain(int wait_ms, const record_sink& sink) = 0;
  // Hands over all that is left.
  virtual void finish(const record_sink& sink) = 0;
};

// Starts the sampler of a process that has not called exec() yet; samples come from its exec() on. A
// backend's.
using sampler_maker = std::function<result<std::unique_ptr<cpu_sampler>>(pid_t of, const sampler_settings&)>;

}  // namespace ridge::profile
