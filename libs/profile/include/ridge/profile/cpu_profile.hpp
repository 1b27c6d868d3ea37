// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <ridge/profile/address_spaces.hpp>
#include <ridge/profile/cpu_sampler.hpp>
#include <ridge/profile/symbols.hpp>

namespace ridge::profile {

// A frame called by another one; following `caller` gives the stack.
struct frame {
  std::uint32_t caller = 0xffffffffU;  // none
  std::string function{};
  std::string module{};  // the file's name
};

// One sample of a processor. Times are nanoseconds of CLOCK_MONOTONIC.
struct sample {
  std::int64_t time_ns = 0;
  pid_t process = 0, thread = 0;
  std::uint64_t weight = 1;
  std::uint32_t stack = 0xffffffffU;  // into frames: the innermost one
};

// A time in which a thread was off its processor.
struct off_cpu {
  std::int64_t start_ns = 0, end_ns = 0;
  pid_t process = 0, thread = 0;
  bool preempted = false;
};

// A profile made from a sampler's records as they arrive: addresses become functions while their files still
// exist.
class cpu_profile {
 public:
  // Adds a record; records come in order of time.
  void add(const sampler_record& record);

  // All frames; a caller stands before what it calls.
  [[nodiscard]] const std::vector<frame>& frames() const { return frames_; }
  // The samples in the order in which they were added.
  [[nodiscard]] const std::vector<sample>& samples() const { return samples_; }
  [[nodiscard]] const std::vector<off_cpu>& waits() const { return waits_; }  // those of at least 50 us
  // The last name of each thread, by process and thread.
  [[nodiscard]] const std::map<std::pair<pid_t, pid_t>, std::string>& threads() const { return threads_; }
  // Number of records that the sampler lost.
  [[nodiscard]] std::uint64_t lost() const { return lost_; }

 private:
  void take(const stack_seen& s);
  void take(const mapping_made& m) { spaces_.add(m); }
  void take(const thread_named& n);
  void take(const thread_started& t);
  void take(const thread_switched& s);
  void take(const records_lost& l) { lost_ += l.count; }
  [[nodiscard]] std::uint32_t frame_of(std::uint32_t caller, pid_t process, std::uint64_t address);

  address_spaces spaces_{};
  symbol_cache symbols_{};
  std::vector<frame> frames_{};
  std::map<std::tuple<std::uint32_t, std::string, std::string>, std::uint32_t> known_{};
  std::vector<sample> samples_{};
  std::vector<off_cpu> waits_{};
  std::map<std::pair<pid_t, pid_t>, std::string> threads_{};
  std::map<std::pair<pid_t, pid_t>, thread_switched> away_{};
  std::uint64_t lost_ = 0;
};

}  // namespace ridge::profile
