// SPDX-License-Identifier: Apache-2.0
#include "marks.hpp"

#include <fmt/format.h>

#include <ridge/base/expects.hpp>

namespace ridge::backends::device_cuda {

marks::marks(std::size_t count) : ring_(count) {
  expects(count >= 2, "cuda: a difference needs two marks");
  events_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) events_.emplace_back(gpu::timing::on);
}

device::timestamp marks::record(cudaStream_t queue) {
  const device::timestamp mark{ring_.take()};
  events_[ring_.place(mark.ticks)].record(queue);
  return mark;
}

const gpu::event& marks::at(device::timestamp mark) const {
  if (!ring_.holds(mark.ticks)) {
    expects(false,
            fmt::format("seconds_between: mark {} is not among the last {}", mark.ticks, events_.size()));
  }
  return events_[ring_.place(mark.ticks)];
}

double marks::seconds_between(device::timestamp start, device::timestamp end) const {
  if (end.ticks < start.ticks) return -seconds_between(end, start);
  const auto &first = at(start), &second = at(end);
  if (&first == &second) return 0;
  second.synchronize();
  return second.seconds_since(first);
}

}  // namespace ridge::backends::device_cuda
