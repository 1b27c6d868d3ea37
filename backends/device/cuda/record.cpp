// SPDX-License-Identifier: Apache-2.0
#include "record.hpp"

#include <ridge/base/error.hpp>
#include <ridge/gpu/graph.hpp>

namespace ridge::backends::device_cuda {
namespace {

class recorded_graph final : public device::recorded {
 public:
  recorded_graph(gpu::graph made, cudaStream_t queue) : graph_(std::move(made)), queue_(queue) {
    graph_.upload(queue_);
  }
  void enqueue() override { graph_.launch(queue_); }

 private:
  gpu::graph graph_;
  cudaStream_t queue_;
};

}  // namespace

result<std::unique_ptr<device::recorded>> record(const std::function<void()>& work, cudaStream_t queue) {
  try {
    return std::unique_ptr<device::recorded>(
        std::make_unique<recorded_graph>(gpu::graph(queue, work), queue));
  } catch (const failure& refused) {
    return refused.why();
  }
}

}  // namespace ridge::backends::device_cuda
