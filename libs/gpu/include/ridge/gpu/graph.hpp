// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include <cuda_runtime_api.h>

namespace ridge::gpu {

// Work recorded once and launched as a whole, owned. An empty one launches nothing.
class graph {
 public:
  graph() = default;
  // Records what `enqueue` puts on the stream it is given, and on streams forked off it and joined again;
  // nothing of it runs. Throws what `enqueue` throws, or `failure` where something cannot be recorded
  // (a synchronization, cudaMalloc). Only this thread is forbidden unsafe calls meanwhile.
  explicit graph(const std::function<void(cudaStream_t)>& enqueue);
  // The same of what is put on a stream that is already there.
  graph(cudaStream_t on, const std::function<void()>& enqueue);

  // Moves to the device what the first launch would otherwise move.
  void upload(cudaStream_t on) const;
  void launch(cudaStream_t on) const;
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
