// SPDX-License-Identifier: Apache-2.0
#include "config_parts.hpp"

#include "config_layers.hpp"

namespace ridge::plan {
namespace {

using nlohmann::json;

void inherit(json& heir, const json& parent) {
  for (const auto* name :
       {"architectures", "model_type", "tie_word_embeddings", "quantization_config", "torch_dtype", "dtype"})
    if (parent.contains(name) && (!heir.contains(name) || heir[name].is_null())) heir[name] = parent[name];
}

language_part inner_part(const json& whole, const std::string& pointer) {
  for (const auto* name : {"text_config", "llm_config", "language_config", "thinker_config"}) {
    const auto at = whole.find(name);
    if (at == whole.end() || !at->is_object() || at->empty()) continue;
    json inner = *at;
    const json* outer = &whole;
    inherit(inner, *outer);
    return inner_part(inner, pointer + "/" + name);
  }
  return {whole, pointer};
}

// Defaults of transformers for members that a configuration leaves out, where they differ from those of this
// reader.
json defaults_of(const std::string& type) {
  if (any_of(type, {"gemma3_text", "gemma3"}))
    return {{"vocab_size", 262208}, {"num_attention_heads", 8},          {"num_key_value_heads", 4},
            {"head_dim", 256},      {"max_position_embeddings", 131072}, {"sliding_window", 4096}};
  if (any_of(type, {"gemma", "gemma2"})) return {{"head_dim", 256}};
  if (any_of(type, {"mllama_text_model"}))
    return {{"vocab_size", 128256}, {"max_position_embeddings", 131072}};
  return json::object();
}

bool absent(const json& config, const std::string& name) {
  return !config.contains(name) || config[name].is_null();
}

// DBRX and MPT describe attention and blocks in objects of their own.
void lift(language_part& part, config_findings& findings) {
  for (const std::string nested : {"attn_config", "ffn_config"}) {
    const auto at = part.config.find(nested);
    if (at == part.config.end() || !at->is_object()) continue;
    const json members = *at;
    for (const auto& [name, value] : members.items()) {
      if (!absent(part.config, name)) continue;
      part.config[name] = value;
      findings.lifted[part.pointer + "/" + name] = part.pointer + "/" + nested + "/" + name;
    }
  }
}

}  // namespace

language_part language_part_of(const json& whole, config_findings& findings) {
  auto part = inner_part(whole, "");
  lift(part, findings);
  const auto type = config_members(part.config, part.pointer, findings).text({"model_type"});
  const auto defaults = defaults_of(type);
  for (const auto& [name, value] : defaults.items())
    if (absent(part.config, name)) part.config[name] = value;
  return part;
}

bool ties_by_default(const std::string& type) {
  return type.starts_with("gemma") ||
         any_of(
             type,
             {"gpt2",         "gpt_bigcode", "opt",          "falcon",          "bloom",      "t5",
              "mt5",          "bart",        "mbart",        "whisper",         "cohere",     "cohere2",
              "starcoder2",   "mamba",       "falcon_mamba", "recurrent_gemma", "mpt",        "lfm2",
              "codegen_tied", "bert",        "roberta",      "xlm-roberta",     "distilbert", "modernbert"});
}

}  // namespace ridge::plan
