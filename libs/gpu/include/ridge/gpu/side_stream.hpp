// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <ridge/gpu/event.hpp>
#include <ridge/gpu/stream.hpp>

namespace ridge::gpu {

// An owned stream beside the harness's queue. A timed body forks it off the queue before it enqueues work on
// it, and joins it again before it returns.
class side_stream {
 public:
  // Makes work that is enqueued here from now on begin after everything enqueued on `queue` so far.
  void fork_from(cudaStream_t queue);
  // Makes work that is enqueued on `queue` from now on begin after everything enqueued here so far.
  void join(cudaStream_t queue);
  // Waits on the host until everything enqueued here has ended.
  void synchronize() const { stream_.synchronize(); }
  // The CUDA handle, owned by this object; the object converts to it.
  [[nodiscard]] cudaStream_t handle() const { return stream_.handle(); }
  operator cudaStream_t() const { return handle(); }

 private:
  stream stream_{};
  event forked_{}, joined_{};
};

}  // namespace ridge::gpu
