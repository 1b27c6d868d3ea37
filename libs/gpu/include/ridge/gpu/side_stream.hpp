// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <cuda_runtime_api.h>

#include <ridge/gpu/event.hpp>

namespace ridge::gpu {

// A stream of its own beside the harness's queue, owned; it never waits for the legacy default stream. A body
// forks it off the queue before it enqueues on it, and joins it before it returns.
class side_stream {
 public:
  side_stream();

  // What is enqueued here from now on begins when what `queue` holds now has ended.
  void fork_from(cudaStream_t queue);
  // What is enqueued on `queue` from now on begins when what is enqueued here now has ended.
  void join(cudaStream_t queue);
  void synchronize() const;
  [[nodiscard]] cudaStream_t handle() const { return handle_.get(); }
  operator cudaStream_t() const { return handle(); }

 private:
  struct destroy {
    void operator()(cudaStream_t stream) const;
  };
  std::unique_ptr<CUstream_st, destroy> handle_;
  event forked_, joined_;
};

}  // namespace ridge::gpu
