// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <ridge/plan/model_catalogue.hpp>

namespace ridge::plan {

// Llama 3.1 8B without the length of its context.
inline nlohmann::json llama_8b_config() {
  return {{"architectures", {"LlamaForCausalLM"}},
          {"model_type", "llama"},
          {"hidden_size", 4096},
          {"intermediate_size", 14336},
          {"num_hidden_layers", 32},
          {"num_attention_heads", 32},
          {"num_key_value_heads", 8},
          {"vocab_size", 128256},
          {"tie_word_embeddings", false},
          {"torch_dtype", "bfloat16"}};
}

// The configuration with some members changed.
inline nlohmann::json changed(nlohmann::json config, const nlohmann::json& changes) {
  config.update(changes);
  return config;
}

// The model of a configuration that must be readable.
inline model_shape read(const nlohmann::json& config) {
  const auto m = parse_model_config(config.dump(), "config.json");
  EXPECT_TRUE(m.ok()) << m.why().text();
  return *m;
}

inline std::int64_t parameters(const nlohmann::json& config) {
  return count_parameters(read(config)).total();
}

}  // namespace ridge::plan
