// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/side_stream.hpp>

namespace ridge::gpu {

void side_stream::fork_from(cudaStream_t queue) {
  forked_.record(queue);
  forked_.hold_back(handle());
}

void side_stream::join(cudaStream_t queue) {
  joined_.record(handle());
  joined_.hold_back(queue);
}

}  // namespace ridge::gpu
