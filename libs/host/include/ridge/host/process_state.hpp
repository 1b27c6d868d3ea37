// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ridge::host {

// What of this process and its calling thread a function could change and leave changed. Linux.
struct process_state {
  int threads = 0;
  std::vector<std::string> descriptors{};  // "7 -> /tmp/file", in the order of their numbers
  std::vector<int> children{};  // processes whose parent is this one, ended ones that nobody waited for too
  std::array<std::uintptr_t, 65>
      handlers{};                     // of each signal: address of its handler, 0 the default, 1 ignored
  std::uint64_t blocked_signals = 0;  // of the calling thread, one bit for each
  std::array<bool, 3> timers{};       // whether setitimer's real, virtual and profiling timers run
  std::vector<int> cpus{};            // that the calling thread may run on
  int policy = 0, nice = 0;           // of the calling thread
  std::uint32_t vector_control = 0;   // MXCSR without its sticky flags; 0 on other processors
  std::uint16_t x87_control = 0;
  bool reads_time_stamps = true;           // false: reading the time-stamp counter traps (prctl PR_SET_TSC)
  std::vector<std::string> limits{};       // soft and hard limit of each resource
  std::vector<std::string> environment{};  // sorted
  std::string folder{};                    // the current one
  unsigned file_mask = 0;
  // What a getter of the system or of a library tells, with the phrase that names it: locale, slack of
  // timers, name of the thread, kernel's timers, mitigations, how malloc serves small requests, ...
  std::vector<std::pair<std::string, std::string>> settings{};
  std::vector<std::pair<int, std::vector<int>>> other_threads{};  // CPUs that each may run on, by thread id
  // Address space that is neither malloc's nor the stack's nor a library's; 0 where malloc does not tell.
  std::size_t mapped_bytes = 0;
  // What malloc has taken for its heaps, less what it maps for single requests; 0 where it does not tell.
  std::size_t heap_bytes = 0;
};

// Reads all of it; takes about 200 us. Fields that the system does not tell stay empty.
[[nodiscard]] process_state read_process_state();

// Returns the number of threads of this process, the caller among them.
[[nodiscard]] int threads_of_this_process();

// Describes what differs, in one phrase for each: "2 threads more", "handler of SIGSEGV", "environment
// variable OMP_NUM_THREADS". Empty where both are the same.
[[nodiscard]] std::vector<std::string> differences(const process_state& before, const process_state& after);

// Describes address space that was mapped in between and is kept ("1048576 B of memory stayed mapped"): empty
// where there is none, or where a library or threads may account for it. For code of one thread.
[[nodiscard]] std::string kept_mapping(const process_state& before, const process_state& after);

}  // namespace ridge::host
