// SPDX-License-Identifier: Apache-2.0
#include "plan/privileges.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>

#include <ridge/host/affinity.hpp>
#include <ridge/host/cpu_list.hpp>

namespace ridge {

std::string_view name(privilege asked) {
  constexpr std::array<std::string_view, 4> names{"cpu_counters", "gpu_counters", "administrator",
                                                  "locked_memory"};
  return names[static_cast<std::size_t>(asked)];
}

namespace harness {
namespace {

constexpr int cap_ipc_lock = 14, cap_sys_admin = 21, cap_perfmon = 38;  // linux/capability.h

// Bits of the effective capabilities, from proc(5), /proc/self/status.
bool has_capability(int bit) {
  std::ifstream status("/proc/self/status");
  for (std::string key; status >> key;) {
    std::uint64_t bits = 0;
    if (key == "CapEff:" && status >> std::hex >> bits) return (bits >> bit & 1) != 0;
  }
  return false;
}

// From perf_event_open(2): up to level 2 a process may count its own threads' events.
bool may_count_events() {
  int level = 3;
  std::ifstream("/proc/sys/kernel/perf_event_paranoid") >> level;
  return level <= 2 || has_capability(cap_perfmon) || has_capability(cap_sys_admin);
}

// The NVIDIA driver's module parameter NVreg_RestrictProfilingToAdminUsers.
bool gpu_counters_are_restricted() {
  std::ifstream parameters("/proc/driver/nvidia/params");
  for (std::string line; std::getline(parameters, line);) {
    if (line.starts_with("RmProfilingAdminOnly:")) return line.find(" 1") != std::string::npos;
  }
  return false;
}

bool may_lock_any_memory() {
  rlimit limit{};
  const bool unlimited = ::getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
  return unlimited || has_capability(cap_ipc_lock);
}

}  // namespace

std::string privilege_missing_because(privilege asked) {
  switch (asked) {
    case privilege::cpu_counters:
      if (may_count_events()) return "";
      return "needs hardware counters; set kernel.perf_event_paranoid to 2 or less, or grant CAP_PERFMON";
    case privilege::gpu_counters:
      if (!gpu_counters_are_restricted() || has_capability(cap_sys_admin)) return "";
      return "needs the GPU's counters; load the driver with NVreg_RestrictProfilingToAdminUsers=0, or grant "
             "CAP_SYS_ADMIN";
    case privilege::administrator:
      return has_capability(cap_sys_admin) ? "" : "needs an administrator's rights; grant CAP_SYS_ADMIN";
    case privilege::locked_memory:
      break;
  }
  return may_lock_any_memory() ? "" : "needs locked memory; raise `ulimit -l`, or grant CAP_IPC_LOCK";
}

std::string cores_shared_because() {
  std::string isolated;
  std::ifstream("/sys/devices/system/cpu/isolated") >> isolated;
  const auto alone = host::parse_cpu_list(isolated);
  const auto is_alone = [&](int cpu) { return alone && std::ranges::find(*alone, cpu) != alone->end(); };
  if (std::ranges::all_of(host::process_cpus(), is_alone)) return "";
  return "needs cores that nothing else is scheduled on; boot with isolcpus=LIST and start under `taskset -c "
         "LIST`";
}

}  // namespace harness
}  // namespace ridge
