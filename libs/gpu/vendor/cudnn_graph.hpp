// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include "cudnn_library.hpp"

// Operations of cuDNN's graph interface (major version 9), put together, planned once and enqueued any number
// of times. Every function throws failure where a call of the library fails.
namespace ridge::vendor {

// The enumerations of the binary interface that graphs here use, by the library's own numbers.
enum class cudnn_type : int { fp32 = 0, int32 = 4, bf16 = 9, boolean = 11 };
enum class cudnn_pointwise : int {
  add = 0,
  mul = 1,
  div = 6,
  sub = 9,
  exp = 13,
  log = 15,
  greater_or_equal = 303,
  index = 501,
  select = 601
};
enum class cudnn_reduction : int { add = 0, max = 3 };

class cudnn_graph final {
 public:
  using extents = std::array<std::int64_t, 4>;
  // A tensor of the graph; it belongs to the graph.
  using tensor = void*;

  // Plans are enqueued on `stream`. Throws unavailable without the library.
  explicit cudnn_graph(cudaStream_t stream);

  // A tensor in device memory at `address`, a multiple of 16 bytes.
  [[nodiscard]] tensor stored(cudnn_type type, const extents& size, const extents& strides,
                              const void* address);
  // A tensor that never leaves the GPU's registers; row-major.
  [[nodiscard]] tensor passed(cudnn_type type, const extents& size);
  // A number.
  [[nodiscard]] tensor constant(float value);

  // target = op(first, second), or op(first) where `second` is null. `axis` is that of an index.
  void pointwise(cudnn_pointwise op, tensor first, tensor second, tensor target, int axis = -1);
  // target = chosen ? first : second.
  void select(tensor chosen, tensor first, tensor second, tensor target);
  // Compares into a tensor of type boolean.
  void compare(cudnn_pointwise op, tensor first, tensor second, tensor target);
  void reduce(cudnn_reduction op, tensor source, tensor target);
  void multiply(tensor a, tensor b, tensor target);

  // Makes the library's plans for the graph. Throws unavailable where it has none for this GPU.
  void plan();
  // Device memory that any of the plans needs.
  [[nodiscard]] std::size_t workspace_bytes() const;
  // Takes that memory, which outlives the graph, and keeps the fastest of the plans. Writes the outputs;
  // waits for the stream.
  void choose(void* workspace);
  // Enqueues the chosen plan.
  void enqueue() const;

 private:
  struct destroy {
    void operator()(void* descriptor) const noexcept;
  };
  using descriptor = std::unique_ptr<void, destroy>;
  struct execution_plan {
    descriptor steps{};
    std::int64_t workspace_bytes = 0;
  };

  void* make(int kind);
  tensor make_tensor(cudnn_type type, const extents& size, const extents& strides, const void* address,
                     bool by_value);
  void* pointwise_operation(cudnn_pointwise op, cudnn_type math, int axis);
  void finish_operation(void* operation);
  void add_plans(void* graph, int mode);

  cudaStream_t stream_;
  std::unique_ptr<cudnnContext, cudnn_closer> handle_{};
  std::vector<descriptor> owned_{};
  std::vector<void*> operations_{};
  std::vector<std::int64_t> ids_{};
  std::vector<const void*> addresses_{};
  std::deque<float> constants_{};
  std::int64_t tensors_ = 0;
  std::vector<execution_plan> plans_{};
  void* arguments_ = nullptr;
  std::size_t chosen_ = 0;
};

}  // namespace ridge::vendor
