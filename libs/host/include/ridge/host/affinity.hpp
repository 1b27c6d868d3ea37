// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace ridge::host {

// Returns the logical CPUs on which the calling thread may run, ascending.
[[nodiscard]] std::vector<int> affinity();

// Lets the calling thread run on these logical CPUs only. Throws unavailable when the kernel refuses every
// one of them (a cpuset, a CPU that is off).
void set_affinity(std::span<const int> cpus);

// Returns the CPUs of the process as it was started: the mask of the calling thread at the first call.
[[nodiscard]] const std::vector<int>& process_cpus();

// Returns the CPU on which the calling thread runs now.
[[nodiscard]] int current_cpu();

// Moves the calling thread to `cpus` (one to pin it, process_cpus() to widen it) and restores its mask at the
// end. It must be destroyed by the thread that made it.
class scoped_affinity final {
 public:
  // Pins the calling thread to one logical CPU.
  explicit scoped_affinity(int cpu);
  // Moves the calling thread to these logical CPUs.
  explicit scoped_affinity(std::span<const int> cpus);
  ~scoped_affinity();
  scoped_affinity(const scoped_affinity&) = delete;
  scoped_affinity& operator=(const scoped_affinity&) = delete;

 private:
  std::vector<int> before_;
};

}  // namespace ridge::host
