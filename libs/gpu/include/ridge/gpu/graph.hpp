// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include <cuda_runtime_api.h>

namespace ridge::gpu {

// An owned, executable CUDA graph: work recorded once and launched as a whole. An empty graph launches
// nothing.
class graph {
 public:
  graph() = default;
  // Records the work that `enqueue` puts on the stream it is given, and on streams that it forks off and
  // joins again; none of it runs. Throws what `enqueue` throws, or `failure` where a call cannot be recorded
  // (a synchronization, cudaMalloc). Only this thread is forbidden such calls meanwhile.
  explicit graph(const std::function<void(cudaStream_t)>& enqueue);
  // Records the work that `enqueue` puts on `stream`, an existing stream that is not being captured.
  graph(cudaStream_t stream, const std::function<void()>& enqueue);

  // Uploads the graph to the device, which the first launch would otherwise do.
  void upload(cudaStream_t stream) const;
  // Enqueues the whole graph on `stream`. Throws as gpu::check does.
  void launch(cudaStream_t stream) const;
  // Number of nodes that were recorded.
  [[nodiscard]] std::size_t nodes() const { return nodes_; }

 private:
  void make_ready(cudaGraph_t recorded);
  struct destroy {
    void operator()(cudaGraphExec_t ready) const;
  };
  std::unique_ptr<CUgraphExec_st, destroy> ready_;  // null where nothing was recorded
  std::size_t nodes_ = 0;
};

}  // namespace ridge::gpu
