// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include <ridge/device/timer.hpp>

namespace ridge::backends::device_cuda {

// The device's clocks at both ends of a reading.
struct clock_words {
  std::uint64_t cycles[2];       // clock of one multiprocessor
  std::uint64_t nanoseconds[2];  // %globaltimer
};

// Enqueues one thread that watches both clocks for some microseconds, from a tick of the coarser one to a
// tick, and writes its readings to `words`, which the device may write.
void enqueue_clock_reading(clock_words* words, cudaStream_t queue);

// Enqueues one thread that does nothing, to find out what a launch takes.
void enqueue_empty_kernel(cudaStream_t queue);

// Frequency and span of a reading.
[[nodiscard]] device::clock_reading reading_of(const clock_words& seen);

}  // namespace ridge::backends::device_cuda
