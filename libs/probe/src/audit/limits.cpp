// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/host/text_file.hpp>

#include "audit/checks.hpp"

namespace ridge::probe {
namespace {

using host::no_limit;
using limit = std::optional<host::process_limit>;

constexpr auto not_told = "procfs does not tell the limits";

std::string in_bytes(std::uint64_t n) {
  return n == no_limit ? "unlimited" : format_quantity(static_cast<double>(n), "B");
}

std::string in_units(std::uint64_t n) { return n == no_limit ? "unlimited" : std::to_string(n); }

observed locked_memory(const system_view& system) {
  constexpr auto why =
      "RDMA adapters, io_uring's registered buffers and mlock count against it; buffers pinned by CUDA do "
      "not.";
  const limit& most = system.limits.locked_bytes;
  if (!most) return unreadable(not_told, why);
  const bool rdma = !system.names_in("sys/class/infiniband").empty();
  const auto seen = in_bytes(most->soft) + (rdma ? ", with RDMA adapters here" : "");
  const advice fix{
      "ulimit -l unlimited (memlock in /etc/security/limits.conf)", "--ulimit memlock=-1",
      "no field for it: LimitMEMLOCK=infinity in the container runtime's unit, or capability IPC_LOCK"};
  constexpr std::uint64_t enough = std::uint64_t{64} << 20;
  if (most->soft == no_limit || (!rdma && most->soft >= enough)) return fine(seen, why);
  return rdma ? warning(seen, why, fix) : note(seen, why, fix);
}

observed open_files(const system_view& system) {
  constexpr auto why =
      "Each connection, mapped file and shared buffer takes a descriptor; many GPUs or clients take "
      "thousands.";
  const limit& most = system.limits.open_files;
  if (!most) return unreadable(not_told, why);
  constexpr std::uint64_t few = 1024, enough = 16384;
  auto seen = fmt::format("{}, may be raised to {}", in_units(most->soft), in_units(most->hard));
  if (most->soft >= enough) return fine(std::move(seen), why);
  const advice fix{"ulimit -n 65536", "--ulimit nofile=65536:65536",
                   "LimitNOFILE=65536 in the container runtime's unit"};
  return most->soft < few ? warning(std::move(seen), why, fix) : note(std::move(seen), why, fix);
}

observed process_limit(const system_view& system) {
  constexpr auto why =
      "Every thread counts; a pool that cannot start its threads fails in the middle of a run.";
  const limit& most = system.limits.processes;
  if (!most) return unreadable(not_told, why);
  const auto wanted = 64 + 16 * static_cast<std::uint64_t>(system.machine.allowed.size());
  // The limit of processes and threads of the control group counts as well.
  const auto group = system.number("sys/fs/cgroup/pids.max");
  const auto least =
      std::min(most->soft, group && *group > 0 ? static_cast<std::uint64_t>(*group) : no_limit);
  if (least >= wanted) return fine(in_units(least), why);
  return warning(in_units(least), why,
                 {"ulimit -u unlimited", "--pids-limit=-1 --ulimit nproc=-1", "kubelet --pod-max-pids"});
}

observed stack(const system_view& system) {
  constexpr auto why = "Threads get a stack of this size; too small a one ends in a crash.";
  const limit& most = system.limits.stack_bytes;
  if (!most) return unreadable(not_told, why);
  constexpr std::uint64_t enough = std::uint64_t{1} << 20;
  if (most->soft >= enough) return fine(in_bytes(most->soft), why);
  return warning(in_bytes(most->soft), why,
                 {"ulimit -s 8192", "--ulimit stack=8388608", "ulimit -s 8192 in the container's command"});
}

observed address_space(const system_view& system) {
  constexpr auto why =
      "CUDA reserves addresses for all memory of host and GPUs at its start, and fails under a limit.";
  const limit& most = system.limits.address_space_bytes;
  if (!most) return unreadable(not_told, why);
  if (most->soft == no_limit) return fine("unlimited", why);
  return warning(in_bytes(most->soft), why, anywhere("ulimit -v unlimited"));
}

observed core_files(const system_view& system) {
  constexpr auto why = "A crash that writes all memory to a disk holds the machine up for minutes.";
  const limit& most = system.limits.core_bytes;
  if (!most) return unreadable(not_told, why);
  if (most->soft != no_limit) return fine(in_bytes(most->soft), why);
  return note("unlimited", why, {"ulimit -c 0", "--ulimit core=0", "ulimit -c 0 in the container's command"});
}

observed realtime(const system_view& system) {
  constexpr auto why =
      "Above 0 a latency probe may ask for a real-time priority, which keeps neighbours off its CPU.";
  const limit& most = system.limits.realtime_priority;
  if (!most) return unreadable(not_told, why);
  return fine(most->soft == 0 ? "none; Ridge does not need it" : in_units(most->soft), why);
}

// Returns the size of a tmpfs; without a stated size it may take half of the memory (tmpfs(5)).
std::optional<std::size_t> room_of(const host::mount& tmpfs, std::size_t memory_bytes) {
  for (const auto option : split(tmpfs.options, ',')) {
    if (option.starts_with("size=")) return host::to_bytes(option.substr(5));
  }
  if (memory_bytes == 0) return std::nullopt;
  return memory_bytes / 2;
}

observed shared_memory(const system_view& system) {
  constexpr auto why =
      "Processes on one machine exchange data here: NCCL and data loaders fail or fall back to sockets when "
      "it is full. "
      "Docker gives 64 MiB.";
  const auto at = std::ranges::find(system.mounts, "/dev/shm", &host::mount::point);
  if (at == system.mounts.end()) return unreadable("nothing is mounted at /dev/shm", why);
  const auto room = room_of(*at, system.machine.memory_bytes);
  if (!room) return unreadable("/dev/shm does not tell its size: " + at->options, why);
  constexpr std::size_t enough = std::size_t{1} << 30;
  if (*room >= enough) return fine(in_bytes(*room), why);
  return warning(in_bytes(*room), why,
                 {"sudo mount -o remount,size=8G /dev/shm", "--shm-size=8g (or --ipc=host)",
                  "a volume emptyDir: {medium: Memory, sizeLimit: 8Gi} mounted at /dev/shm"});
}

constexpr std::array all_limit_checks{check{"limits.locked_memory", "Locked memory", locked_memory},
                                      check{"limits.open_files", "Open files", open_files},
                                      check{"limits.processes", "Processes and threads", process_limit},
                                      check{"limits.stack", "Stack", stack},
                                      check{"limits.address_space", "Address space", address_space},
                                      check{"limits.core_files", "Core files", core_files},
                                      check{"limits.realtime", "Real-time priority", realtime},
                                      check{"limits.shared_memory", "Shared memory", shared_memory}};

}  // namespace

std::span<const check> limit_checks() { return all_limit_checks; }

}  // namespace ridge::probe
