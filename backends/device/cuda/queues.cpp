// SPDX-License-Identifier: Apache-2.0
#include "queues.hpp"

#include <utility>
#include <vector>

#include <cuda_runtime_api.h>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/event.hpp>
#include <ridge/gpu/stream.hpp>

#include "gpus.hpp"

namespace ridge::backends::device_cuda {
namespace {

// A queue beside the first one, with the event that records how far it has come. Both belong to one GPU.
struct side_queue {
  gpu::stream queue{};
  gpu::event done{};
};

side_queue side_queue_on(int ordinal) {
  gpu::check(cudaSetDevice(ordinal), "cudaSetDevice of a queue's GPU");
  return {};
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
  for (const auto& other : others) all.emplace_back(other.queue.handle());
  return all;
}

class forked_queues final : public device::queue_set {
 public:
  forked_queues(cudaStream_t first, std::vector<side_queue> others, int queues_per_gpu)
      : queue_set(handles_of(first, others), queues_per_gpu), first_(first), others_(std::move(others)) {}

  void fork() override {
    if (others_.empty()) return;
    begun_.record(first_);
    for (const auto& other : others_) begun_.hold_back(other.queue);
  }
  void join() override {
    for (auto& other : others_) {
      other.done.record(other.queue);
      other.done.hold_back(first_);
    }
  }

 private:
  cudaStream_t first_;
  gpu::event begun_{};
  std::vector<side_queue> others_;
};

}  // namespace

std::unique_ptr<device::queue_set> make_queues(int gpus, int queues_per_gpu, int own, cudaStream_t first) {
  auto others = side_queues(gpus, queues_per_gpu, own);
  return std::make_unique<forked_queues>(first, std::move(others), queues_per_gpu);
}

}  // namespace ridge::backends::device_cuda
