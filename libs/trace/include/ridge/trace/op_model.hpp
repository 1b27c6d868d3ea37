// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include <ridge/trace/number_type.hpp>
#include <ridge/trace/trace.hpp>

// How much an operator must do at least, from its name and the shapes and types of its inputs. Formulas and
// their sources: docs/design/trace/kernels.md.
namespace ridge::trace {

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

[[nodiscard]] std::string_view name(op_family f);

// C[m,n] = A[m,k] B[k,n], `batch` times. A grouped one has its rows summed in m and its groups in `groups`.
struct gemm_shape {
  std::int64_t batch = 1, m = 0, n = 0, k = 0;
  std::int64_t groups = 0;  // 0: not a grouped GEMM
  friend bool operator==(const gemm_shape&, const gemm_shape&) = default;
};

struct attention_shape {
  std::int64_t batch = 0, heads = 0, kv_heads = 0;
  std::int64_t queries = 0, keys = 0;  // tokens of one sequence; of varying lengths the mean, rounded up
  std::int64_t head_dim = 0, value_dim = 0;
  bool causal = false, backward = false;
  bool lengths_known = true;  // false: of varying lengths, taken as one sequence each of the longest
};

// In two dimensions; one-dimensional ones have height 1; three-dimensional ones fold depth into height.
struct convolution_shape {
  std::int64_t batch = 0, in_channels = 0, out_channels = 0, groups = 1;
  std::int64_t in_pixels = 0, out_pixels = 0, filter_pixels = 0;  // of one image, of one filter
  bool transposed = false, backward = false;
  bool strided = false, dilated = false;

  [[nodiscard]] bool pointwise() const { return filter_pixels == 1; }
  [[nodiscard]] bool depthwise() const { return groups > 1 && groups == in_channels; }
};

struct moe_shape {
  std::int64_t tokens = 0, experts = 0, top_k = 0;  // top_k 0: not told, taken as 1
  std::int64_t hidden = 0, intermediate = 0;
  bool gated = false;   // two first projections (SwiGLU)
  int projections = 0;  // of one expert that this operator does, in units of hidden x intermediate: 1..3
  // Experts that can have a token: min(experts, tokens x top_k). Their weights are read.
  std::int64_t active_experts = 0;

  [[nodiscard]] double tokens_per_expert() const {
    return experts > 0 ? static_cast<double>(tokens * (top_k > 0 ? top_k : 1)) / static_cast<double>(experts)
                       : 0;
  }
};

// What one call must at least compute and move, as if every input were read once and every output written
// once.
struct op_model {
  op_family family = op_family::elementwise;
  double flops = 0;                         // multiply-add = 2; exact below 2^53
  double bytes = 0;                         // read and written
  double written = 0;                       // of them: its outputs
  number_type type = number_type::unknown;  // of the operands: whose peak bounds it
  bool matrix = false;                      // the work of matrix units (GEMM, convolution, attention, MoE)
  // What the trace does not tell and the model took: "stride 1, same padding", "top 1"; "": nothing.
  std::string_view assumed{};
  // The product whose output is the operator's: of a convolution the implicit GEMM, of attention each head's
  // P V.
  std::optional<gemm_shape> gemm{};
  std::optional<attention_shape> attention{};
  std::optional<convolution_shape> convolution{};
  std::optional<moe_shape> moe{};

  // FLOP/byte; 0 where nothing is moved.
  [[nodiscard]] double intensity() const { return bytes > 0 ? flops / bytes : 0; }
};

// An operator as a trace tells it: JSON texts of op_detail.
struct op_call {
  std::string_view name{};             // "aten::mm"
  std::string_view input_dims{};       // "[[64, 1024], [1024, 1024], []]"
  std::string_view input_types{};      // "[\"c10::BFloat16\", \"Scalar\"]"
  std::string_view concrete_inputs{};  // "[\"\", \"[1, 1]\", \"False\"]"
};

// nullopt: no model for this name, or its shapes are not told.
[[nodiscard]] std::optional<op_model> model_of(const op_call& call);
// nullopt as well for events that are no operators.
[[nodiscard]] std::optional<op_model> model_of(const trace& t, event_id op);

}  // namespace ridge::trace
