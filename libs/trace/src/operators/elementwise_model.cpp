// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "operators/op_families.hpp"

namespace ridge::trace {
namespace {

// Operations per output element; a function of a library (exp, tanh) counts as one, as profilers do.
struct elementwise_op {
  std::string_view name;
  double flops;
};
constexpr std::array elementwise_ops{elementwise_op{"add", 1},
                                     elementwise_op{"sub", 1},
                                     elementwise_op{"rsub", 1},
                                     elementwise_op{"mul", 1},
                                     elementwise_op{"div", 1},
                                     elementwise_op{"floor_divide", 1},
                                     elementwise_op{"remainder", 1},
                                     elementwise_op{"neg", 1},
                                     elementwise_op{"abs", 1},
                                     elementwise_op{"exp", 1},
                                     elementwise_op{"log", 1},
                                     elementwise_op{"log2", 1},
                                     elementwise_op{"sqrt", 1},
                                     elementwise_op{"rsqrt", 1},
                                     elementwise_op{"reciprocal", 1},
                                     elementwise_op{"square", 1},
                                     elementwise_op{"pow", 1},
                                     elementwise_op{"sin", 1},
                                     elementwise_op{"cos", 1},
                                     elementwise_op{"tanh", 1},
                                     elementwise_op{"sigmoid", 1},
                                     elementwise_op{"erf", 1},
                                     elementwise_op{"relu", 1},
                                     elementwise_op{"leaky_relu", 1},
                                     elementwise_op{"clamp", 1},
                                     elementwise_op{"clamp_min", 1},
                                     elementwise_op{"clamp_max", 1},
                                     elementwise_op{"hardtanh", 1},
                                     elementwise_op{"maximum", 1},
                                     elementwise_op{"minimum", 1},
                                     elementwise_op{"gelu", 6},
                                     elementwise_op{"silu", 3},
                                     elementwise_op{"mish", 4},
                                     elementwise_op{"addcmul", 3},
                                     elementwise_op{"addcdiv", 3},
                                     elementwise_op{"lerp", 3},
                                     elementwise_op{"where", 0},
                                     elementwise_op{"masked_fill", 0},
                                     elementwise_op{"nan_to_num", 1},
                                     elementwise_op{"logit", 3},
                                     elementwise_op{"native_dropout", 2},
                                     elementwise_op{"mse_loss", 2},
                                     elementwise_op{"triu", 0},
                                     elementwise_op{"tril", 0},
                                     elementwise_op{"threshold_backward", 1},
                                     elementwise_op{"sigmoid_backward", 3},
                                     elementwise_op{"tanh_backward", 3},
                                     elementwise_op{"gelu_backward", 10},
                                     elementwise_op{"silu_backward", 5},
                                     elementwise_op{"native_dropout_backward", 2},
                                     elementwise_op{"mse_loss_backward", 2},
                                     elementwise_op{"logit_backward", 3}};

constexpr std::array<std::string_view, 13> predicates{
    "eq",         "ne",          "lt",          "le",         "gt",    "ge",   "logical_and",
    "logical_or", "logical_not", "bitwise_and", "bitwise_or", "isnan", "isinf"};

number_type wider(number_type a, number_type b) { return bytes_of(b) > bytes_of(a) ? b : a; }

struct output {
  dims shape{};
  number_type type = number_type::unknown;
};

// Returns the shape broadcast over all tensor inputs, with the type of the widest one.
output output_of(const op_inputs& inputs) {
  output out;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs.has_tensor(i)) continue;
    out.shape = broadcast(out.shape, inputs.dims_of(i));
    out.type = wider(out.type, inputs.at(i).type);
  }
  return out;
}

// Optimizers and loops over lists: the operation for each tensor of the list.
std::optional<op_model> over_lists(const op_inputs& inputs) {
  const auto& list = inputs.at(0);
  if (list.tensors.empty() || bytes_of(list.type) == 0) return std::nullopt;
  return op_model{.family = op_family::elementwise,
                  .flops = list.elements(),
                  .bytes = inputs.bytes() + list.bytes(),
                  .written = list.bytes(),
                  .type = list.type};
}

}  // namespace

std::optional<op_model> elementwise_model(std::string_view name, const op_inputs& inputs) {
  if (name.starts_with("_foreach_") && !name.starts_with("_foreach_copy")) return over_lists(inputs);
  const auto plain = name.ends_with('_') ? name.substr(0, name.size() - 1) : name;
  const auto op = std::ranges::find(elementwise_ops, plain, &elementwise_op::name);
  const auto predicate = std::ranges::find(predicates, plain) != predicates.end();
  if (op == elementwise_ops.end() && !predicate) return std::nullopt;
  auto out = output_of(inputs);
  if (out.shape.empty() || bytes_of(out.type) == 0) return std::nullopt;
  const auto operands = out.type;
  if (predicate) out.type = number_type::boolean;
  if (plain != name && inputs.has_tensor(0)) out = {inputs.dims_of(0), inputs.at(0).type};
  const auto elements = count_of(out.shape);
  auto bytes = inputs.bytes() + elements * bytes_of(out.type);
  if (plain == "native_dropout") bytes += elements;  // its mask
  return op_model{.family = op_family::elementwise,
                  .flops = elements * (predicate ? 1 : op->flops),
                  .bytes = bytes,
                  .written = elements * bytes_of(out.type),
                  .type = operands};
}

}  // namespace ridge::trace
