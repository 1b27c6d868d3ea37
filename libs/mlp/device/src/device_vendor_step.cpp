// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/expects.hpp>

#include "device_layers.hpp"

namespace ridge::mlp {
namespace {

using vendor::epilogue;
using vendor::matrix;
using vendor::planned_matmul;

matrix rows_of(const float* data, std::size_t rows, std::size_t columns, bool transposed = false) {
  const auto width = static_cast<std::int64_t>(columns);
  return {data, CUDA_R_32F, static_cast<std::int64_t>(rows), width, width, transposed};
}

}  // namespace

std::size_t vendor_device_step::floats(const shape& s, std::size_t rows) {
  return rows * (2 * s.hidden + s.classes + 1);
}

vendor_device_step::vendor_device_step(const shape& s, const device_batch& batch, float rate,
                                       const device_arrays& m, void* workspace, cudaStream_t queue)
    : shape_(s), batch_(batch), rate_(rate), memory_(m), workspace_(workspace) {
  expects(s.classes == device_classes && !m.gradient, "vendor_device_step: ten classes, no gradient");
  const auto rows = batch.rows;
  if (rows == 0) return;
  hidden_ = m.scratch, hidden_gradient_ = hidden_ + rows * s.hidden;
  logits_ = hidden_gradient_ + rows * s.hidden;
  float* const row_of_ones = logits_ + rows * s.classes;
  fill_on_device(row_of_ones, 1, rows, queue);
  plan_forward(hidden_, logits_);
  plan_backward(hidden_, logits_, hidden_gradient_, row_of_ones);
}

void vendor_device_step::plan(const vendor::product& product) {
  products_.push_back(std::make_unique<planned_matmul>(product, workspace_));
}

void vendor_device_step::plan_forward(float* hidden, float* logits) {
  const auto rows = batch_.rows;
  const auto width = shape_.hidden, outputs = shape_.classes;
  const float *w1 = memory_.parameters, *b1 = w1 + shape_.features * width, *w2 = b1 + width;
  plan({.a = rows_of(batch_.features, rows, shape_.features),
        .b = rows_of(w1, shape_.features, width),
        .target = hidden,
        .pitch = static_cast<std::int64_t>(width),
        .epilogue = epilogue::bias_relu,
        .bias = b1});
  plan({.a = rows_of(hidden, rows, width),
        .b = rows_of(w2, width, outputs),
        .target = logits,
        .pitch = static_cast<std::int64_t>(outputs),
        .epilogue = epilogue::bias,
        .bias = w2 + width * outputs});
}

// The hidden layer's error first, from weights that the update may overwrite.
void vendor_device_step::plan_backward(const float* hidden, const float* logits, float* hidden_gradient,
                                       const float* row_of_ones) {
  const auto rows = batch_.rows;
  const auto inputs = shape_.features, width = shape_.hidden, outputs = shape_.classes;
  const float* const w2 = memory_.parameters + (inputs + 1) * width;
  plan({.a = rows_of(logits, rows, outputs),
        .b = rows_of(w2, width, outputs, true),
        .target = hidden_gradient,
        .pitch = static_cast<std::int64_t>(width)});
  const auto update = [&](const matrix& a, const float* error, std::size_t columns, std::size_t offset) {
    plan({.a = a,
          .b = rows_of(error, rows, columns),
          .target = memory_.updated + offset,
          .pitch = static_cast<std::int64_t>(columns),
          .base = memory_.parameters + offset,
          .alpha = -rate_,
          .beta = 1});
  };
  update(rows_of(batch_.features, rows, inputs, true), hidden_gradient, width, 0);
  update(rows_of(row_of_ones, rows, 1, true), hidden_gradient, width, inputs * width);
  update(rows_of(hidden, rows, width, true), logits, outputs, (inputs + 1) * width);
  update(rows_of(row_of_ones, rows, 1, true), logits, outputs, (inputs + 1) * width + width * outputs);
}

void vendor_device_step::operator()(cudaStream_t queue) const {
  const auto rows = batch_.rows;
  if (rows == 0) {
    descend_on_device(memory_.parameters, memory_.parameters, 0, memory_.updated, shape_.parameters(), queue);
    return;
  }
  for (std::size_t i = 0; i < products_.size(); ++i) {
    (*products_[i])(queue);
    if (i == 1) softmax_on_device(logits_, batch_.labels, rows, memory_.row_losses, queue);
    if (i == 2) relu_gradient_on_device(hidden_, hidden_gradient_, rows * shape_.hidden, queue);
  }
}

}  // namespace ridge::mlp
