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

// Records of a sampler. Times are nanoseconds of CLOCK_MONOTONIC.

// One sample of a thread's stack, innermost address first.
struct stack_seen {
  std::int64_t time_ns = 0;
  pid_t process = 0, thread = 0;
  std::uint64_t weight = 1;  // in the sampler's unit
  std::vector<std::uint64_t> addresses{};
};

// A file mapped as code.
struct mapping_made {
  std::int64_t time_ns = 0;
  pid_t process = 0;
  std::uint64_t begin = 0, length = 0, offset = 0;
  std::string file{};
};

// A thread got a name.
struct thread_named {
  std::int64_t time_ns = 0;
  pid_t process = 0, thread = 0;
  std::string name{};
  bool by_exec = false;  // the process now runs another program, so its mappings are gone
};

// A thread or process started.
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
  bool preempted = false;  // only with `out`: the thread could have continued
};

// Records that the kernel dropped.
struct records_lost {
  std::uint64_t count = 0;
};

using sampler_record =
    std::variant<stack_seen, mapping_made, thread_named, thread_started, thread_switched, records_lost>;

// Settings of a sampler.
struct sampler_settings {
  std::uint32_t frequency_hz =
      999;  // not 1000, because work that repeats every millisecond would stay hidden
};

using record_sink = std::function<void(const sampler_record&)>;

// Samples the stacks of a program and of all processes that it starts.
class cpu_sampler {
 public:
  virtual ~cpu_sampler() = default;
  // What a sample's weight counts: "cpu-clock" (nanoseconds of a processor) or "cycles".
  [[nodiscard]] virtual std::string unit() const = 0;
  // Passes on, in order of time, the records since the last call that no earlier record can precede any more.
  // Waits at most `wait_ms` for records.
  virtual void drain(int wait_ms, const record_sink& sink) = 0;
  // Passes on all remaining records.
  virtual void finish(const record_sink& sink) = 0;
};

// Starts the sampler of a process that has not called exec() yet; samples come from its exec() on. A backend
// provides it.
using sampler_maker =
    std::function<result<std::unique_ptr<cpu_sampler>>(pid_t process, const sampler_settings&)>;

}  // namespace ridge::profile
