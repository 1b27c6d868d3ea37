// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace ridge::host {

// The logical CPUs on which the calling thread may run, ascending.
[[nodiscard]] std::vector<int> affinity();

// Throws unavailable when the kernel refuses every one of them (a cpuset, a CPU that is off).
void set_affinity(std::span<const int> cpus);

// The CPUs of the process as it was started: the calling thread's mask when this was first asked.
[[nodiscard]] const std::vector<int>& process_cpus();

// The CPU the calling thread runs on now.
[[nodiscard]] int current_cpu();

// Moves the calling thread to `cpus` (one to pin, process_cpus() to widen) and puts its mask back at the end.
// To be destroyed by the thread that made it.
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
