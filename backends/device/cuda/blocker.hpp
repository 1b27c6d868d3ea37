// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include <cuda_runtime_api.h>

namespace ridge::backends::device_cuda {

// Two words of host memory that a kernel on the device reads and writes as they lie.
struct blocker_words {
  volatile std::uint64_t released;   // holds up to this number may go on; written by the host
  volatile std::uint64_t timed_out;  // the last hold that let go by itself; written by the device
};

// Keeps a stream from going on until told to. Holds are numbered, so that a kernel of an earlier hold which
// is late cannot be taken for this one's.
class blocker {
 public:
  explicit blocker(double time_out_s);
  // Lets go of everything, so that a stream held can be waited for.
  ~blocker();
  blocker(const blocker&) = delete;
  blocker& operator=(const blocker&) = delete;
  // Releases the hold before, if nobody did.
  void hold(cudaStream_t queue);
  // False when the kernel had let go by itself. Nothing, and true, where nothing is held.
  [[nodiscard]] bool release();

 private:
  struct freed {
    void operator()(blocker_words* words) const { (void)cudaFreeHost(words); }
  };
  std::unique_ptr<blocker_words, freed> words_;
  std::uint64_t time_out_ns_;
  std::uint64_t last_ = 0;
  bool holding_ = false;
};

}  // namespace ridge::backends::device_cuda
