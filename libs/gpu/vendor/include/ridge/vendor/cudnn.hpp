// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <cuda_runtime_api.h>

#include <ridge/base/result.hpp>

struct cudnnContext;
struct cudnnTensorStruct;

// cuDNN without linking it or its header: the library is opened on the first call. Without it the functions
// throw ridge::unavailable, or ridge::failure where one of its calls fails.

namespace ridge::vendor {

// The library's name and version ("cuDNN 9.19.0"), or what is missing and how to get it. Opens the library,
// but no GPU.
[[nodiscard]] result<std::string> find_cudnn();

// The softmax of each row of a row-major matrix in bf16 (cudnnSoftmaxForward, accurate: the row's largest
// element is subtracted first).
class cudnn_softmax final {
 public:
  // Calls are enqueued on `stream`. Either extent may be zero.
  cudnn_softmax(std::size_t rows, std::size_t columns, cudaStream_t stream);
  // Enqueues target = softmax(source), both in device memory.
  void enqueue(const void* source, void* target) const;

 private:
  struct destroy {
    void operator()(cudnnContext* handle) const noexcept;
    void operator()(cudnnTensorStruct* shape) const noexcept;
  };
  std::unique_ptr<cudnnContext, destroy> handle_{};
  std::unique_ptr<cudnnTensorStruct, destroy> shape_{};  // null where there are no elements
};

}  // namespace ridge::vendor
