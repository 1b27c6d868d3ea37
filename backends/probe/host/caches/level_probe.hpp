// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ridge/host/pages.hpp>
#include <ridge/host/topology.hpp>
#include <ridge/model/ceiling.hpp>

#include "memory/memory_kernels.hpp"
#include "sampler.hpp"

namespace ridge::backends::probe_host {

// The bytes that one thread accesses to stay in one level of the caches.
struct level {
  std::string_view name;  // l1, l2, l3
  std::size_t bytes;
};

// Returns half of the first level, half of the second, and for the third four times the second or 0.4 of the
// share of a thread, whichever is less. Levels that this machine does not tell are left out, and so is a
// third level no larger than the second, which makes wrong claims of hypervisors harmless.
[[nodiscard]] std::vector<level> cache_levels(const host::topology& machine, int threads);

// Memory on huge pages for each thread, touched first by that thread.
class private_buffers final {
 public:
  private_buffers(sampler& sampler, std::size_t bytes_each);
  [[nodiscard]] std::span<std::byte> of(int rank) const {
    return parts_[static_cast<std::size_t>(rank)].bytes();
  }

 private:
  std::vector<host::region> parts_;
};

// A loop over `bytes` of the buffer of each thread, divided among the arrays of the loop and repeated until a
// sample lasts about 0.3 ms.
class level_loop final {
 public:
  level_loop(sampler& sampler, const private_buffers& buffers, std::size_t bytes, int arrays,
             array_kernel kernel);
  timing step(sampler& sampler);
  [[nodiscard]] double work() const;  // bytes of one step on all threads
  [[nodiscard]] const float* first(int rank) const;

 private:
  timing turn(sampler& sampler, std::size_t passes);
  const private_buffers* buffers_;
  std::size_t elements_;
  int arrays_, threads_;
  array_kernel kernel_;
  std::size_t passes_ = 1;
};

// Returns "cpu.read.l1" ... "cpu.triad.l3" with the clock beside it: `title` is read, write, copy or triad.
// Throws unavailable where this machine does not tell of such a level.
[[nodiscard]] model::ceiling probe_level(sampler& sampler, const host::topology& machine,
                                         std::string_view title, std::string_view place);

// A level as a sweep shows it: a run of at least three sizes whose values are within an eighth of each other.
struct plateau {
  double up_to_bytes, value;  // the largest size of the run, its median
};
[[nodiscard]] std::vector<plateau> plateaus(const std::vector<std::pair<double, double>>& seen);
// Returns "levels seen: 311 GB/s to 48 KiB, ..." in this unit.
[[nodiscard]] std::string words_of(const std::vector<plateau>& levels, std::string_view unit);

// Returns "cpu.sweep.read": reading working sets from 4 KiB to `most` bytes of all threads together. The
// value is the plateau of the largest sizes; the series has every size.
[[nodiscard]] model::ceiling probe_read_sweep(sampler& sampler, std::size_t most);

}  // namespace ridge::backends::probe_host
