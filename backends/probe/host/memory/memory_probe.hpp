// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <ridge/host/pages.hpp>
#include <ridge/host/topology.hpp>
#include <ridge/model/ceiling.hpp>

#include "memory/memory_kernels.hpp"
#include "sampler.hpp"

namespace ridge::backends::probe_host {

// Bytes of one array: four times all L2 caches and at least 64 MiB, but an eighth of the usable memory at
// most. The last level is not asked for ceilings of a run: hypervisors show the whole host's.
[[nodiscard]] std::size_t array_bytes(const host::topology& machine);
// The same, and larger than a last level of up to 512 MiB, which a quiet host leaves to its guest; a
// sixteenth of the memory at most.
[[nodiscard]] std::size_t long_array_bytes(const host::topology& machine);

// Three arrays in one mapping of huge pages, 1 KiB apart from where they would alias.
class probe_arrays final {
 public:
  explicit probe_arrays(std::size_t bytes_each);
  [[nodiscard]] std::size_t elements() const { return elements_; }
  [[nodiscard]] float* a() const { return at(0); }
  [[nodiscard]] float* b() const { return at(1); }
  [[nodiscard]] float* c() const { return at(2); }
  // Writes b = 1, c = 2 and a = 0, each rank its own share, so that pages lie near the threads that use them.
  void fill(sampler& sampler) const;

 private:
  [[nodiscard]] float* at(std::size_t index) const;
  std::size_t elements_;
  host::region memory_;
};

// Goes through the arrays window by window, one a sample: short enough to end undisturbed on a busy machine,
// and back at a window only after all the others, when caches have forgotten it.
class array_walk final {
 public:
  explicit array_walk(const probe_arrays& arrays) : arrays_(&arrays) {}
  timing step(sampler& sampler, array_kernel kernel);
  [[nodiscard]] std::size_t window_elements() const;
  [[nodiscard]] double window_bytes() const;  // of one array
  // A few windows: what another kernel left dirty is written back.
  void settle(sampler& sampler, array_kernel kernel);

 private:
  const probe_arrays* arrays_;
  std::size_t next_ = 0;
};

// Bytes that the program asks for, as STREAM counts them: a line read only to be overwritten is not counted.
// Of a few variants of each loop, tried in turns, the fastest is measured. Writing, copying and triads are
// measured with ordinary stores (row ".ordinary") and with non-temporal ones (".streaming"); the first row is
// the better of both.
[[nodiscard]] std::vector<model::ceiling> probe_triad(sampler& sampler, const probe_arrays& arrays);
[[nodiscard]] std::vector<model::ceiling> probe_copy(sampler& sampler, const probe_arrays& arrays);
[[nodiscard]] std::vector<model::ceiling> probe_write(sampler& sampler, const probe_arrays& arrays);
[[nodiscard]] std::vector<model::ceiling> probe_read(sampler& sampler, const probe_arrays& arrays);
// "cpu.move.memcpy", "cpu.move.rep_movsb".
[[nodiscard]] std::vector<model::ceiling> probe_move(sampler& sampler, const probe_arrays& arrays);
// "cpu.mix.1_1", "cpu.mix.2_1", "cpu.mix.3_1": lines read to lines written, all of them counted.
[[nodiscard]] std::vector<model::ceiling> probe_mixes(sampler& sampler, const probe_arrays& arrays);

}  // namespace ridge::backends::probe_host
