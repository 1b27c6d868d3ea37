// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/host/block_devices.hpp>
#include <ridge/host/mounts.hpp>

#include "audit/checks.hpp"

namespace ridge::probe {
namespace {

bool lies_below(std::string_view path, std::string_view point) {
  if (point == "/") return path.starts_with('/');
  return path.starts_with(point) && (path.size() == point.size() || path[point.size()] == '/');
}

// Returns the mount that holds `path`: the longest one above it.
const host::mount* mount_of(const system_view& system, const std::string& path) {
  const host::mount* found = nullptr;
  for (const auto& one : system.mounts) {
    if (lies_below(path, one.point) && (found == nullptr || one.point.size() >= found->point.size()))
      found = &one;
  }
  return found;
}

observed file_system(const system_view& system) {
  constexpr auto why =
      "Results and storage probes go here: a remote or layered file system is measured with it.";
  const auto* at = mount_of(system, system.working_folder.string());
  if (at == nullptr) return unreadable("procfs does not tell what the working folder lies on", why);
  const auto seen = fmt::format("{} at {}", at->file_system, at->point);
  if (host::is_remote(at->file_system))
    return warning(
        seen, why,
        {"work on a local disk, or give --store a local path", "-v /local/disk:/data, and work there",
         "a local volume (hostPath, local, or emptyDir without medium)"});
  if (at->file_system == "overlay" || at->file_system == "fuse.fuse-overlayfs")
    return note(
        seen, why,
        {"", "-v /local/disk:/data, and work there: writes to the container's layers are copied up first",
         "an emptyDir volume for what is written"});
  return fine(seen, why);
}

observed temporary_files(const system_view& system) {
  constexpr auto why =
      "Files of a tmpfs lie in memory: they take it from the job, and reading them measures memory.";
  const auto* at = mount_of(system, "/tmp");
  if (at == nullptr) return std::nullopt;
  const auto seen = fmt::format("/tmp is {}", at->file_system);
  if (at->file_system != "tmpfs") return fine(seen, why);
  return note(seen, why, anywhere("export TMPDIR to a folder on a disk"));
}

observed disks(const system_view& system) {
  constexpr auto why =
      "A rotating disk moves its head for every random read: milliseconds each, where flash takes 0.1.";
  std::vector<std::string> all;
  bool rotates = false;
  for (const auto& disk : host::read_block_devices(system.root)) {
    if (disk.mounts.empty()) continue;
    // A virtual disk has no model and claims to rotate, whatever hardware is behind it.
    const bool slow = disk.rotational.value_or(false) && !disk.model.empty();
    rotates = rotates || slow;
    all.push_back(fmt::format("{}{}{}", disk.name, slow ? ", rotating" : "",
                              disk.scheduler.empty() ? "" : ", scheduler " + disk.scheduler));
  }
  if (all.empty()) return unreadable("no mounted disk in sysfs here", why);
  if (!rotates) return fine(join(all, "; "), why);
  return warning(join(all, "; "), why,
                 {"keep data sets on flash", "-v /flash/disk:/data", "a storage class of flash disks"});
}

observed schedulers(const system_view& system) {
  constexpr auto why =
      "An NVMe disk orders its requests itself; a scheduler before it costs CPU time and the last of its "
      "rate.";
  std::vector<std::string> scheduled;
  bool any = false;
  for (const auto& disk : host::read_block_devices(system.root)) {
    if (!disk.name.starts_with("nvme")) continue;
    any = true;
    if (!disk.scheduler.empty() && disk.scheduler != "none")
      scheduled.push_back(disk.name + ": " + disk.scheduler);
  }
  if (!any) return std::nullopt;
  if (scheduled.empty()) return fine("none before an NVMe disk", why);
  const auto name = scheduled.front().substr(0, scheduled.front().find(':'));
  return note(join(scheduled, ", "), why,
              host_setting(fmt::format("echo none | sudo tee /sys/block/{}/queue/scheduler", name)));
}

observed ring(const system_view& system) {
  constexpr auto why =
      "Without io_uring the storage rows fall back to threads that each wait for one request.";
  const auto mode = system.number("proc/sys/kernel/io_uring_disabled");
  if (!mode) return fine("no switch in this kernel (before 6.6)", why);
  auto seen = fmt::format("kernel.io_uring_disabled = {}", *mode);
  if (*mode == 0) return fine(std::move(seen), why);
  return warning(std::move(seen), why, host_setting("sudo sysctl kernel.io_uring_disabled=0"));
}

constexpr std::array all_storage_checks{
    check{"storage.file_system", "Working folder", file_system},
    check{"storage.temporary", "Temporary files", temporary_files}, check{"storage.disks", "Disks", disks},
    check{"storage.scheduler", "I/O scheduler", schedulers}, check{"storage.io_uring", "io_uring", ring}};

}  // namespace

std::span<const check> storage_checks() { return all_storage_checks; }

}  // namespace ridge::probe
