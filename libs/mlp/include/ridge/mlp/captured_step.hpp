// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <ridge/mlp/fused_product.hpp>
#include <ridge/mlp/shape.hpp>

namespace ridge::mlp {

// Where a recorded step reads and writes. `weights` are those of the forward pass; updated = base - rate *
// gradient. All three may be one array; `base` may be `updated`. Each holds shape::parameters() floats;
// `gradient` as many, or nothing.
struct step_memory {
  const float* weights = nullptr;
  const float* base = nullptr;
  float* updated = nullptr;
  float* gradient = nullptr;
  float* scratch = nullptr;  // captured_step::scratch_floats
};

// Forward, backward and update of a fixed number of rows, recorded once as a flat list of fused operations
// whose kernels, pointers and sizes are known, and replayed without a decision. The memory is not owned.
class captured_step {
 public:
  // `batch`: what the rows' losses are divided by, as many as `rows` or, for a part of a batch, more.
  captured_step(const shape& s, std::size_t rows, std::size_t batch, float rate, const step_memory& m);
  [[nodiscard]] static std::size_t scratch_floats(const shape& s, std::size_t rows);
  [[nodiscard]] std::size_t rows() const { return rows_; }

  // Mean loss of the rows before the update.
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
  // Where a step's arrays begin in the flat ones.
  struct places {
    std::size_t first_bias, second, second_bias;
    float *hidden, *hidden_gradient;
  };
  void record_forward(const step_memory& m, const places& at);
  void record_backward(const step_memory& m, const places& at);
  void record_biases(const step_memory& m, const places& at);
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
