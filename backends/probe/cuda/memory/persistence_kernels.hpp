// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "timing/block_span.hpp"

namespace ridge::backends::probe_cuda {

// Every block in turn reads one piece of a hot set, drawn anew each time, and three of a stream that is far
// larger than the L2. kept: the launch asks for the hot set to stay in the L2 (an access policy window).
struct mixed_reads {
  const float* hot;
  std::size_t hot_bytes;
  const float* stream;
  std::size_t stream_bytes;
  bool kept;
};

// Enqueues; returns the bytes read of both.
double read_mixed(const kernel_call& call, const mixed_reads& reads);

}  // namespace ridge::backends::probe_cuda
