// SPDX-License-Identifier: Apache-2.0
#include "marks.hpp"

#include <fmt/format.h>

#include <ridge/base/expects.hpp>
#include <ridge/gpu/check.hpp>

namespace ridge::backends::device_cuda {

marks::marks(std::size_t count) : ring_(count) {
  expects(count >= 2, "cuda: a difference needs two marks");
  events_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    cudaEvent_t made = nullptr;
    gpu::check(cudaEventCreate(&made), "cudaEventCreate of a mark");
    events_.emplace_back(made);
  }
}

device::timestamp marks::record(cudaStream_t queue) {
  const device::timestamp mark{ring_.take()};
  gpu::check(cudaEventRecord(events_[ring_.place(mark.ticks)].get(), queue), "cudaEventRecord of a mark");
  return mark;
}

cudaEvent_t marks::at(device::timestamp mark) const {
  if (!ring_.holds(mark.ticks)) {
    expects(false,
            fmt::format("seconds_between: mark {} is not among the last {}", mark.ticks, events_.size()));
  }
  return events_[ring_.place(mark.ticks)].get();
}

double marks::seconds_between(device::timestamp start, device::timestamp end) const {
  if (end.ticks < start.ticks) return -seconds_between(end, start);
  const cudaEvent_t first = at(start), second = at(end);
  if (first == second) return 0;
  gpu::check(cudaEventSynchronize(second), "cudaEventSynchronize of a mark");
  float milliseconds = 0;
  gpu::check(cudaEventElapsedTime(&milliseconds, first, second), "cudaEventElapsedTime between two marks");
  return static_cast<double>(milliseconds) * 1e-3;
}

}  // namespace ridge::backends::device_cuda
