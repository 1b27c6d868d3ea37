// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/plan/model_shape.hpp>

#include "config_members.hpp"

namespace ridge::plan {

// The mixer of a layer: attention or another operator over tokens.
enum class mixer : std::uint8_t {
  full,
  sliding,
  chunked,
  gated_delta,  // Qwen3-Next, Qwen3.5
  kimi_delta,   // Kimi-Linear
  mamba,
  mamba2,
  lightning,   // MiniMax-01
  short_conv,  // LFM2
  cross,       // attention to images alone (Llama 3.2 Vision)
  none,
};

// The block after the mixer.
enum class block : std::uint8_t { dense, experts, none };

struct layer_kind {
  mixer mix{mixer::full};
  block after{block::dense};
};

// The configuration and the sizes that all parts of the reader need.
struct config_context {
  config_members members;
  std::string type{};  // model_type
  std::int64_t hidden = 0, layers = 0, heads = 0;
  bool has_experts = false;
  model_stack stack{model_stack::decoder};
};

// Whether the model is BERT or built like it: norms after each part, a bias in every product.
[[nodiscard]] bool is_bert(const std::string& type);
// Whether it is an encoder-decoder built like BART, with a bias in every product.
[[nodiscard]] bool is_bart(const std::string& type);

[[nodiscard]] std::vector<layer_kind> read_layer_kinds(const config_context& context);
[[nodiscard]] attention_shape read_attention(const config_context& context, mixer mix, std::int64_t layer);
[[nodiscard]] attention_shape read_linear_mixer(const config_context& context, mixer mix);
[[nodiscard]] feed_forward_shape read_feed_forward(const config_context& context, block kind,
                                                   std::int64_t layer);
// Parameters of the norms around mixer and block.
[[nodiscard]] std::int64_t read_layer_norms(const config_context& context, const layer_kind& kind);
[[nodiscard]] std::int64_t read_final_norm(const config_context& context);
// Parameters of one norm.
[[nodiscard]] std::int64_t read_norm_width(const config_context& context);

// Appends a layer to the model, and its kind where it is new; more than 255 kinds are an error.
void add_layer(model_shape& model, const layer_shape& layer, config_findings& findings);

// Whether `type` is one of the names.
[[nodiscard]] bool any_of(const std::string& type, std::initializer_list<std::string_view> names);

}  // namespace ridge::plan
