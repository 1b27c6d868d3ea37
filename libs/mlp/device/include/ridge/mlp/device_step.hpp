// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <cuda_runtime_api.h>

#include <ridge/mlp/shape.hpp>
#include <ridge/vendor/planned_matmul.hpp>

namespace ridge::mlp {

// The samples of a training step on the GPU. All pointers of this header are to device memory, and all
// functions only enqueue work on the stream that they are given.
struct device_batch {
  const float* features = nullptr;
  const std::uint8_t* labels = nullptr;
  std::size_t rows = 0;
};

// The memory of a step: parameters and gradient hold shape::parameters() floats each.
struct device_arrays {
  const float* parameters = nullptr;
  float* updated = nullptr;     // parameters - rate * gradient of the mean loss; may be `parameters`
  float* gradient = nullptr;    // receives the gradient, or null
  float* row_losses = nullptr;  // receives the loss of each row, or null
  float* scratch = nullptr;     // as many floats as the step's function tells
};

// The number of classes that the steps on the GPU support; any other is a bug of the caller.
inline constexpr int device_classes = 10;

// A step with one kernel per operation, in the order of the mathematics: thirteen launches. The first
// function returns the floats of scratch memory that it needs.
[[nodiscard]] std::size_t plain_device_floats(const shape& s, std::size_t rows);
void plain_device_step(const shape& s, const device_batch& batch, float rate, const device_arrays& m,
                       cudaStream_t queue);

// A step of five launches: bias and activation in the first product's epilogue; second layer, softmax and the
// error of the hidden layer in one pass over the rows; the gradients of a layer's weights and biases as one
// product, over parts of the batch; the sum of the parts, subtracted from the parameters. The first function
// returns the floats of scratch memory that it needs.
[[nodiscard]] std::size_t fused_device_floats(const shape& s, std::size_t rows);
void fused_device_step(const shape& s, const device_batch& batch, float rate, const device_arrays& m,
                       cudaStream_t queue);

// A step with products planned by cuBLASLt for one batch: bias and activation are in the epilogues of the
// forward products, the update is in the products of the gradients (updated = -rate a b + parameters). It
// writes no gradient.
class vendor_device_step {
 public:
  // Floats of scratch memory, besides vendor::workspace_bytes of workspace.
  [[nodiscard]] static std::size_t floats(const shape& s, std::size_t rows);
  // Plans the products and enqueues the work that is done only once on `queue`. m.gradient is null. All
  // memory outlives the step. Throws as vendor::planned_matmul does.
  vendor_device_step(const shape& s, const device_batch& batch, float rate, const device_arrays& m,
                     void* workspace, cudaStream_t queue);
  // Enqueues one step.
  void operator()(cudaStream_t queue) const;

 private:
  void plan_forward(float* hidden, float* logits);
  void plan_backward(const float* hidden, const float* logits, float* hidden_gradient,
                     const float* row_of_ones);
  void plan(const vendor::product& product);

  shape shape_;
  device_batch batch_;
  float rate_;
  device_arrays memory_;
  void* workspace_;
  float* hidden_ = nullptr;
  float* logits_ = nullptr;
  float* hidden_gradient_ = nullptr;
  std::vector<std::unique_ptr<vendor::planned_matmul>> products_{};
};

// Enqueues mlp::initialise on the device: scales weights of variance 1 in `unit` to variance 1 / (inputs of
// their layer) and writes them to `parameters`; biases become zero. Both hold shape::parameters() floats.
void initialise_on_device(const shape& s, const float* unit, float* parameters, cudaStream_t queue);

// Enqueues mean[0] = (sum of `count` floats of `values`) / divisor, computed by one block in a fixed order.
void mean_on_device(const float* values, std::size_t count, float divisor, float* mean, cudaStream_t queue);

}  // namespace ridge::mlp
