// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <ridge/mlp/fused_product.hpp>
#include <ridge/mlp/shape.hpp>

namespace ridge::mlp {

// The memory of a recorded step. The forward pass reads `weights`; the update writes updated = base - rate *
// gradient. All three may be one array, and `base` may be `updated`. Each holds shape::parameters() floats;
// `gradient` holds as many, or is null.
struct step_memory {
  const float* weights = nullptr;
  const float* base = nullptr;
  float* updated = nullptr;
  float* gradient = nullptr;
  float* scratch = nullptr;  // captured_step::scratch_floats
};

// A training step of a fixed number of rows: forward pass, backward pass and update are recorded once as a
// flat list of fused operations with their kernels, pointers and sizes, and replayed without any decision.
// The memory is not owned and outlives the step.
class captured_step {
 public:
  // Records a step for `rows` rows. `batch` is the number of rows that the losses are divided by: `rows`, or
  // more where the rows are a part of a batch.
  captured_step(const shape& s, std::size_t rows, std::size_t batch, float rate, const step_memory& m);
  // Number of floats that step_memory::scratch must hold.
  [[nodiscard]] static std::size_t scratch_floats(const shape& s, std::size_t rows);
  // The number of rows that a replay takes.
  [[nodiscard]] std::size_t rows() const { return rows_; }

  // Runs the step on rows() rows of features and their labels; returns the rows' mean loss before the update.
  float replay(const float* features, const std::uint8_t* labels);

 private:
  struct operation {
    fused_product_kernel kernel = nullptr;
    fused_product product{};
  };
  struct vector_update {
    const float* rows_of = nullptr;
    const float* base = nullptr;
    float* updated = nullptr;
    float* gradient = nullptr;
    std::size_t width = 0;
  };
  // Offsets of the layers in the flat arrays of parameters, and the intermediate arrays in the scratch
  // memory.
  struct places {
    std::size_t first_bias, second, second_bias;
    float *hidden, *hidden_gradient;
  };
  void record_forward(const step_memory& m, const places& layout);
  void record_backward(const step_memory& m, const places& layout);
  void record_biases(const step_memory& m, const places& layout);
  void update(const vector_update& v) const;
  void transpose_second_layer() const;

  shape shape_;
  std::size_t rows_;
  std::size_t batch_;
  float rate_;
  std::array<operation, 2> forward_{};
  std::array<operation, 3> backward_{};
  std::array<vector_update, 2> biases_{};
  const float* second_layer_;
  float* logits_;
  float* transposed_;
};

}  // namespace ridge::mlp
