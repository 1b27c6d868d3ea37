// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/activity.hpp>

#include <algorithm>
#include <optional>
#include <thread>
#include <vector>

#include <ridge/base/text.hpp>
#include <ridge/host/cgroup.hpp>
#include <ridge/host/interference_reader.hpp>
#include <ridge/host/text_file.hpp>

namespace ridge::probe {
namespace {

std::vector<std::string_view> words(std::string_view line) {
  auto all = split(line, ' ');
  std::erase_if(all, [](std::string_view w) { return w.empty(); });
  return all;
}

// Returns the sum of the first line of /proc/stat without guest time, which user time already contains
// (proc_stat(5)).
std::int64_t all_ticks(std::string_view proc_stat) {
  const auto columns = words(proc_stat.substr(0, proc_stat.find('\n')));
  std::int64_t sum = 0;
  for (std::size_t i = 1; i < std::min<std::size_t>(columns.size(), 9); ++i)
    sum += host::to_number(columns[i]).value_or(0);
  return sum;
}

std::int64_t swapped_pages(std::string_view vmstat) {
  std::int64_t sum = 0;
  for (const auto line : split(vmstat, '\n')) {
    const auto parts = words(line);
    if (parts.size() == 2 && (parts[0] == "pswpin" || parts[0] == "pswpout"))
      sum += host::to_number(parts[1]).value_or(0);
  }
  return sum;
}

// Returns the columns of /proc/interrupts for these CPUs: the header "CPU0 CPU2 ..." names only CPUs that are
// on.
std::vector<std::size_t> columns_of(std::string_view header, std::span<const int> cpus) {
  std::vector<std::size_t> columns;
  const auto names = words(header);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto number = names[i].starts_with("CPU") ? host::to_number(names[i].substr(3)) : std::nullopt;
    if (number && std::ranges::find(cpus, static_cast<int>(*number)) != cpus.end()) columns.push_back(i + 1);
  }
  return columns;
}

std::map<std::string, std::int64_t> device_interrupts(std::string_view text, std::span<const int> cpus) {
  std::map<std::string, std::int64_t> all;
  const auto lines = split(text, '\n');
  if (lines.empty()) return all;
  const auto columns = columns_of(lines.front(), cpus);
  for (const auto line : lines) {
    const auto parts = words(line);
    // Interrupts of the kernel itself (timer, rescheduling) have letters instead of a number.
    if (parts.size() < 2 || !parts[0].ends_with(':') || parts[0].front() < '0' || parts[0].front() > '9')
      continue;
    std::int64_t sum = 0;
    for (const auto column : columns)
      sum += column < parts.size() ? host::to_number(parts[column]).value_or(0) : 0;
    all[std::string(parts[0].substr(0, parts[0].size() - 1)) + ' ' + std::string(parts.back())] = sum;
  }
  return all;
}

}  // namespace

system_counters read_system_counters(const std::filesystem::path& root, std::span<const int> cpus) {
  const auto stat = host::read_text(root / "proc/stat").value_or("");
  const auto folder = host::read_cgroup(root).cpu_folder;
  const auto throttled = folder.empty() ? "" : host::read_text(folder / "cpu.stat").value_or("");
  return {.steal_ticks = host::parse_steal_ticks(stat),
          .all_ticks = all_ticks(stat),
          .throttled_periods = host::parse_throttled_periods(throttled),
          .swapped_pages = swapped_pages(host::read_text(root / "proc/vmstat").value_or("")),
          .interrupts = device_interrupts(host::read_text(root / "proc/interrupts").value_or(""), cpus)};
}

activity between(const system_counters& before, const system_counters& after, double seconds) {
  activity seen{.seconds = seconds,
                .throttled_periods = after.throttled_periods - before.throttled_periods,
                .swapped_pages = after.swapped_pages - before.swapped_pages};
  const auto ticks = after.all_ticks - before.all_ticks;
  if (ticks > 0)
    seen.steal_share =
        static_cast<double>(after.steal_ticks - before.steal_ticks) / static_cast<double>(ticks);
  std::int64_t sum = 0, most = 0;
  for (const auto& [name, count] : after.interrupts) {
    const auto at = before.interrupts.find(name);
    const auto more = count - (at == before.interrupts.end() ? 0 : at->second);
    sum += more;
    if (more > most) seen.busiest_interrupt = name;
    most = std::max(most, more);
  }
  if (seconds > 0) seen.interrupts_per_s = static_cast<double>(sum) / seconds;
  return seen;
}

activity watch(const std::filesystem::path& root, std::span<const int> cpus,
               std::chrono::milliseconds how_long) {
  using clock = std::chrono::steady_clock;
  const auto before = read_system_counters(root, cpus);
  const auto start = clock::now();
  std::this_thread::sleep_for(how_long);
  const auto after = read_system_counters(root, cpus);
  return between(before, after, std::chrono::duration<double>(clock::now() - start).count());
}

}  // namespace ridge::probe
