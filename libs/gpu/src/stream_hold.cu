// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/stream_hold.hpp>

#include <atomic>
#include <limits>

#include <ridge/base/expects.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/special_registers.cuh>

namespace ridge::gpu {

// Pinned host memory that the kernel reads and writes in place.
struct stream_hold::shared_words {
  volatile std::uint64_t released;   // holds up to this number are released; written by the host
  volatile std::uint64_t timed_out;  // the number of the last hold that timed out; written by the device
};

namespace {

__global__ void hold_stream(const volatile std::uint64_t* released, volatile std::uint64_t* timed_out,
                            std::uint64_t number, std::uint64_t time_out_ns) {
  const std::uint64_t begin = ptx::globaltimer();
  while (*released < number) {
    if (ptx::globaltimer() - begin > time_out_ns) {
      *timed_out = number;
      __threadfence_system();
      return;
    }
  }
}

}  // namespace

stream_hold::shared_words& stream_hold::words() const { return *memory_.as<shared_words>(); }

stream_hold::stream_hold(double time_out_s) : memory_(sizeof(shared_words)) {
  expects(time_out_s > 0 && time_out_s < 1e6, "stream_hold: the time-out is above 0 and below 1e6 s");
  check(cudaGetDevice(&device_), "cudaGetDevice");
  time_out_ns_ = static_cast<std::uint64_t>(time_out_s * 1e9);
  words().released = 0;
  words().timed_out = 0;
}

// A kernel may still read the words, so this waits for the device that was current at construction.
stream_hold::~stream_hold() {
  words().released = std::numeric_limits<std::uint64_t>::max();
  int current = device_;
  (void)cudaGetDevice(&current);
  (void)cudaSetDevice(device_);
  (void)cudaDeviceSynchronize();
  (void)cudaSetDevice(current);
}

void stream_hold::hold(cudaStream_t stream) {
  (void)release();
  ++last_;
  launch(hold_stream, {.stream = stream}, &words().released, &words().timed_out, last_, time_out_ns_);
  holding_ = true;
}

bool stream_hold::release() {
  if (!holding_) return true;
  holding_ = false;
  std::atomic_thread_fence(std::memory_order_release);
  words().released = last_;
  return words().timed_out != last_;
}

}  // namespace ridge::gpu
