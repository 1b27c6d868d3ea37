// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include <cuda_runtime_api.h>

namespace ridge::gpu {

enum class timing : std::uint8_t { off, on };

// A point in a stream's work, owned. Without timing it is cheaper to record and to wait for.
class event {
 public:
  explicit event(timing timed = timing::off);

  void record(cudaStream_t on);
  // What is enqueued on `waiting` from now on begins after the recorded point. The host goes on.
  void hold_back(cudaStream_t waiting) const;
  void synchronize() const;
  [[nodiscard]] bool reached() const;
  // Both recorded with timing on and reached.
  [[nodiscard]] double seconds_since(const event& earlier) const;
  [[nodiscard]] cudaEvent_t handle() const { return handle_.get(); }

 private:
  struct destroy {
    void operator()(cudaEvent_t event) const;
  };
  std::unique_ptr<CUevent_st, destroy> handle_;
};

}  // namespace ridge::gpu
