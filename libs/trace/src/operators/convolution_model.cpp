// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "operators/op_families.hpp"

namespace ridge::trace {
namespace {

// Positions of an operator's arguments; `absent`: it has no such argument.
struct convolution_op {
  std::string_view name;
  std::size_t input, weight, stride, padding, dilation, groups, transposed, gradient, mask;
  bool always_transposed = false;
};
constexpr std::array convolution_ops{
    convolution_op{"convolution", 0, 1, 3, 4, 5, 8, 6, no_such_input, no_such_input},
    convolution_op{"_convolution", 0, 1, 3, 4, 5, 8, 6, no_such_input, no_such_input},
    convolution_op{"conv1d", 0, 1, 3, 4, 5, 6, no_such_input, no_such_input, no_such_input},
    convolution_op{"conv2d", 0, 1, 3, 4, 5, 6, no_such_input, no_such_input, no_such_input},
    convolution_op{"conv3d", 0, 1, 3, 4, 5, 6, no_such_input, no_such_input, no_such_input},
    convolution_op{"conv_transpose1d", 0, 1, 3, 4, 7, 6, no_such_input, no_such_input, no_such_input, true},
    convolution_op{"conv_transpose2d", 0, 1, 3, 4, 7, 6, no_such_input, no_such_input, no_such_input, true},
    convolution_op{"conv_transpose3d", 0, 1, 3, 4, 7, 6, no_such_input, no_such_input, no_such_input, true},
    convolution_op{"cudnn_convolution", 0, 1, 3, 2, 4, 5, no_such_input, no_such_input, no_such_input},
    convolution_op{"cudnn_convolution_transpose", 0, 1, 4, 2, 5, 6, no_such_input, no_such_input,
                   no_such_input, true},
    convolution_op{"cudnn_convolution_relu", 0, 1, 3, 4, 5, 6, no_such_input, no_such_input, no_such_input},
    convolution_op{"miopen_convolution", 0, 1, 4, 3, 5, 6, no_such_input, no_such_input, no_such_input},
    convolution_op{"miopen_convolution_relu", 0, 1, 3, 4, 5, 6, no_such_input, no_such_input, no_such_input},
    convolution_op{"_conv_depthwise2d", 0, 1, 4, 5, 6, no_such_input, no_such_input, no_such_input,
                   no_such_input},
    convolution_op{"convolution_backward", 1, 2, 4, 5, 6, 9, 7, 0, 10},
    convolution_op{"cudnn_convolution_backward", 0, 2, 4, 3, 5, 6, no_such_input, 1, 10}};

constexpr std::int64_t most_pixels = std::int64_t{1} << 31;

struct geometry {
  std::vector<std::int64_t> stride{}, padding{}, dilation{};
  bool assumed = false;
  [[nodiscard]] static std::int64_t of(const std::vector<std::int64_t>& v, std::size_t i,
                                       std::int64_t otherwise) {
    constexpr std::int64_t most = std::int64_t{1} << 20;
    return v.empty() ? otherwise : std::clamp<std::int64_t>(v[std::min(i, v.size() - 1)], 0, most);
  }
};

// Returns the output size along one axis (PyTorch, torch.nn.Conv2d and ConvTranspose2d); output padding is
// not considered.
std::int64_t out_size(std::int64_t input, std::int64_t filter, const geometry& g, std::size_t axis,
                      bool transposed) {
  const auto stride = std::max<std::int64_t>(geometry::of(g.stride, axis, 1), 1);
  const auto padding = geometry::of(g.padding, axis, g.assumed ? filter / 2 : 0);
  const auto reach = geometry::of(g.dilation, axis, 1) * (filter - 1);
  const auto size = transposed ? (input - 1) * stride - 2 * padding + reach + 1
                               : (input + 2 * padding - reach - 1) / stride + 1;
  return std::clamp<std::int64_t>(size, 0, most_pixels);
}

std::int64_t pixels_of(const dims& d) {
  std::int64_t n = 1;
  for (std::size_t i = 2; i < d.size(); ++i) n *= d[i];
  return n;
}

bool any_above_one(const std::vector<std::int64_t>& v) {
  return std::ranges::any_of(v, [](std::int64_t x) { return x > 1; });
}

geometry geometry_of(const convolution_op& op, const op_inputs& inputs) {
  if (!inputs.has_values()) return {.assumed = true};
  return {inputs.integers(op.stride), inputs.integers(op.padding), inputs.integers(op.dilation)};
}

// `input` and `weight` are those of the forward pass; `out` is its output where a gradient gives it.
convolution_shape convolution_shape_of(const dims& input, const dims& weight, const geometry& g,
                                       bool transposed, const dims* out) {
  convolution_shape s{.batch = input[0], .in_channels = input[1], .transposed = transposed};
  s.in_pixels = pixels_of(input);
  s.filter_pixels = pixels_of(weight);
  s.out_pixels = 1;
  for (std::size_t i = 2; i < input.size(); ++i)
    s.out_pixels = std::min(
        most_pixels,
        s.out_pixels * (out != nullptr ? (*out)[i] : out_size(input[i], weight[i], g, i - 2, transposed)));
  s.strided = any_above_one(g.stride);
  s.dilated = any_above_one(g.dilation);
  return s;
}

void set_channels(convolution_shape& s, const dims& weight, std::int64_t groups) {
  // A plain convolution's filters are [out, in / groups, ...], a transposed one's [in, out / groups, ...].
  s.groups =
      s.transposed ? groups : std::max<std::int64_t>(s.in_channels / std::max<std::int64_t>(weight[1], 1), 1);
  s.out_channels = s.transposed ? weight[1] * s.groups : weight[0];
}

// Returns the implicit GEMM: rows are output pixels, columns are output channels of a group.
gemm_shape implicit_gemm(const convolution_shape& s) {
  auto k = saturated_product({s.in_channels / s.groups, s.filter_pixels});
  if (s.transposed && s.out_pixels > 0) k = saturated_product({k, s.in_pixels}) / s.out_pixels;
  return {.batch = s.groups, .m = s.batch * s.out_pixels, .n = s.out_channels / s.groups, .k = k};
}

double forward_flops(const convolution_shape& s) {
  const auto pixels = static_cast<double>(s.transposed ? s.in_pixels : s.out_pixels);
  return 2 * static_cast<double>(s.batch) * pixels * static_cast<double>(s.filter_pixels) *
         static_cast<double>(s.in_channels) * static_cast<double>(s.out_channels) /
         static_cast<double>(s.groups);
}

// Returns how many of the gradients of input and weight are requested.
int gradients(const convolution_op& op, const op_inputs& inputs) {
  const auto& mask = inputs.at(op.mask).value;
  if (mask.empty()) return 2;
  const auto second = mask.find(',');
  const auto asked = [](std::string_view part) { return part.find("True") != std::string_view::npos; };
  const std::string_view text = mask;
  const auto rest = second == std::string::npos ? std::string_view() : text.substr(second + 1);
  return int{asked(text.substr(0, second))} + int{asked(rest.substr(0, rest.find(',')))};
}

}  // namespace

std::optional<op_model> convolution_model(std::string_view name, const op_inputs& inputs) {
  const auto op = std::ranges::find(convolution_ops, name, &convolution_op::name);
  if (op == convolution_ops.end() || !inputs.has_tensor(op->input, 3) || !inputs.has_tensor(op->weight, 3))
    return std::nullopt;
  const auto& input = inputs.dims_of(op->input);
  const auto& weight = inputs.dims_of(op->weight);
  const auto backward = op->gradient != no_such_input;
  if (weight.size() != input.size() || (backward && !inputs.has_tensor(op->gradient, input.size())))
    return std::nullopt;
  const auto g = geometry_of(*op, inputs);
  const auto transposed = op->always_transposed || inputs.boolean(op->transposed).value_or(false);
  auto s =
      convolution_shape_of(input, weight, g, transposed, backward ? &inputs.dims_of(op->gradient) : nullptr);
  set_channels(s, weight, inputs.integer(op->groups).value_or(1));
  s.backward = backward;
  const auto type = inputs.at(op->input).type;
  const auto outputs =
      static_cast<double>(s.batch) * static_cast<double>(s.out_channels) * static_cast<double>(s.out_pixels);
  if (bytes_of(type) == 0 || s.out_pixels <= 0) return std::nullopt;
  const auto passes = backward ? gradients(*op, inputs) : 1;
  const auto written = backward ? count_of(input) + count_of(weight) : outputs;
  return op_model{.family = op_family::convolution,
                  .flops = forward_flops(s) * passes,
                  .bytes = inputs.bytes() + written * bytes_of(type),
                  .written = written * bytes_of(type),
                  .type = type,
                  .matrix = true,
                  .assumed = g.assumed && !backward ? "stride 1, same padding" : "",
                  .gemm = implicit_gemm(s),
                  .convolution = s};
}

}  // namespace ridge::trace
