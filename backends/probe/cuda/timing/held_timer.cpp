// SPDX-License-Identifier: Apache-2.0
#include "timing/held_timer.hpp"

#include <ridge/base/error.hpp>

namespace ridge::backends::probe_cuda {

double held_timer::seconds(const std::function<void()>& enqueue) {
  constexpr int tries = 3;
  for (int i = 0; i < tries; ++i) {
    hold();
    start_.record(stream_);
    enqueue();
    end_.record(stream_);
    const bool held = release();
    end_.synchronize();
    if (held) return end_.seconds_since(start_);
  }
  throw failure({"the host took over half a second to put a probe's work on the GPU's stream",
                 "measure when fewer programs run"});
}

}  // namespace ridge::backends::probe_cuda
