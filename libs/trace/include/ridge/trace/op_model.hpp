// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include <ridge/trace/number_type.hpp>
#include <ridge/trace/trace.hpp>

// The least work that an operator must do, from its name and the shapes and types of its inputs.
// docs/design/trace/kernels.md holds the formulas and their sources.
namespace ridge::trace {

// Families of operators with a model of their own.
enum class op_family : std::uint8_t {
  gemm,
  convolution,
  attention,
  moe,
  normalisation,
  softmax,
  elementwise,
  reduction,
  embedding,
  copy,
  optimizer
};

// Returns the family's name, as reports print it.
[[nodiscard]] std::string_view name(op_family f);

// C[m,n] = A[m,k] B[k,n], `batch` times. For a grouped GEMM, m is the sum of all rows and `groups` the number
// of groups.
struct gemm_shape {
  std::int64_t batch = 1, m = 0, n = 0, k = 0;
  std::int64_t groups = 0;  // 0: not a grouped GEMM
  friend bool operator==(const gemm_shape&, const gemm_shape&) = default;
};

// The shape of scaled dot-product attention.
struct attention_shape {
  std::int64_t batch = 0, heads = 0, kv_heads = 0;
  std::int64_t queries = 0, keys = 0;  // tokens of one sequence; the mean, rounded up, where lengths vary
  std::int64_t head_dim = 0, value_dim = 0;
  bool causal = false, backward = false;
  // false: lengths vary and are not recorded; every sequence is taken to be as long as the longest
  bool lengths_known = true;
};

// The shape of a two-dimensional convolution. One-dimensional ones have height 1; three-dimensional ones fold
// depth into height.
struct convolution_shape {
  std::int64_t batch = 0, in_channels = 0, out_channels = 0, groups = 1;
  std::int64_t in_pixels = 0, out_pixels = 0, filter_pixels = 0;  // per image, per image, per filter
  bool transposed = false, backward = false;
  bool strided = false, dilated = false;

  // Whether the filter has a single pixel.
  [[nodiscard]] bool pointwise() const { return filter_pixels == 1; }
  // Whether every input channel is a group of its own.
  [[nodiscard]] bool depthwise() const { return groups > 1 && groups == in_channels; }
};

// The shape of a mixture-of-experts layer.
struct moe_shape {
  std::int64_t tokens = 0, experts = 0, top_k = 0;  // top_k 0: not recorded, taken as 1
  std::int64_t hidden = 0, intermediate = 0;
  bool gated = false;  // two first projections (SwiGLU)
  // projections of one expert that this operator does, in units of hidden x intermediate: 1..3
  int projections = 0;
  // Number of experts that can have a token, min(experts, tokens x top_k); their weights are read.
  std::int64_t active_experts = 0;

  // Mean number of tokens per expert; 0 without experts.
  [[nodiscard]] double tokens_per_expert() const {
    return experts > 0 ? static_cast<double>(tokens * (top_k > 0 ? top_k : 1)) / static_cast<double>(experts)
                       : 0;
  }
};

// What one call must at least compute and move, if every input is read once and every output written once.
struct op_model {
  op_family family = op_family::elementwise;
  double flops = 0;                         // multiply-add = 2; exact below 2^53
  double bytes = 0;                         // read and written
  double written = 0;                       // the part of `bytes` that are outputs
  number_type type = number_type::unknown;  // type of the operands, whose peak bounds the call
  bool matrix = false;  // whether matrix units do the work (GEMM, convolution, attention, MoE)
  // What the model assumes because the trace does not record it: "stride 1, same padding", "top 1"; "":
  // nothing.
  std::string_view assumed{};
  // The matrix product that makes the operator's output: for a convolution the implicit GEMM, for attention P
  // V of each head.
  std::optional<gemm_shape> gemm{};
  std::optional<attention_shape> attention{};
  std::optional<convolution_shape> convolution{};
  std::optional<moe_shape> moe{};

  // Arithmetic intensity in FLOP/byte; 0 where nothing is moved.
  [[nodiscard]] double intensity() const { return bytes > 0 ? flops / bytes : 0; }
};

// One call of an operator as a trace records it, with the JSON texts of op_detail.
struct op_call {
  std::string_view name{};             // "aten::mm"
  std::string_view input_dims{};       // "[[64, 1024], [1024, 1024], []]"
  std::string_view input_types{};      // "[\"c10::BFloat16\", \"Scalar\"]"
  std::string_view concrete_inputs{};  // "[\"\", \"[1, 1]\", \"False\"]"
};

// Returns the model of a call; nullopt where no model has this name or the shapes are not recorded.
[[nodiscard]] std::optional<op_model> model_of(const op_call& call);
// Returns the model of event `op`; nullopt also where the event is not an operator.
[[nodiscard]] std::optional<op_model> model_of(const trace& t, event_id op);

}  // namespace ridge::trace
