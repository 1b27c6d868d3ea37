// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "operators/op_families.hpp"

namespace ridge::trace {
namespace {

// Lists read and written for each parameter: parameters, gradients and the optimizer's own state.
struct optimizer_op {
  std::string_view name;
  double read, written;
  double flops;  // per parameter
};
constexpr std::array optimizer_ops{
    optimizer_op{"_fused_adam_", 4, 3, 14},  optimizer_op{"_fused_adam", 4, 3, 14},
    optimizer_op{"_fused_adamw_", 4, 3, 16}, optimizer_op{"_fused_adamw", 4, 3, 16},
    optimizer_op{"_fused_sgd_", 3, 2, 4},    optimizer_op{"_fused_sgd", 3, 2, 4},
    optimizer_op{"_fused_adagrad_", 3, 2, 6}};

}  // namespace

std::optional<op_model> optimizer_model(std::string_view name, const op_inputs& inputs) {
  const auto op = std::ranges::find(optimizer_ops, name, &optimizer_op::name);
  if (op == optimizer_ops.end() || inputs.at(0).tensors.empty()) return std::nullopt;
  const auto told = bytes_of(inputs.at(0).type) > 0;
  const auto type = told ? inputs.at(0).type : number_type::fp32;
  const auto elements = inputs.at(0).elements();
  return op_model{.family = op_family::optimizer,
                  .flops = op->flops * elements,
                  .bytes = (op->read + op->written) * elements * bytes_of(type),
                  .written = op->written * elements * bytes_of(type),
                  .type = type,
                  .assumed = told ? "" : "parameters and state of fp32"};
}

}  // namespace ridge::trace
