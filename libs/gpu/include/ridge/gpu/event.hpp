// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include <cuda_runtime_api.h>

namespace ridge::gpu {

// Whether an event records the time at which it is reached.
enum class timing : std::uint8_t { off, on };

// An owned CUDA event: a point in a stream's work. An event without timing is cheaper to record and to wait
// for. All functions throw as gpu::check does.
class event {
 public:
  // Creates the event on the device that is current.
  explicit event(timing timed = timing::off);

  // Marks the point after everything that has been enqueued on `stream` so far.
  void record(cudaStream_t stream);
  // Makes work that is enqueued on `waiting` from now on begin after the recorded point. The host does not
  // wait.
  void hold_back(cudaStream_t waiting) const;
  // Waits on the host until the recorded point is reached.
  void synchronize() const;
  // Whether the recorded point has been reached. Does not wait.
  [[nodiscard]] bool reached() const;
  // Seconds of the device between two points; both events have timing and have been reached.
  [[nodiscard]] double seconds_since(const event& earlier) const;
  // The CUDA handle, owned by this object.
  [[nodiscard]] cudaEvent_t handle() const { return handle_.get(); }

 private:
  struct destroy {
    void operator()(cudaEvent_t event) const;
  };
  std::unique_ptr<CUevent_st, destroy> handle_;
};

}  // namespace ridge::gpu
