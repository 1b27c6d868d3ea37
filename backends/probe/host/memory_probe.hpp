// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <ridge/host/pages.hpp>
#include <ridge/host/topology.hpp>
#include <ridge/model/ceiling.hpp>

#include "memory_kernels.hpp"
#include "sampler.hpp"

namespace ridge::backends::probe_host {

// Bytes of one array: four times all L2 caches and at least 64 MiB, but an eighth of the usable memory at
// most. The last level is not asked: hypervisors show the whole host's.
[[nodiscard]] std::size_t array_bytes(const host::topology& machine);

// Three arrays in one mapping of huge pages, 1 KiB apart from where they would alias.
class probe_arrays final {
 public:
  explicit probe_arrays(std::size_t bytes_each);
  [[nodiscard]] std::size_t elements() const { return elements_; }
  [[nodiscard]] float* a() const { return at(0); }
  [[nodiscard]] float* b() const { return at(1); }
  [[nodiscard]] float* c() const { return at(2); }
  // Writes b = 1, c = 2 and a = 0, each rank its own share, so that pages lie near the threads that use them.
  void fill(sampler& on) const;

 private:
  [[nodiscard]] float* at(std::size_t index) const;
  std::size_t elements_;
  host::region memory_;
};

// "cpu.triad", "cpu.copy", "cpu.read" in bytes that the program asks for (a line read before it is
// overwritten is not counted), each the best of ordinary and non-temporal stores.
[[nodiscard]] std::vector<model::ceiling> probe_memory(sampler& on, const probe_arrays& arrays);

}  // namespace ridge::backends::probe_host
