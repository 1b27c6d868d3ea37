// SPDX-License-Identifier: Apache-2.0
#include "timing/event_seconds.hpp"

#include <ridge/gpu/event.hpp>

namespace ridge::backends::probe_cuda {

double event_seconds(cudaStream_t stream, const std::function<void()>& enqueue) {
  gpu::event start(gpu::timing::on), end(gpu::timing::on);
  start.record(stream);
  enqueue();
  end.record(stream);
  end.synchronize();
  return end.seconds_since(start);
}

}  // namespace ridge::backends::probe_cuda
