// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <ridge/host/cgroup.hpp>
#include <ridge/host/cpu_cache.hpp>

namespace ridge::host {

// A physical core and those of its logical CPUs (SMT siblings) on which this process may run.
struct core {
  int package = 0;
  int id = 0;
  std::vector<int> cpus{};
  bool operator==(const core&) const = default;
};

struct numa_node {
  int id = 0;
  std::vector<int> cpus{};
  std::size_t memory_bytes = 0;
  std::vector<int> distances{};  // to the online nodes in order, as the firmware claims: 10 to itself
};

struct cpu_identity {
  std::string model{};  // "Intel(R) Xeon(R) Processor", empty where the kernel does not tell
  std::string vendor{};
  int family = 0;
  int model_number = 0;
  int stepping = 0;
  std::string microcode{};
};

// System settings that affect measurements. A setting is empty or absent where it cannot be read.
struct system_state {
  std::string kernel{};                  // "6.1.0-18-amd64"
  std::string hypervisor{};              // "KVM"; "unknown" under one that does not tell; empty on bare metal
  std::string transparent_huge_pages{};  // always, madvise, never
  std::optional<int> address_randomization{};  // kernel.randomize_va_space: 0, 1, 2
  std::string governor{};
  std::optional<bool> turbo{};
  std::optional<bool> smt{};
  std::optional<int> perf_event_paranoid{};
};

struct topology {
  std::vector<int> allowed{};  // logical CPUs of the process, ascending
  std::vector<core> cores{};   // ascending by first CPU; every allowed CPU is in exactly one
  std::vector<cpu_cache> caches{};
  std::vector<numa_node> nodes{};  // never empty: a machine without NUMA is one node
  std::size_t memory_bytes = 0;
  std::size_t available_bytes = 0;
  cgroup_limits cgroup{};
  cpu_identity cpu{};
  system_state system{};

  // Returns one logical CPU of each physical core, the core of CPU 0 last (the work of the kernel lands
  // there).
  [[nodiscard]] std::vector<int> one_cpu_per_core() const;
  // Returns the bytes of the caches of this level that serve the allowed CPUs; 0 when there are none or it is
  // unknown.
  [[nodiscard]] std::size_t cache_bytes(int level) const;
  [[nodiscard]] std::size_t last_level_cache_bytes() const;
  // Returns the bytes that this process may use: the memory of the machine or the limit of the control group,
  // whichever is less.
  [[nodiscard]] std::size_t usable_memory_bytes() const;
};

// Reads sysfs and procfs below `root`. What is missing is left empty; nothing throws for it. Below "/" the
// mask of the calling thread, sysconf and CPUID fill gaps; below any other root only its files count.
[[nodiscard]] topology read_topology(const std::filesystem::path& root = "/");

}  // namespace ridge::host
