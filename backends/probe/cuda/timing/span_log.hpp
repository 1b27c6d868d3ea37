// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ridge/gpu/memory.hpp>

#include "timing/block_span.hpp"

namespace ridge::backends::probe_cuda {

// The spans that blocks of kernels write, and the clock that follows from them. Memory is allocated on first
// use.
class span_log final {
 public:
  // The device memory that kernels write to, span_capacity spans.
  [[nodiscard]] block_span* spans();
  // Sets all spans to 0.
  void clear();
  // Whether any block has written its span since clear(). A kernel for which this build has no code writes
  // none. Waits for the device.
  [[nodiscard]] bool written();
  // The clock of the multiprocessors in Hz during the launches since clear(), the median over blocks. 0 where
  // nothing was written or the spans are too short for the tick of the GPU's common clock. Waits for the
  // device.
  [[nodiscard]] double clock_hz();

 private:
  [[nodiscard]] std::vector<block_span> read();
  gpu::device_memory memory_{};
  std::int64_t tick_ns_ = 0;  // 0 until it is measured
};

// The median clock of the spans that are at least 500 ticks of `tick_ns` long; 0 where none is. Only spans
// nearly as long as the longest count: a multiprocessor issues its oldest warps first, so that these end
// early and show the clock at the beginning of a burst, while it still rises, and not that of the whole
// burst.
[[nodiscard]] double median_clock(std::span<const block_span> spans, std::int64_t tick_ns);

// The smallest step of the GPU's common clock that was seen, in nanoseconds.
[[nodiscard]] std::int64_t common_clock_tick();

}  // namespace ridge::backends::probe_cuda
