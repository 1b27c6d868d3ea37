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

// A frame below its caller.
struct frame {
  std::uint32_t caller = 0xffffffffU;  // none
  std::string function{};
  std::string module{};  // the file's name
};

struct sample {
  std::int64_t time_ns = 0;
  pid_t process = 0, thread = 0;
  std::uint64_t weight = 1;
  std::uint32_t stack = 0xffffffffU;  // into frames: the innermost one
};

struct off_cpu {
  std::int64_t start_ns = 0, end_ns = 0;
  pid_t process = 0, thread = 0;
  bool preempted = false;
};

// A sampler's records made readable, as they come: addresses become functions while the files are still
// there.
class cpu_profile {
 public:
  void add(const sampler_record& record);

  [[nodiscard]] const std::vector<frame>& frames() const { return frames_; }
  [[nodiscard]] const std::vector<sample>& samples() const { return samples_; }
  [[nodiscard]] const std::vector<off_cpu>& waits() const { return waits_; }  // of at least 50 us
  [[nodiscard]] const std::map<std::pair<pid_t, pid_t>, std::string>& threads() const { return threads_; }
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
