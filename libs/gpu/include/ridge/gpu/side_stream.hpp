// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <ridge/gpu/event.hpp>
#include <ridge/gpu/stream.hpp>

namespace ridge::gpu {

// An owned stream beside the harness's queue. A body forks it off the queue before it enqueues on it, and
// joins it before it returns.
class side_stream {
 public:
  // What is enqueued here from now on begins when what `queue` holds now has ended.
  void fork_from(cudaStream_t queue);
  // What is enqueued on `queue` from now on begins when what is enqueued here now has ended.
  void join(cudaStream_t queue);
  // Waits on the host until everything enqueued here has ended.
  void synchronize() const { stream_.synchronize(); }
  [[nodiscard]] cudaStream_t handle() const { return stream_.handle(); }
  operator cudaStream_t() const { return handle(); }

 private:
  stream stream_{};
  event forked_{}, joined_{};
};

}  // namespace ridge::gpu
