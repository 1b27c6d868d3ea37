// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <ridge/gpu/event.hpp>

namespace ridge::backends::probe_cuda {

// The duration of a burst and its amount of work.
struct burst {
  double seconds = 0, work = 0;
};

// Measures bursts on the default stream by events before and after them. `enqueue(rounds)` puts rounds of
// work on the stream and returns the amount of work.
class burst_clock final {
 public:
  // Runs one burst and waits for it.
  burst time(const std::function<double(int)>& enqueue, int rounds);
  // The number of rounds of a burst of about `wanted_s` seconds. The first call, which loads the kernel, is
  // not counted.
  int rounds_for(double wanted_s, const std::function<double(int)>& enqueue);

 private:
  gpu::event start_{gpu::timing::on}, end_{gpu::timing::on};
};

}  // namespace ridge::backends::probe_cuda
