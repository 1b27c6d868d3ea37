// SPDX-License-Identifier: Apache-2.0
#pragma once

struct CUstream_st;

namespace ridge {

// The queue a body enqueues on: a CUDA stream where there is one, null on the host.
class stream {
 public:
  stream() = default;
  // Refers to a CUDA stream that somebody else owns.
  explicit stream(CUstream_st* handle) : handle_(handle) {}
  operator CUstream_st*() const { return handle_; }

 private:
  CUstream_st* handle_ = nullptr;
};

}  // namespace ridge
