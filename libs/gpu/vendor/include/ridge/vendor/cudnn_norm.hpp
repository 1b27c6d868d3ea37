// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>

struct cudnnContext;

// Normalization of the rows of bf16 matrices by cuDNN's graph interface, planned once and enqueued any number
// of times. Opened as cudnn.hpp says; its functions throw unavailable without the library or where it has no
// plan for the shape, and failure where one of its calls fails.
namespace ridge::vendor {

enum class norm : std::uint8_t { layer, rms };

// The rows of a matrix, not empty. Arrays are in device memory, aligned to 16 bytes, row-major.
struct normalized_rows {
  norm kind = norm::rms;
  std::size_t rows = 0, columns = 0;
};

// y = x / deviation * scale; for inference, with the kinds that have no bias: rms.
struct norm_forward {
  const void* x = nullptr;
  const float* scale = nullptr;
  void* y = nullptr;
  float epsilon = 1e-5F;
};

// The gradients of x, scale and bias from dy. `mean` and `dbias` are those of a layer norm.
struct norm_backward {
  const void *x = nullptr, *dy = nullptr;
  const float *scale = nullptr, *mean = nullptr, *inverse_deviation = nullptr;
  void* dx = nullptr;
  float *dscale = nullptr, *dbias = nullptr;
};

class cudnn_norm final {
 public:
  // Plans are enqueued on `stream`.
  cudnn_norm(const normalized_rows& shape, const norm_forward& arrays, cudaStream_t stream);
  cudnn_norm(const normalized_rows& shape, const norm_backward& arrays, cudaStream_t stream);
  // Device memory that any of the plans needs.
  [[nodiscard]] std::size_t workspace_bytes() const;
  // Takes that memory, which outlives this object, and keeps the fastest of the plans. Writes the outputs;
  // waits for the stream.
  void choose(void* workspace);
  // Enqueues the chosen plan.
  void enqueue() const;

 private:
  struct destroy {
    void operator()(void* descriptor) const noexcept;
    void operator()(cudnnContext* handle) const noexcept;
  };
  using descriptor = std::unique_ptr<void, destroy>;
  struct plan {
    descriptor steps{};
    std::int64_t workspace_bytes = 0;
  };

  [[nodiscard]] const descriptor& tensor(std::int64_t rows, std::int64_t columns, int type,
                                         const void* address, bool by_value = false);
  void make_plans(const descriptor& operation);
  [[nodiscard]] bool try_plan(std::size_t index) const;

  cudaStream_t stream_;
  std::unique_ptr<float> epsilon_{};
  std::unique_ptr<cudnnContext, destroy> handle_{};
  std::vector<descriptor> tensors_{};
  std::vector<const void*> addresses_{};
  std::vector<descriptor> configurations_{};
  std::vector<plan> plans_{};
  descriptor arguments_{};
  std::size_t chosen_ = 0;
};

}  // namespace ridge::vendor
