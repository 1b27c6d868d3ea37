// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/interference_reader.hpp>

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <span>

#include <ridge/base/text.hpp>
#include <ridge/host/cgroup.hpp>
#include <ridge/host/text_file.hpp>

namespace ridge::host {
namespace {

constexpr std::int64_t system_step_ns = 10'000'000;

std::int64_t now_ns(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

std::string_view read_again(const std::optional<open_file>& file, std::span<char> buffer) {
  if (!file) return {};
  const auto got = pread(file->descriptor(), buffer.data(), buffer.size(), 0);
  return got > 0 ? std::string_view(buffer.data(), static_cast<std::size_t>(got)) : std::string_view{};
}

}  // namespace

long parse_steal_ticks(std::string_view proc_stat) {
  if (!proc_stat.starts_with("cpu ")) return 0;
  constexpr std::size_t steal_column = 8;
  std::size_t column = 0;
  for (const auto word : split(proc_stat.substr(0, proc_stat.find('\n')), ' ')) {
    if (word.empty()) continue;
    if (column == steal_column) return static_cast<long>(to_number(word).value_or(0));
    ++column;
  }
  return 0;
}

long parse_throttled_periods(std::string_view cpu_stat) {
  constexpr std::string_view key = "nr_throttled ";
  for (const auto line : split(cpu_stat, '\n')) {
    if (line.starts_with(key)) return static_cast<long>(to_number(line.substr(key.size())).value_or(0));
  }
  return 0;
}

interference_reader::interference_reader(const std::filesystem::path& root)
    : stat_(open_file::try_open(root / "proc/stat", O_RDONLY)) {
  const auto folder = read_cgroup(root).cpu_folder;
  if (!folder.empty()) cgroup_ = open_file::try_open(folder / "cpu.stat", O_RDONLY);
}

void interference_reader::read_system() {
  std::array<char, 1024> buffer{};
  static const auto ticks_per_s = static_cast<double>(sysconf(_SC_CLK_TCK));
  steal_s_ = static_cast<double>(parse_steal_ticks(read_again(stat_, buffer))) / ticks_per_s;
  throttled_periods_ = parse_throttled_periods(read_again(cgroup_, buffer));
}

thread_usage interference_reader::read() {
  thread_usage usage;
  usage.wall_ns = now_ns(CLOCK_MONOTONIC);
  if (system_read_ns_ == 0 || usage.wall_ns - system_read_ns_ >= system_step_ns) {
    read_system();
    usage.wall_ns = system_read_ns_ = now_ns(CLOCK_MONOTONIC);
  }
  rusage counted{};
  getrusage(RUSAGE_THREAD, &counted);
  usage.involuntary_switches = counted.ru_nivcsw;
  usage.voluntary_switches = counted.ru_nvcsw;
  usage.minor_faults = counted.ru_minflt;
  usage.major_faults = counted.ru_majflt;
  usage.steal_s = steal_s_;
  usage.throttled_periods = throttled_periods_;
  usage.cpu = sched_getcpu();
  usage.cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
  return usage;
}

}  // namespace ridge::host
