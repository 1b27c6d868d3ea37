// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "timing/block_span.hpp"

namespace ridge::backends::probe_cuda {

// The memory of a mixed read: every block alternately reads one random piece of a hot set and three pieces of
// a stream that is far larger than the L2. With `kept` the launch requests that the hot set stay in the L2
// (an access policy window).
struct mixed_reads {
  const float* hot;
  std::size_t hot_bytes;
  const float* stream;
  std::size_t stream_bytes;
  bool kept;
};

// Enqueues the reads; returns the bytes read from the hot set and the stream together.
double read_mixed(const kernel_call& call, const mixed_reads& reads);

}  // namespace ridge::backends::probe_cuda
