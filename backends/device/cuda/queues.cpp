// SPDX-License-Identifier: Apache-2.0
#include "queues.hpp"

#include <type_traits>
#include <utility>
#include <vector>

#include <ridge/gpu/check.hpp>

#include "gpus.hpp"

namespace ridge::backends::device_cuda {
namespace {

struct stream_destroyed {
  void operator()(cudaStream_t queue) const { (void)cudaStreamDestroy(queue); }
};
using owned_stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, stream_destroyed>;
struct event_destroyed {
  void operator()(cudaEvent_t event) const { (void)cudaEventDestroy(event); }
};
using owned_event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, event_destroyed>;

owned_event untimed_event() {
  cudaEvent_t made = nullptr;
  gpu::check(cudaEventCreateWithFlags(&made, cudaEventDisableTiming), "cudaEventCreate of a queue");
  return owned_event(made);
}

// A queue beside the first one, with the event that says how far it has come. An event belongs to its
// stream's GPU.
struct side_queue {
  owned_stream stream{};
  owned_event done{};
};

side_queue side_queue_on(int ordinal) {
  gpu::check(cudaSetDevice(ordinal), "cudaSetDevice of a queue's GPU");
  cudaStream_t made = nullptr;
  gpu::check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "cudaStreamCreate of a queue");
  return {owned_stream(made), untimed_event()};
}

std::vector<side_queue> side_queues(int gpus, int queues_per_gpu, int own) {
  std::vector<side_queue> all;
  for (int gpu = 0; gpu < gpus; ++gpu) {
    if (gpu > 0) open_peer(gpu, own);
    for (int index = gpu == 0 ? 1 : 0; index < queues_per_gpu; ++index)
      all.push_back(side_queue_on(ordinal_of(gpu, own)));
  }
  gpu::check(cudaSetDevice(own), "cudaSetDevice");
  return all;
}

std::vector<stream> handles_of(cudaStream_t first, const std::vector<side_queue>& others) {
  std::vector<stream> all{stream(first)};
  for (const auto& other : others) all.emplace_back(other.stream.get());
  return all;
}

class forked_queues final : public device::queue_set {
 public:
  forked_queues(cudaStream_t first, std::vector<side_queue> others, int queues_per_gpu)
      : queue_set(handles_of(first, others), queues_per_gpu),
        first_(first),
        begun_(untimed_event()),
        others_(std::move(others)) {}

  void fork() override {
    if (others_.empty()) return;
    gpu::check(cudaEventRecord(begun_.get(), first_), "cudaEventRecord at a call's begin");
    for (const auto& other : others_)
      gpu::check(cudaStreamWaitEvent(other.stream.get(), begun_.get()), "cudaStreamWaitEvent of a queue");
  }
  void join() override {
    for (const auto& other : others_) {
      gpu::check(cudaEventRecord(other.done.get(), other.stream.get()), "cudaEventRecord of a queue");
      gpu::check(cudaStreamWaitEvent(first_, other.done.get()), "cudaStreamWaitEvent at a call's end");
    }
  }

 private:
  cudaStream_t first_;
  owned_event begun_;
  std::vector<side_queue> others_;
};

}  // namespace

std::unique_ptr<device::queue_set> make_queues(int gpus, int queues_per_gpu, int own, cudaStream_t first) {
  auto others = side_queues(gpus, queues_per_gpu, own);
  return std::make_unique<forked_queues>(first, std::move(others), queues_per_gpu);
}

}  // namespace ridge::backends::device_cuda
