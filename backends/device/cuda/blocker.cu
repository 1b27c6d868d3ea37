// SPDX-License-Identifier: Apache-2.0
#include "blocker.hpp"

#include <atomic>
#include <limits>

#include <ridge/base/expects.hpp>
#include <ridge/gpu/check.hpp>

#include "now_ns.cuh"

namespace ridge::backends::device_cuda {
namespace {

__global__ void wait_for_release(blocker_words* words, std::uint64_t number, std::uint64_t time_out_ns) {
  const std::uint64_t begin = now_ns();
  while (words->released < number) {
    if (now_ns() - begin > time_out_ns) {
      words->timed_out = number;
      __threadfence_system();
      return;
    }
  }
}

blocker_words* mapped_words() {
  void* made = nullptr;
  gpu::check(cudaHostAlloc(&made, sizeof(blocker_words), cudaHostAllocMapped), "cudaHostAlloc of two words");
  auto* words = static_cast<blocker_words*>(made);
  words->released = 0;
  words->timed_out = 0;
  return words;
}

}  // namespace

blocker::blocker(double time_out_s) : words_(mapped_words()) {
  expects(time_out_s > 0 && time_out_s < 1e6, "cuda: hold_time_out_s is positive");
  time_out_ns_ = static_cast<std::uint64_t>(time_out_s * 1e9);
}

blocker::~blocker() {
  words_->released = std::numeric_limits<std::uint64_t>::max();
  (void)cudaDeviceSynchronize();  // a kernel may still read the words
}

void blocker::hold(cudaStream_t queue) {
  (void)release();  // of one whose body threw
  ++last_;
  wait_for_release<<<1, 1, 0, queue>>>(words_.get(), last_, time_out_ns_);
  gpu::check_launch("wait_for_release");
  holding_ = true;
}

bool blocker::release() {
  if (!holding_) return true;
  holding_ = false;
  std::atomic_thread_fence(std::memory_order_release);
  words_->released = last_;
  return words_->timed_out != last_;
}

}  // namespace ridge::backends::device_cuda
