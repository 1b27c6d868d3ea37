// SPDX-License-Identifier: Apache-2.0
#include "model_config.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/plan/model_catalogue.hpp>

#include "config_layers.hpp"
#include "config_quantization.hpp"
#include "config_text.hpp"
#include "saturating.hpp"

namespace ridge::plan {
namespace {

using nlohmann::json;

constexpr std::int64_t most_layers = 4096;
constexpr std::size_t most_kinds = 255;
constexpr std::int64_t most_parameters = std::int64_t{1} << 60;

// Where a model of several parts keeps its language model.
struct language_part {
  json config{};
  std::string pointer{};
};

void inherit(json& heir, const json& parent) {
  for (const auto* name :
       {"architectures", "model_type", "tie_word_embeddings", "quantization_config", "torch_dtype", "dtype"})
    if (parent.contains(name) && (!heir.contains(name) || heir[name].is_null())) heir[name] = parent[name];
}

language_part language_part_of(const json& whole, const std::string& pointer = "") {
  for (const auto* name : {"text_config", "llm_config", "language_config", "thinker_config"}) {
    const auto at = whole.find(name);
    if (at == whole.end() || !at->is_object() || at->empty()) continue;
    json inner = *at;
    const json* outer = &whole;
    inherit(inner, *outer);
    return language_part_of(inner, pointer + "/" + name);
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

bool ties_by_default(const std::string& type) {
  return type.starts_with("gemma") ||
         any_of(type, {"gpt2", "gpt_bigcode", "opt", "falcon", "bloom", "t5", "mt5", "bart", "whisper",
                       "cohere", "cohere2", "starcoder2", "mamba", "falcon_mamba", "recurrent_gemma", "mpt",
                       "lfm2", "codegen_tied"});
}

std::int64_t read_layer_count(const config_members& m) {
  if (const auto given = m.count(
          {"num_hidden_layers", "n_layer", "num_decoder_layers", "decoder_layers", "num_layers", "n_layers"}))
    return *given;
  for (const auto* list : {"layer_types", "layers_block_type"})
    if (m.is_list(list) && !m.words(list).empty()) return std::ssize(m.words(list));
  return m.needed({"num_hidden_layers"}, "number of layers");
}

bool without_heads(const std::string& type) { return any_of(type, {"mamba", "falcon_mamba", "mamba2"}); }

config_context context_of(const config_members& m, std::string type) {
  config_context in{.members = m, .type = std::move(type)};
  in.hidden = m.needed({"hidden_size", "n_embd", "d_model", "dim"}, "width of the model");
  in.layers = read_layer_count(m);
  in.heads =
      without_heads(in.type) ? 0
      : m.object().contains("num_attention_heads") && m.is_list("num_attention_heads")
          ? m.of_layer({"num_attention_heads"}, 0, 1).value_or(1)
          : m.needed({"num_attention_heads", "n_head", "num_heads", "n_heads", "decoder_attention_heads"},
                     "number of heads");
  in.has_experts =
      m.count_or({"num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts"}, 0) > 1 &&
      m.flag({"enable_moe_block"}, true);
  if (in.layers > most_layers)
    m.refuse("num_hidden_layers", fmt::format("{} is more than {}", in.layers, most_layers),
             "no model is so deep");
  return in;
}

// Patches of an image over all its tiles (Llama 3.2 Vision).
std::int64_t image_tokens(const config_members& whole) {
  const auto vision = whole.inside("vision_config");
  const auto side = vision.count_or({"image_size"}, 0) / vision.count_or({"patch_size"}, 14, 1);
  return side > 0 && side < 100000 ? (side * side + 1) * vision.count_or({"max_num_tiles"}, 1, 1) : 0;
}

std::int64_t cross_tokens(const config_context& context, const config_members& whole, mixer mix) {
  const auto& m = context.members;
  if (mix == mixer::cross) {
    const auto tokens = image_tokens(whole);
    if (tokens == 0)
      m.findings().doubt("cross-attention: the size of images is unknown; 6404 tokens assumed");
    return tokens > 0 ? tokens : 6404;
  }
  if (!m.flag({"is_encoder_decoder"}) || mix != mixer::full) return 0;
  m.findings().doubt("the encoder's own parameters are not counted");
  return m.count_or({"max_source_positions", "n_positions", "max_position_embeddings"}, 512, 1);
}

layer_shape read_layer(const config_context& context, const config_members& whole, const layer_kind& kind,
                       std::int64_t i) {
  layer_shape layer{.attention = read_attention(context, kind.mix, i)};
  layer.feed_forward = read_feed_forward(context, kind.after, i);
  layer.norm_parameters = read_layer_norms(context, kind);
  layer.cross_kv_tokens = cross_tokens(context, whole, kind.mix);
  if (layer.cross_kv_tokens > 0 && kind.mix == mixer::cross) layer.attention.query_key_norm = true;
  if (layer.cross_kv_tokens > 0 && kind.mix == mixer::full) layer.norm_parameters += read_final_norm(context);
  const auto shared = context.members.count_or({"num_kv_shared_layers"}, 0);
  layer.attention.reuses_cache = shared > 0 && i >= context.layers - shared;
  return layer;
}

void add_layer(model_shape& model, const layer_shape& layer, config_findings& findings) {
  auto at = std::ranges::find(model.kinds, layer);
  if (at == model.kinds.end()) {
    if (model.kinds.size() == most_kinds)
      return findings.refuse("", "more than 255 different layers", "no architecture known here has so many");
    model.kinds.push_back(layer);
    at = model.kinds.end() - 1;
  }
  model.order.push_back(static_cast<std::uint8_t>(at - model.kinds.begin()));
}

void read_layers(const config_context& context, const config_members& whole, model_shape& model) {
  if (context.members.findings().wrong) return;
  const auto kinds = read_layer_kinds(context);
  for (std::int64_t i = 0; i < std::min(context.layers, std::ssize(kinds)); ++i)
    add_layer(model, read_layer(context, whole, kinds[static_cast<std::size_t>(i)], i),
              context.members.findings());
}

// Rows of learned positions; OPT has two more, Llama 3.2 Vision eight for its own tokens.
std::int64_t learned_rows(const config_context& context) {
  const auto& m = context.members;
  if (any_of(context.type, {"gpt2", "gpt_bigcode", "gpt_neo"}))
    return m.count_or({"n_positions", "max_position_embeddings"}, 1024);
  if (context.type == "opt") return m.count_or({"max_position_embeddings"}, 2048) + 2;
  if (context.type == "whisper") return m.count_or({"max_target_positions"}, 448);
  return context.type == "mllama_text_model" ? 8 : 0;
}

void read_whole(const config_context& context, model_shape& model) {
  const auto& m = context.members;
  model.hidden = context.hidden;
  model.vocabulary = m.needed({"vocab_size", "padded_vocab_size"}, "size of the vocabulary");
  model.max_positions = m.count_or({"max_position_embeddings", "n_positions", "max_seq_len", "seq_length",
                                    "max_sequence_length", "model_max_length", "max_target_positions"},
                                   0);
  model.position_embeddings = learned_rows(context);
  model.tied_embeddings = m.flag({"tie_word_embeddings"}, ties_by_default(context.type));
  model.final_norm_parameters = read_final_norm(context);
  model.prediction_layers =
      m.count_or({"num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules"}, 0);
}

void read_weights(const config_members& m, model_shape& model) {
  auto storage = read_weight_storage(m);
  model.weight_format = std::move(storage.format);
  model.other_weight_format = std::move(storage.others);
  model.experts_only_quantized = storage.experts_only && model.has_experts();
}

// Families this reader was written for; others are read by their members.
bool known(const std::string& type) {
  static constexpr std::string_view families[] = {
      "llama",       "mistral",    "mixtral",  "qwen2",   "qwen3",   "gemma",   "gpt_oss",
      "deepseek",    "kimi",       "phi",      "gpt2",    "falcon",  "opt",     "jamba",
      "mamba",       "nemotron",   "glm",      "minimax", "mllama",  "mimo",    "t5",
      "gpt_bigcode", "starcoder2", "olmo",     "cohere",  "lfm2",    "step3",   "bloom",
      "gpt_neox",    "granite",    "ernie4_5", "exaone",  "smollm3", "seed_oss"};
  return std::ranges::any_of(families, [&](std::string_view f) { return type.starts_with(f); });
}

result<model_shape> checked(model_shape shape, config_findings& findings) {
  if (!findings.wrong && count_parameters(shape).total() >= most_parameters)
    findings.refuse("", "more than 2^60 parameters",
                    "check hidden_size, intermediate_size, experts and heads");
  if (findings.wrong) return *findings.wrong;
  shape.doubts = std::move(findings.doubts);
  return shape;
}

// TensorRT Model Optimizer states its formats in a file beside the configuration.
void add_quantization_beside(json& config, const std::filesystem::path& folder) {
  const auto file = folder / "hf_quant_config.json";
  std::error_code none;
  if (config.contains("quantization_config") || !std::filesystem::is_regular_file(file, none)) return;
  const auto text = read_config_text(file);
  const auto parsed = text ? parse_config_text(*text, file.string()) : result<json>(text.why());
  if (!parsed || !parsed->contains("quantization") || !(*parsed)["quantization"].is_object()) return;
  config["quantization_config"] = (*parsed)["quantization"];
  config["quantization_config"]["quant_method"] = "modelopt";
}

}  // namespace

result<model_shape> model_of_config(const json& config, std::string_view name, const std::string& file) {
  config_findings findings{.file = file};
  auto part = language_part_of(config);
  auto probe = config_members(part.config, part.pointer, findings);
  auto type = probe.text({"model_type"});
  const auto defaults = defaults_of(type);
  for (const auto& [key, value] : defaults.items())
    if (!part.config.contains(key) || part.config[key].is_null()) part.config[key] = value;
  const config_members members(part.config, part.pointer, findings), whole(config, "", findings);
  if (!known(type))
    findings.doubt(
        fmt::format("architecture \"{}\" is unknown; read as a decoder by its members", type.substr(0, 60)));
  if (!part.pointer.empty())
    findings.doubt("only the language model is counted, not what encodes images or sound");
  const auto in = context_of(members, type);
  model_shape shape{.name = std::string(name)};
  const auto architectures = members.words("architectures");
  shape.architecture = architectures.empty() ? type : architectures.front();
  read_whole(in, shape);
  read_layers(in, whole, shape);
  if (!findings.wrong) read_weights(members, shape);
  return checked(std::move(shape), findings);
}

result<model_shape> parse_model_config(std::string_view text, std::string_view name) {
  const auto parsed = parse_config_text(text, name);
  if (!parsed) return parsed.why();
  return model_of_config(*parsed, name, std::string(name));
}

result<model_shape> read_model_config(const std::filesystem::path& file) {
  const auto text = read_config_text(file);
  if (!text) return text.why();
  auto parsed = parse_config_text(*text, file.string());
  if (!parsed) return parsed.why();
  add_quantization_beside(*parsed, file.parent_path());
  const auto folder = std::filesystem::absolute(file).parent_path().filename().string();
  const bool plain = file.filename() == "config.json";
  return model_of_config(*parsed, plain && !folder.empty() ? folder : file.stem().string(), file.string());
}

}  // namespace ridge::plan
