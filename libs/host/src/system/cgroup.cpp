// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/cgroup.hpp>

#include <algorithm>
#include <string>

#include <ridge/base/text.hpp>
#include <ridge/host/text_file.hpp>

namespace ridge::host {
namespace {

namespace fs = std::filesystem;

struct membership {
  std::string unified{};  // paths inside the hierarchy, from /proc/self/cgroup
  std::string cpu{};
  std::string memory{};
};

bool names_controller(std::string_view list, std::string_view name) {
  return std::ranges::any_of(split(list, ','),
                             [&](std::string_view controller) { return controller == name; });
}

// Reads lines of "number:controllers:path"; version 2 has number 0 and no controllers (cgroups(7)).
membership parse_membership(std::string_view text) {
  membership where;
  for (const auto line : split(text, '\n')) {
    const auto parts = split(line, ':');
    if (parts.size() < 3) continue;
    const std::string path(line.substr(parts[0].size() + parts[1].size() + 2));
    if (parts[1].empty()) where.unified = path;
    if (names_controller(parts[1], "cpu")) where.cpu = path;
    if (names_controller(parts[1], "memory")) where.memory = path;
  }
  return where;
}

// Returns the folder of the group under `mount`. Inside a container the path of the host does not exist, and
// the mount itself is the group of the container.
fs::path folder_of(const fs::path& mount, std::string_view group) {
  const auto relative = fs::path(group).relative_path();
  std::error_code ignored;
  const bool climbs = std::ranges::any_of(relative, [](const fs::path& p) { return p == ".."; });
  if (!climbs && !relative.empty() && fs::is_directory(mount / relative, ignored)) return mount / relative;
  return mount;
}

std::optional<double> quota(std::string_view quota_text, std::string_view period_text) {
  const auto quota_us = to_number(quota_text), period_us = to_number(period_text);
  if (!quota_us || !period_us || *quota_us <= 0 || *period_us <= 0) return std::nullopt;
  return static_cast<double>(*quota_us) / static_cast<double>(*period_us);
}

std::optional<double> cpus_of(const fs::path& folder, int version) {
  if (version == 1) {
    return quota(read_text(folder / "cpu.cfs_quota_us").value_or(""),
                 read_text(folder / "cpu.cfs_period_us").value_or(""));
  }
  const auto text = read_text(folder / "cpu.max").value_or("");
  const auto parts = split(text, ' ');
  return parts.size() == 2 ? quota(parts[0], parts[1]) : std::nullopt;
}

std::optional<std::size_t> memory_of(const fs::path& folder, int version) {
  const auto bytes = read_number(folder / (version == 1 ? "memory.limit_in_bytes" : "memory.max"));
  constexpr long long unlimited_by_v1 = 1LL << 60;
  if (!bytes || *bytes <= 0 || *bytes >= unlimited_by_v1) return std::nullopt;
  return static_cast<std::size_t>(*bytes);
}

// Returns the number that stands after "name " at the begin of a line.
std::optional<std::uint64_t> count_of_event(std::string_view text, std::string_view name) {
  for (const auto line : split(text, '\n')) {
    const auto words = split(line, ' ');
    if (words.size() != 2 || words[0] != name) continue;
    const auto number = to_number(words[1]);
    if (number && *number >= 0) return static_cast<std::uint64_t>(*number);
  }
  return std::nullopt;
}

template <class T, class Read>
std::optional<T> tightest(fs::path folder, const fs::path& mount, Read read) {
  std::optional<T> least;
  while (true) {
    const std::optional<T> here = read(folder);
    if (here && (!least || *here < *least)) least = here;
    if (folder == mount || !folder.has_relative_path()) return least;
    folder = folder.parent_path();
  }
}

}  // namespace

cgroup_limits read_cgroup(const fs::path& root) {
  const auto text = read_text(root / "proc/self/cgroup");
  if (!text) return {};
  const auto where = parse_membership(*text);
  const auto base = root / "sys/fs/cgroup";
  cgroup_limits limits;
  const bool cpu_v1 = !where.cpu.empty(), memory_v1 = !where.memory.empty();
  limits.version = cpu_v1 || memory_v1 ? 1 : where.unified.empty() ? 0 : 2;
  if (limits.version == 0) return limits;
  const auto cpu_mount = cpu_v1 ? base / "cpu" : base;
  const auto memory_mount = memory_v1 ? base / "memory" : base;
  limits.cpu_folder = folder_of(cpu_mount, cpu_v1 ? where.cpu : where.unified);
  const auto memory_folder = folder_of(memory_mount, memory_v1 ? where.memory : where.unified);
  limits.cpus = tightest<double>(limits.cpu_folder, cpu_mount,
                                 [&](const fs::path& f) { return cpus_of(f, cpu_v1 ? 1 : 2); });
  limits.memory_bytes = tightest<std::size_t>(
      memory_folder, memory_mount, [&](const fs::path& f) { return memory_of(f, memory_v1 ? 1 : 2); });
  return limits;
}

std::optional<std::uint64_t> out_of_memory_kills(const fs::path& root) {
  const auto text = read_text(root / "proc/self/cgroup");
  if (!text) return std::nullopt;
  const auto where = parse_membership(*text);
  const auto base = root / "sys/fs/cgroup";
  const bool version_1 = !where.memory.empty();
  const auto folder = version_1 ? folder_of(base / "memory", where.memory) : folder_of(base, where.unified);
  const auto events = read_text(folder / (version_1 ? "memory.oom_control" : "memory.events"));
  if (const auto kills = events ? count_of_event(*events, "oom_kill") : std::nullopt) return kills;
  const auto machine = read_text(root / "proc/vmstat");  // the root group has no counts of its own
  return machine ? count_of_event(*machine, "oom_kill") : std::nullopt;
}

}  // namespace ridge::host
