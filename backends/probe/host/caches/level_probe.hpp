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

// What one thread goes through to stay in one level of the caches.
struct level {
  std::string_view name;  // l1, l2, l3
  std::size_t bytes;
};

// Half of the first level, half of the second, four times the second or 0.4 of a thread's share of the third,
// whichever is less. Levels that this machine does not tell are left out, as is a third no larger than the
// second: what hypervisors claim of it does not matter then.
[[nodiscard]] std::vector<level> cache_levels(const host::topology& machine, int threads);

// Memory of each thread's own on huge pages, touched first by that thread.
class private_buffers final {
 public:
  private_buffers(sampler& sampler, std::size_t bytes_each);
  [[nodiscard]] std::span<std::byte> of(int rank) const {
    return parts_[static_cast<std::size_t>(rank)].bytes();
  }

 private:
  std::vector<host::region> parts_;
};

// A loop over `bytes` of a thread's own buffer, shared out among the loop's arrays, so many times over that a
// sample lasts some 0.3 ms.
class level_loop final {
 public:
  level_loop(sampler& sampler, const private_buffers& buffers, std::size_t bytes, int arrays,
             array_kernel kernel);
  timing step(sampler& sampler);
  [[nodiscard]] double work() const;  // bytes of one step, all threads
  [[nodiscard]] const float* first(int rank) const;

 private:
  timing turn(sampler& sampler, std::size_t passes);
  const private_buffers* in_;
  std::size_t elements_;
  int arrays_, threads_;
  array_kernel kernel_;
  std::size_t passes_ = 1;
};

// "cpu.read.l1" ... "cpu.triad.l3": `title` is read, write, copy or triad; with the clock beside it. Throws
// unavailable where this machine tells of no such level.
[[nodiscard]] model::ceiling probe_level(sampler& sampler, const host::topology& machine,
                                         std::string_view title, std::string_view place);

// Levels as a sweep shows them: runs of three sizes or more whose values lie within an eighth of each other.
struct plateau {
  double up_to_bytes, value;  // the largest size of the run, its median
};
[[nodiscard]] std::vector<plateau> plateaus(const std::vector<std::pair<double, double>>& seen);
// "levels seen: 311 GB/s to 48 KiB, ..." in that unit.
[[nodiscard]] std::string words_of(const std::vector<plateau>& levels, std::string_view unit);

// "cpu.sweep.read": reading working sets from 4 KiB to `most` bytes of all threads together. The value is
// the plateau of the largest, the series every size.
[[nodiscard]] model::ceiling probe_read_sweep(sampler& sampler, std::size_t most);

}  // namespace ridge::backends::probe_host
