// SPDX-License-Identifier: Apache-2.0
#include "machine/kernel_timers.hpp"

#include <ridge/app/backends.hpp>
#include <ridge/probe/kernel_timer.hpp>

namespace ridge::app {

kernel_timers kernel_timers_here() {
  using gpu_maker = std::unique_ptr<probe::kernel_timer>(int);
  using cpu_maker = std::unique_ptr<probe::kernel_timer>();
  kernel_timers timers;
  if (auto* const make = find_factory<gpu_maker>(probe_backends(), "cuda"))
    timers.gpu = [make](int index) { return std::shared_ptr<probe::kernel_timer>(make(index)); };
  if (auto* const make = find_factory<cpu_maker>(probe_backends(), "host"))
    timers.cpu = [make] { return std::shared_ptr<probe::kernel_timer>(make()); };
  return timers;
}

}  // namespace ridge::app
