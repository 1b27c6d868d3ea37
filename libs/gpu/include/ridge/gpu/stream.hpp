// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <cuda_runtime_api.h>

namespace ridge::gpu {

// An owned stream of the device that is current at construction. It does not synchronize with the legacy
// default stream. Work that is still enqueued at destruction runs to its end.
class stream {
 public:
  // Creates the stream. Throws as gpu::check does.
  stream();
  // Waits on the host until everything enqueued so far has ended. Throws as gpu::check does where a kernel
  // failed.
  void synchronize() const;
  // The CUDA handle, owned by this object; the object converts to it.
  [[nodiscard]] cudaStream_t handle() const { return handle_.get(); }
  operator cudaStream_t() const { return handle(); }

 private:
  struct destroy {
    void operator()(cudaStream_t stream) const;
  };
  std::unique_ptr<CUstream_st, destroy> handle_;
};

}  // namespace ridge::gpu
