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

// Returns the bytes of one array: four times all L2 caches and at least 64 MiB, but at most an eighth of the
// usable memory. The last level does not count for ceilings of a run, since hypervisors show that of the
// whole host.
[[nodiscard]] std::size_t array_bytes(const host::topology& machine);
// Returns the same, but at least larger than a last level of up to 512 MiB, all of which a quiet host leaves
// to its guest; at most a sixteenth of the memory.
[[nodiscard]] std::size_t long_array_bytes(const host::topology& machine);

// Three arrays in one mapping of huge pages, kept 1 KiB apart where they would alias.
class probe_arrays final {
 public:
  explicit probe_arrays(std::size_t bytes_each);
  [[nodiscard]] std::size_t elements() const { return elements_; }
  [[nodiscard]] float* a() const { return at(0); }
  [[nodiscard]] float* b() const { return at(1); }
  [[nodiscard]] float* c() const { return at(2); }
  // Writes b = 1, c = 2 and a = 0; each rank writes its own share, so that pages lie near the threads that
  // use them.
  void fill(sampler& sampler) const;

 private:
  [[nodiscard]] float* at(std::size_t index) const;
  std::size_t elements_;
  host::region memory_;
};

// Walks through the arrays window by window, one window per sample: short enough to end undisturbed on a busy
// machine. It returns to a window only after all the others, when caches have lost it.
class array_walk final {
 public:
  explicit array_walk(const probe_arrays& arrays) : arrays_(&arrays) {}
  timing step(sampler& sampler, array_kernel kernel);
  [[nodiscard]] std::size_t window_elements() const;
  [[nodiscard]] double window_bytes() const;  // bytes of a window of one array
  // Walks through a few windows, so that lines which another kernel left dirty are written back.
  void settle(sampler& sampler, array_kernel kernel);

 private:
  const probe_arrays* arrays_;
  std::size_t next_ = 0;
};

// Return rates in bytes that the program asks for, as STREAM counts them: a line that is read only to be
// overwritten does not count. Of several variants of each loop, tried in turns, the fastest is measured.
// Writing, copying and triads are measured with ordinary stores (row ".ordinary") and with non-temporal ones
// (".streaming"); the first row is the better of both.
[[nodiscard]] std::vector<model::ceiling> probe_triad(sampler& sampler, const probe_arrays& arrays);
[[nodiscard]] std::vector<model::ceiling> probe_copy(sampler& sampler, const probe_arrays& arrays);
[[nodiscard]] std::vector<model::ceiling> probe_write(sampler& sampler, const probe_arrays& arrays);
[[nodiscard]] std::vector<model::ceiling> probe_read(sampler& sampler, const probe_arrays& arrays);
// Returns "cpu.move.memcpy" and "cpu.move.rep_movsb".
[[nodiscard]] std::vector<model::ceiling> probe_move(sampler& sampler, const probe_arrays& arrays);
// Returns "cpu.mix.1_1", "cpu.mix.2_1" and "cpu.mix.3_1": the ratio of lines read to lines written, all of
// which count.
[[nodiscard]] std::vector<model::ceiling> probe_mixes(sampler& sampler, const probe_arrays& arrays);

}  // namespace ridge::backends::probe_host
