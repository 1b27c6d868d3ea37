// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include <ridge/host/open_file.hpp>

namespace ridge::host {

// What the system has counted so far for the calling thread, its machine and its control group.
struct thread_usage {
  std::int64_t wall_ns = 0;
  std::int64_t cpu_ns = 0;
  long involuntary_switches = 0;
  long voluntary_switches = 0;
  long minor_faults = 0;
  long major_faults = 0;
  double steal_s = 0;  // all CPUs together; 0 where the kernel does not tell
  long throttled_periods = 0;
  int cpu = 0;
};

// Reads thread_usage in well under a microsecond, from files that it keeps open. Steal and throttling, which
// the kernel itself counts in steps of 10 ms or more, are read again only when 10 ms have passed, which takes
// some microseconds. Each thread needs a reader of its own.
class interference_reader final {
 public:
  // Opens the files of the system below `root`; what is missing counts as 0.
  explicit interference_reader(const std::filesystem::path& root = "/");
  // Returns the calling thread's counts and times as of now.
  [[nodiscard]] thread_usage read();

 private:
  void read_system();
  std::optional<open_file> stat_{};
  std::optional<open_file> cgroup_{};
  std::int64_t system_read_ns_ = 0;
  double steal_s_ = 0;
  long throttled_periods_ = 0;
};

// Returns the steal column of the first line of /proc/stat (proc(5)), in clock ticks; 0 where it is missing.
[[nodiscard]] long parse_steal_ticks(std::string_view proc_stat);
// Returns nr_throttled of the cpu.stat of a control group, versions 1 and 2; 0 where it is missing.
[[nodiscard]] long parse_throttled_periods(std::string_view cpu_stat);

}  // namespace ridge::host
