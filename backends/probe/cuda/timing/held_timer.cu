// SPDX-License-Identifier: Apache-2.0
#include "timing/held_timer.cuh"

#include <atomic>
#include <limits>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>

#include "timing/device_clock.cuh"

namespace ridge::backends::probe_cuda {
namespace {

constexpr std::uint64_t time_out_ns = 500'000'000;
constexpr int tries = 3;

__global__ void hold_stream(hold_words* words, std::uint64_t number) {
  const std::uint64_t begin = now_ns();
  while (words->released < number) {
    if (now_ns() - begin > time_out_ns) {
      words->timed_out = number;
      __threadfence_system();
      return;
    }
  }
}

hold_words* mapped_words() {
  void* made = nullptr;
  gpu::check(cudaHostAlloc(&made, sizeof(hold_words), cudaHostAllocMapped), "cudaHostAlloc of two words");
  auto* words = static_cast<hold_words*>(made);
  words->released = 0;
  words->timed_out = 0;
  return words;
}

}  // namespace

held_timer::held_timer(cudaStream_t on) : on_(on), words_(mapped_words()) {}

held_timer::~held_timer() {
  words_->released = std::numeric_limits<std::uint64_t>::max();
  (void)cudaStreamSynchronize(on_);  // a kernel may still read the words
}

void held_timer::hold() {
  gpu::launch(hold_stream, {1, 1, 0, on_}, words_.get(), ++last_);
}

bool held_timer::release() {
  const bool held = words_->timed_out != last_;
  std::atomic_thread_fence(std::memory_order_release);
  words_->released = last_;
  return held;
}

double held_timer::seconds(const std::function<void()>& enqueue) {
  for (int i = 0; i < tries; ++i) {
    hold();
    start_.record(on_);
    enqueue();
    end_.record(on_);
    const bool held = release();
    end_.synchronize();
    if (held) return end_.seconds_since(start_);
  }
  throw failure({"the host took over half a second to put a probe's work on the GPU's stream",
                 "measure when fewer programs run"});
}

}  // namespace ridge::backends::probe_cuda
