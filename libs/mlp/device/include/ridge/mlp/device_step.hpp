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

// A training step on the GPU; every pointer is to device memory, everything is enqueued on a stream.
struct device_batch {
  const float* features = nullptr;
  const std::uint8_t* labels = nullptr;
  std::size_t rows = 0;
};

struct device_arrays {
  const float* parameters = nullptr;
  float* updated = nullptr;     // parameters - rate * gradient of the mean loss; may be `parameters`
  float* gradient = nullptr;    // where the gradient goes too, or null
  float* row_losses = nullptr;  // where each row's loss goes, or null
  float* scratch = nullptr;
};

// The GPU's steps know ten classes only; anything else is a bug.
inline constexpr int device_classes = 10;

// One kernel an operation, in the order of the mathematics; thirteen launches.
[[nodiscard]] std::size_t plain_device_floats(const shape& s, std::size_t rows);
void plain_device_step(const shape& s, const device_batch& batch, float rate, const device_arrays& m,
                       cudaStream_t queue);

// Five launches: bias and activation in the first product's epilogue; second layer, softmax and the error of
// the hidden layer in one pass over the rows; weights' and biases' gradients as one product each, over parts
// of the batch; parts added up and taken off the parameters.
[[nodiscard]] std::size_t fused_device_floats(const shape& s, std::size_t rows);
void fused_device_step(const shape& s, const device_batch& batch, float rate, const device_arrays& m,
                       cudaStream_t queue);

// The same step with its products planned by cuBLASLt for one batch: bias and activation in the forward
// products' epilogues, the update in those of the gradients (updated = -rate a b + parameters). It writes no
// gradient.
class vendor_device_step {
 public:
  // Floats of scratch besides vendor::workspace_bytes of workspace.
  [[nodiscard]] static std::size_t floats(const shape& s, std::size_t rows);
  // Enqueues on `queue` what has to be done once. m.gradient is null.
  vendor_device_step(const shape& s, const device_batch& batch, float rate, const device_arrays& m,
                     void* workspace, cudaStream_t queue);
  void operator()(cudaStream_t queue) const;

 private:
  void plan_forward(float* hidden, float* logits);
  void plan_backward(const float* hidden, const float* logits, float* hidden_gradient, const float* ones);
  void plan(const vendor::product& of);

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

// mlp::initialise on the device: weights of variance 1 in `unit` become weights of variance 1 / inputs of
// their layer in `parameters`, biases zero; both hold shape::parameters() floats of device memory.
void initialise_on_device(const shape& s, const float* unit, float* parameters, cudaStream_t queue);

// to[0] = sum of `count` floats over `divisor`; one block, in a fixed order.
void mean_on_device(const float* from, std::size_t count, float divisor, float* to, cudaStream_t queue);

}  // namespace ridge::mlp
