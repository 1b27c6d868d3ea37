// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "operators/op_families.hpp"

namespace ridge::trace {
namespace {

// The positions of an operator's arguments, and whether its tensors are [batch, heads, tokens, d] or [batch,
// tokens, heads, d]. With varying lengths they are [all tokens, heads, d] with the offsets of the sequences.
struct attention_op {
  std::string_view name;
  bool heads_first;
  std::size_t q;
  std::size_t causal;
  std::size_t offsets = no_such_input;
  bool backward = false;
};
constexpr std::array attention_ops{
    attention_op{"scaled_dot_product_attention", true, 0, 5},
    attention_op{"_scaled_dot_product_flash_attention", true, 0, 4},
    attention_op{"_scaled_dot_product_efficient_attention", true, 0, 6},
    attention_op{"_scaled_dot_product_cudnn_attention", true, 0, 6},
    attention_op{"_scaled_dot_product_attention_math", true, 0, 5},
    attention_op{"_flash_attention_forward", false, 0, 8, 3},
    attention_op{"_efficient_attention_forward", false, 0, 9, 4},
    attention_op{"_flash_attn_forward", false, 0, 5},
    attention_op{"_flash_attn_varlen_forward", false, 0, 9, 3},
    attention_op{"_scaled_dot_product_flash_attention_backward", true, 1, 11, 6, true},
    attention_op{"_scaled_dot_product_efficient_attention_backward", true, 1, 11, no_such_input, true},
    attention_op{"_scaled_dot_product_cudnn_attention_backward", true, 1, 14, 9, true},
    attention_op{"_flash_attention_backward", false, 1, 11, 6, true},
    attention_op{"_efficient_attention_backward", false, 1, 14, 6, true},
    attention_op{"_flash_attn_backward", false, 1, 11, no_such_input, true},
    attention_op{"_flash_attn_varlen_backward", false, 1, 15, 9, true}};

attention_shape dense(const attention_op& op, const dims& q, const dims& k, const dims& v) {
  const std::size_t heads = op.heads_first ? 1 : 2, tokens = op.heads_first ? 2 : 1;
  return {.batch = q[0],
          .heads = q[heads],
          .kv_heads = k[heads],
          .queries = q[tokens],
          .keys = k[tokens],
          .head_dim = q[3],
          .value_dim = v[3]};
}

std::int64_t rounded_up(std::int64_t a, std::int64_t b) { return b > 0 ? (a + b - 1) / b : a; }

// Returns the shape for varying lengths: tensors are [all tokens, heads, d], and the offsets have one entry
// more than there are sequences.
attention_shape ragged(const attention_op& op, const op_inputs& inputs, const dims& q, const dims& k,
                       const dims& v) {
  attention_shape s{.batch = 1, .heads = q[1], .kv_heads = k[1], .head_dim = q[2], .value_dim = v[2]};
  if (inputs.has_tensor(op.offsets)) s.batch = std::max<std::int64_t>(inputs.dims_of(op.offsets)[0] - 1, 1);
  s.queries = rounded_up(q[0], s.batch);
  s.keys = rounded_up(k[0], s.batch);
  s.lengths_known = s.batch == 1;
  return s;
}

// Returns the number of pairs of a query and a key that it attends to. A causal mask ends at the last key for
// the last query.
double pairs_of(const attention_shape& s) {
  const auto q = static_cast<double>(s.queries), k = static_cast<double>(s.keys);
  if (!s.causal) return q * k;
  return q <= k ? q * k - q * (q - 1) / 2 : k * (k + 1) / 2;
}

// 1 and 2 of `_efficient_attention_*` are causal masks (from the upper left and the lower right).
bool causal_of(const op_inputs& inputs, std::size_t index) {
  return inputs.boolean(index).value_or(false) || inputs.integer(index).value_or(0) > 0;
}

op_model modelled(const attention_shape& s, number_type type) {
  const auto heads = static_cast<double>(s.batch * s.heads), kv = static_cast<double>(s.batch * s.kv_heads);
  const auto q = static_cast<double>(s.queries), k = static_cast<double>(s.keys);
  const auto d = static_cast<double>(s.head_dim), dv = static_cast<double>(s.value_dim);
  const auto products = s.backward ? 3 * d + 2 * dv : d + dv;
  const auto queries = heads * q * (d + dv), keys = kv * k * (d + dv);  // q and output, k and v
  const auto logsumexp = heads * q * 4;
  // The backward pass reads the output and its gradient as well as q, k and v again, and writes three
  // gradients.
  const auto elements = s.backward ? queries + heads * q * (d + dv) + 2 * keys : queries + keys;
  return {.family = op_family::attention,
          .flops = 2 * heads * pairs_of(s) * products,
          .bytes = elements * bytes_of(type) + logsumexp,
          .written = (s.backward ? heads * q * d + keys : heads * q * dv) * bytes_of(type),
          .type = type,
          .matrix = true,
          .assumed = s.lengths_known ? "" : "sequences of equal length",
          .gemm = gemm_shape{.batch = s.batch * s.heads, .m = s.queries, .n = s.value_dim, .k = s.keys},
          .attention = s};
}

}  // namespace

std::optional<op_model> attention_model(std::string_view name, const op_inputs& inputs) {
  const auto op = std::ranges::find(attention_ops, name, &attention_op::name);
  if (op == attention_ops.end()) return std::nullopt;
  for (auto i = op->q; i < op->q + 3; ++i) {
    if (!inputs.has_tensor(i, 3)) return std::nullopt;
  }
  const auto& q = inputs.dims_of(op->q);
  const auto& k = inputs.dims_of(op->q + 1);
  const auto& v = inputs.dims_of(op->q + 2);
  if (q.size() != k.size() || q.size() != v.size() || q.size() > 4) return std::nullopt;
  const auto type = inputs.at(op->q).type;
  if (bytes_of(type) == 0) return std::nullopt;
  auto s = q.size() == 4 ? dense(*op, q, k, v) : ragged(*op, inputs, q, k, v);
  s.causal = causal_of(inputs, op->causal);
  s.backward = op->backward;
  return modelled(s, type);
}

}  // namespace ridge::trace
