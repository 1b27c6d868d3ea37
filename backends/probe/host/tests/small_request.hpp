// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <vector>

#include <ridge/host/affinity.hpp>
#include <ridge/host/topology.hpp>
#include <ridge/probe/prober.hpp>

#include "os/cpu_pair.hpp"
#include "tests/steady.hpp"

namespace ridge::backends::probe_host {

// The smallest request that probes can get.
struct small_request {
  steady clock{};
  probe::request request{.clock = clock, .depth = probe::depth::essential};
};

inline const host::topology& this_machine() {
  static const host::topology read = host::read_topology();
  return read;
}

inline std::size_t entries_of(const std::filesystem::path& folder) {
  const std::filesystem::directory_iterator all(folder);
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

// Checks that a probe leaves the process as it was. Threads of earlier tests may end meanwhile, but none may
// be added.
class nothing_left {
 public:
  [[nodiscard]] bool holds() const {
    return entries_of("/proc/self/fd") == descriptors_ && entries_of("/proc/self/task") <= threads_ &&
           host::affinity() == cpus_;
  }

 private:
  std::size_t descriptors_ = entries_of("/proc/self/fd"), threads_ = entries_of("/proc/self/task");
  std::vector<int> cpus_ = host::affinity();
};

}  // namespace ridge::backends::probe_host
