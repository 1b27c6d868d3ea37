// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "operators/op_families.hpp"

namespace ridge::trace {
namespace {

// Operations per element: mean and variance 4, shift and scale 4; a root mean square has no mean.
struct norm_op {
  std::string_view name;
  std::size_t input;
  double flops;
  bool backward = false;
};
constexpr std::array norm_ops{norm_op{"layer_norm", 0, 8},
                              norm_op{"native_layer_norm", 0, 8},
                              norm_op{"native_layer_norm_backward", 1, 12, true},
                              norm_op{"rms_norm", 0, 4},
                              norm_op{"_fused_rms_norm", 0, 4},
                              norm_op{"rms_norm_forward", 0, 4},
                              norm_op{"_fused_rms_norm_backward", 1, 8, true},
                              norm_op{"group_norm", 0, 8},
                              norm_op{"native_group_norm", 0, 8},
                              norm_op{"_groupnorm_run", 0, 8},
                              norm_op{"native_group_norm_backward", 1, 12, true},
                              norm_op{"batch_norm", 0, 8},
                              norm_op{"_batch_norm_impl_index", 0, 8},
                              norm_op{"native_batch_norm", 0, 8},
                              norm_op{"cudnn_batch_norm", 0, 8},
                              norm_op{"miopen_batch_norm", 0, 8},
                              norm_op{"native_batch_norm_backward", 1, 12, true},
                              norm_op{"cudnn_batch_norm_backward", 0, 12, true},
                              norm_op{"miopen_batch_norm_backward", 0, 12, true}};

struct softmax_op {
  std::string_view name;
  double flops;  // per element: maximum, difference, exponential, sum, quotient
};
constexpr std::array softmax_ops{softmax_op{"softmax", 5},
                                 softmax_op{"_softmax", 5},
                                 softmax_op{"_safe_softmax", 5},
                                 softmax_op{"log_softmax", 5},
                                 softmax_op{"_log_softmax", 5},
                                 softmax_op{"_softmax_backward_data", 4},
                                 softmax_op{"_log_softmax_backward_data", 4}};

}  // namespace

std::optional<op_model> normalisation_model(std::string_view name, const op_inputs& inputs) {
  const auto op = std::ranges::find(norm_ops, name, &norm_op::name);
  if (op == norm_ops.end() || !inputs.has_tensor(op->input)) return std::nullopt;
  const auto& input = inputs.at(op->input);
  if (bytes_of(input.type) == 0) return std::nullopt;
  return op_model{.family = op_family::normalisation,
                  .flops = op->flops * input.elements(),
                  .bytes = inputs.bytes() + input.bytes(),
                  .written = input.bytes(),
                  .type = input.type};
}

std::optional<op_model> softmax_model(std::string_view name, const op_inputs& inputs) {
  const auto op = std::ranges::find(softmax_ops, name, &softmax_op::name);
  if (op == softmax_ops.end() || !inputs.has_tensor(0) || bytes_of(inputs.at(0).type) == 0)
    return std::nullopt;
  const auto& input = inputs.at(0);
  const auto gradient = inputs.has_tensor(1) ? inputs.at(1).bytes() : 0;
  return op_model{.family = op_family::softmax,
                  .flops = op->flops * input.elements(),
                  .bytes = input.bytes() * 2 + gradient,
                  .written = input.bytes(),
                  .type = input.type};
}

}  // namespace ridge::trace
