// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <cuda_runtime_api.h>

namespace ridge::gpu {

// A stream of the device that is current when it is made, owned. It never waits for the legacy default
// stream. What is still enqueued when it is destroyed runs to its end.
class stream {
 public:
  stream();
  // Waits on the host until everything enqueued so far has ended. Throws what the device reports.
  void synchronize() const;
  [[nodiscard]] cudaStream_t handle() const { return handle_.get(); }
  operator cudaStream_t() const { return handle(); }

 private:
  struct destroy {
    void operator()(cudaStream_t stream) const;
  };
  std::unique_ptr<CUstream_st, destroy> handle_;
};

}  // namespace ridge::gpu
