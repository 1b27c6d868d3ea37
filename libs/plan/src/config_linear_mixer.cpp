// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "config_layers.hpp"
#include "saturating.hpp"

namespace ridge::plan {
namespace {

using n = saturating;

attention_shape linear(n parameters, n state, n window) {
  return {.kind = attention_kind::linear,
          .state_elements = state.value(),
          .convolution_elements = window.value(),
          .mixer_parameters = parameters.value()};
}

std::int64_t state_bytes(const config_members& m) {
  return m.text({"mamba_ssm_cache_dtype", "mamba_ssm_dtype"}).find("16") != std::string::npos ? 2 : 4;
}

// Qwen3-Next: query, key, value, gate, two numbers per value head; a convolution over query, key and value;
// decay and its bias; a norm; the output.
attention_shape gated_delta(const config_context& context) {
  const auto& m = context.members;
  const n key_heads = m.needed({"linear_num_key_heads"}, "key heads"), h = context.hidden;
  const n value_heads = m.needed({"linear_num_value_heads"}, "value heads");
  const n key_dim = m.needed({"linear_key_head_dim"}, "size of a key head");
  const n value_dim = m.needed({"linear_value_head_dim"}, "size of a value head");
  const auto kernel = m.count_or({"linear_conv_kernel_dim"}, 4, 1);
  const n keys = key_heads * key_dim, values = value_heads * value_dim, mixed = n(2) * keys + values;
  const n parameters = h * (mixed + values) + h * n(2) * value_heads + mixed * kernel + n(2) * value_heads +
                       value_dim + values * h;
  return linear(parameters, value_heads * key_dim * value_dim, mixed * (kernel - 1));
}

// Kimi-Linear (arXiv 2510.26692): three projections, each with its convolution; low-rank decay and gate.
attention_shape kimi_delta(const config_context& context) {
  const auto m = context.members.inside("linear_attn_config");
  const n heads = m.needed({"num_heads"}, "heads of the linear layers"), h = context.hidden;
  const n dim = m.needed({"head_dim"}, "size of such a head"), wide = heads * dim;
  const auto kernel = m.count_or({"short_conv_kernel_size"}, 4, 1);
  const n low_rank = h * dim + dim * wide;
  const n gate = m.flag({"use_full_rank_gate"}) ? h * wide : low_rank;
  const n parameters =
      n(3) * h * wide + n(3) * wide * kernel + heads + low_rank + wide + h * heads + gate + dim + wide * h;
  return linear(parameters, heads * dim * dim, n(3) * wide * (kernel - 1));
}

// Mamba (arXiv 2312.00752); Jamba norms the step and both vectors.
attention_shape mamba(const config_context& context) {
  const auto& m = context.members;
  const n h = context.hidden, state = m.count_or({"mamba_d_state", "state_size"}, 16, 1);
  const n inner = h * m.count_or({"mamba_expand", "expand"}, 2, 1);
  const auto kernel = m.count_or({"mamba_d_conv", "conv_kernel"}, 4, 1);
  const n rank = m.count({"mamba_dt_rank", "time_step_rank"}).value_or((context.hidden + 15) / 16);
  const n parameters = h * n(2) * inner + inner * kernel + inner + inner * (rank + n(2) * state) +
                       rank * inner + inner + inner * state + inner + inner * h +
                       (context.type == "jamba" ? rank + n(2) * state : n(0));
  return linear(parameters, inner * state, inner * (kernel - 1));
}

// Mamba-2 (arXiv 2405.21060).
attention_shape mamba2(const config_context& context) {
  const auto& m = context.members;
  const n h = context.hidden,
          heads = m.needed({"mamba_num_heads", "mamba_n_heads", "num_heads"}, "Mamba heads");
  const n dim = m.count({"mamba_head_dim", "mamba_d_head", "head_dim"}).value_or(64);
  const n state = m.count_or({"ssm_state_size", "mamba_d_state", "state_size"}, 128, 1);
  const n groups = m.count_or({"n_groups", "mamba_n_groups"}, 1, 1), inner = heads * dim;
  const auto kernel = m.count_or({"conv_kernel", "mamba_d_conv"}, 4, 1);
  const n mixed = inner + n(2) * groups * state;
  const n bias = m.flag({"use_conv_bias", "mamba_conv_bias"}, true) ? mixed : n(0);
  const n parameters = h * (inner + mixed + heads) + mixed * kernel + bias + n(3) * heads + inner + inner * h;
  return linear(parameters, inner * state, mixed * (kernel - 1));
}

// MiniMax-01 (arXiv 2501.08313): query, key, value, output gate, output, a norm.
attention_shape lightning(const config_context& context) {
  const auto& m = context.members;
  const n heads = context.heads, h = context.hidden;
  const n dim =
      m.count({"head_dim"})
          .value_or(context.heads > 0 ? std::max<std::int64_t>(context.hidden / context.heads, 1) : 1);
  if (!context.type.starts_with("minimax"))
    m.findings().doubt("the linear layers are unknown; taken as lightning attention with as many heads");
  return linear(n(5) * h * heads * dim + heads * dim, heads * dim * dim, 0);
}

// LFM2: a gated convolution over a few tokens.
attention_shape short_conv(const config_context& context) {
  const n h = context.hidden;
  const auto kernel = context.members.count_or({"conv_L_cache"}, 3, 1);
  return linear(n(4) * h * h + h * kernel, 0, h * (kernel - 1));
}

attention_shape read(const config_context& context, mixer mix) {
  switch (mix) {
    case mixer::gated_delta:
      return gated_delta(context);
    case mixer::kimi_delta:
      return kimi_delta(context);
    case mixer::mamba:
      return mamba(context);
    case mixer::mamba2:
      return mamba2(context);
    case mixer::lightning:
      return lightning(context);
    case mixer::short_conv:
      return short_conv(context);
    default:
      return {.kind = attention_kind::none};
  }
}

}  // namespace

attention_shape read_linear_mixer(const config_context& context, mixer mix) {
  auto shape = read(context, mix);
  shape.state_element_bytes = state_bytes(context.members);
  return shape;
}

}  // namespace ridge::plan
