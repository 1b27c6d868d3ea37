// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/device/compute_capability.hpp>

namespace ridge {

// What the system must allow this process to do.
enum class privilege : std::uint8_t {
  cpu_counters,   // read hardware counters of its own threads
  gpu_counters,   // read the GPU's performance counters
  administrator,  // CAP_SYS_ADMIN
  locked_memory   // lock any amount of memory (CAP_IPC_LOCK or an unlimited RLIMIT_MEMLOCK)
};
// The enumerator's own name.
[[nodiscard]] std::string_view name(privilege asked);

// What must not share the machine with the variant. Every family of the CUDA backend runs in a process of its
// own.
enum class isolation : std::uint8_t {
  none,
  idle_gpu,       // no other process computes on the GPU
  isolated_cores  // the kernel schedules nothing else on this process's cores (isolcpus)
};

// What a machine must have for a variant to run; where it lacks something, the variant is skipped with that
// reason.
struct needs {
  std::vector<std::string> isa{};  // instruction sets by the names of host/isa.hpp: "avx512f", "avx512_bf16"
  std::string library{};     // a vendor library by the name of its target: "openblas", "onednn", "cublaslt"
  int cores = 1;             // physical cores that this process may use
  int gpus = 1;              // GPUs that the variant works on: the device's own and those after it
  int queues = 1;            // queues that it works on, per GPU
  bool peer_access = false;  // its GPUs read and write each other's memory
  device::compute_capability compute_capability{};  // the least that will do
  std::string architecture{};                       // the only one that will do: "sm_90a"
  std::vector<privilege> privileges{};
  ridge::isolation isolation{ridge::isolation::none};
};

}  // namespace ridge
