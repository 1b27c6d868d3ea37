// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include <cuda_runtime_api.h>

// Attention by cuDNN's graph interface, planned once and enqueued any number of times. Opened as cudnn.hpp
// says; its functions throw unavailable without the library or where it has no plan for the shape, and
// failure where one of its calls fails.
namespace ridge::vendor {

class cudnn_graph;

// o = softmax(q kᵀ / sqrt(width)) v in bf16, head by head; a causal token sees the tokens up to itself. Token
// t, head h and component d of q and o lie at (t * heads + h) * width + d, of k and v with kv_heads instead.
// Arrays are in device memory, aligned to 16 bytes, and not empty.
struct attention {
  std::size_t tokens = 0, heads = 0, kv_heads = 0, width = 0;
  bool causal = false;
  const void *q = nullptr, *k = nullptr, *v = nullptr;
  void* o = nullptr;
};

class cudnn_attention final {
 public:
  // Plans are enqueued on `stream`.
  cudnn_attention(const attention& wanted, cudaStream_t stream);
  ~cudnn_attention();
  cudnn_attention(cudnn_attention&&) noexcept;
  cudnn_attention& operator=(cudnn_attention&&) noexcept;
  // Device memory that any of the plans needs.
  [[nodiscard]] std::size_t workspace_bytes() const;
  // Takes that memory, which outlives this object, and keeps the fastest of the plans. Writes o; waits for
  // the stream.
  void choose(void* workspace);
  // Enqueues the chosen plan.
  void enqueue() const;

 private:
  std::unique_ptr<cudnn_graph> graph_;
};

}  // namespace ridge::vendor
