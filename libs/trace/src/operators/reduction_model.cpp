// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "operators/op_families.hpp"

namespace ridge::trace {
namespace {

// One operation per input element, and the position of the axes among the arguments.
struct reduction_op {
  std::string_view name;
  double flops;
  std::size_t axes;
};
constexpr std::array reduction_ops{reduction_op{"sum", 1, 1},       reduction_op{"mean", 1, 1},
                                   reduction_op{"amax", 1, 1},      reduction_op{"amin", 1, 1},
                                   reduction_op{"max", 1, 1},       reduction_op{"min", 1, 1},
                                   reduction_op{"argmax", 1, 1},    reduction_op{"argmin", 1, 1},
                                   reduction_op{"prod", 1, 1},      reduction_op{"all", 1, 1},
                                   reduction_op{"any", 1, 1},       reduction_op{"norm", 2, 2},
                                   reduction_op{"var", 4, 1},       reduction_op{"std", 4, 1},
                                   reduction_op{"logsumexp", 4, 1}, reduction_op{"linalg_vector_norm", 2, 2}};

// Returns the number of elements after the reduction; one where no axes are given.
double left_of(const dims& input, const std::vector<std::int64_t>& axes) {
  if (axes.empty()) return 1;
  auto left = input;
  for (const auto axis : axes) {
    const auto at = axis < 0 ? axis + std::ssize(left) : axis;
    if (at >= 0 && at < std::ssize(left)) left[static_cast<std::size_t>(at)] = 1;
  }
  return count_of(left);
}

bool is_running(std::string_view name) { return name == "cumsum" || name == "cumprod"; }

}  // namespace

std::optional<op_model> reduction_model(std::string_view name, const op_inputs& inputs) {
  const auto op = std::ranges::find(reduction_ops, name, &reduction_op::name);
  if ((op == reduction_ops.end() && !is_running(name)) || !inputs.has_tensor(0)) return std::nullopt;
  if (inputs.has_tensor(1)) return std::nullopt;  // max(a, b) is not a reduction
  const auto& input = inputs.at(0);
  if (bytes_of(input.type) == 0) return std::nullopt;
  if (is_running(name))
    return op_model{op_family::reduction, input.elements(), 2 * input.bytes(), input.bytes(), input.type};
  const auto left = left_of(inputs.dims_of(0), inputs.integers(op->axes));
  const auto result = name.starts_with("arg") ? number_type::i64 : input.type;
  return op_model{.family = op_family::reduction,
                  .flops = op->flops * input.elements(),
                  .bytes = input.bytes() + left * bytes_of(result),
                  .written = left * bytes_of(result),
                  .type = input.type};
}

}  // namespace ridge::trace
