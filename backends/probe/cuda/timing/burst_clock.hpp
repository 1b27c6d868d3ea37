// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <ridge/gpu/event.hpp>

namespace ridge::backends::probe_cuda {

struct burst {
  double seconds = 0, work = 0;
};

// Times bursts on the default stream by events around them.
class burst_clock final {
 public:
  burst time(const std::function<double(int)>& enqueue, int rounds);
  // So many rounds that a burst takes `wanted_s`. The first call, which loads the kernel, is not asked.
  int rounds_for(double wanted_s, const std::function<double(int)>& enqueue);

 private:
  gpu::event start_{gpu::timing::on}, end_{gpu::timing::on};
};

}  // namespace ridge::backends::probe_cuda
