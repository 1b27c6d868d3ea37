// SPDX-License-Identifier: Apache-2.0
#include "model_config.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ridge/plan/model_catalogue.hpp>

#include "config_layers.hpp"
#include "config_parts.hpp"
#include "config_quantization.hpp"
#include "config_stack.hpp"
#include "config_text.hpp"
#include "config_unread.hpp"
#include "config_vision.hpp"
#include "config_weights.hpp"
#include "gguf_model.hpp"
#include "saturating.hpp"

namespace ridge::plan {
namespace {

using nlohmann::json;

constexpr std::int64_t most_layers = 4096;
constexpr std::size_t most_kinds = 255;
constexpr std::int64_t most_parameters = std::int64_t{1} << 60;

std::int64_t read_layer_count(const config_members& m) {
  if (const auto given = m.count(
          {"decoder_layers", "num_decoder_layers", "num_hidden_layers", "n_layer", "num_layers", "n_layers"}))
    return *given;
  for (const auto* list : {"layer_types", "layers_block_type"})
    if (m.is_list(list) && !m.words(list).empty()) return std::ssize(m.words(list));
  return m.needed({"num_hidden_layers"}, "number of layers");
}

bool without_heads(const std::string& type) { return any_of(type, {"mamba", "falcon_mamba", "mamba2"}); }

config_context context_of(const config_members& m, std::string type) {
  config_context in{.members = m, .type = std::move(type)};
  in.stack = read_stack(m, in.type);
  in.hidden = m.needed({"hidden_size", "n_embd", "n_embed", "d_model", "dim"}, "width of the model");
  in.layers = read_layer_count(m);
  in.heads =
      without_heads(in.type) ? 0
      : m.object().contains("num_attention_heads") && m.is_list("num_attention_heads")
          ? m.of_layer({"num_attention_heads"}, 0, 1).value_or(1)
          : m.needed({"decoder_attention_heads", "num_attention_heads", "n_head", "num_heads", "n_heads"},
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
  if (context.stack != model_stack::encoder_decoder || mix != mixer::full) return 0;
  return m.count_or({"max_source_positions", "n_positions", "max_position_embeddings"}, 512, 1);
}

layer_shape read_layer(const config_context& context, const config_members& whole, const layer_kind& kind,
                       std::int64_t i) {
  layer_shape layer{.attention = read_attention(context, kind.mix, i)};
  layer.feed_forward = read_feed_forward(context, kind.after, i);
  layer.norm_parameters = read_layer_norms(context, kind);
  layer.cross_kv_tokens = cross_tokens(context, whole, kind.mix);
  if (layer.cross_kv_tokens > 0 && kind.mix == mixer::cross) layer.attention.query_key_norm = true;
  if (layer.cross_kv_tokens > 0 && kind.mix == mixer::full) layer.norm_parameters += read_norm_width(context);
  const auto shared = context.members.count_or({"num_kv_shared_layers"}, 0);
  layer.attention.reuses_cache = shared > 0 && i >= context.layers - shared;
  if (layer.attention.reuses_cache && context.members.flag({"use_double_wide_mlp"}))
    layer.feed_forward.intermediate *= 2;
  return layer;
}

void read_layers(const config_context& context, const config_members& whole, model_shape& model) {
  if (context.members.findings().wrong) return;
  const auto kinds = read_layer_kinds(context);
  for (std::int64_t i = 0; i < std::min(context.layers, std::ssize(kinds)); ++i)
    add_layer(model, read_layer(context, whole, kinds[static_cast<std::size_t>(i)], i),
              context.members.findings());
  model.encoder = read_encoder(context);
}

void read_whole(const config_context& context, model_shape& model) {
  const auto& m = context.members;
  model.hidden = context.hidden;
  model.vocabulary = m.needed({"vocab_size", "padded_vocab_size"}, "size of the vocabulary");
  model.max_positions = m.count_or({"max_position_embeddings", "n_positions", "max_seq_len", "seq_length",
                                    "max_sequence_length", "model_max_length", "max_target_positions"},
                                   0);
  model.position_embeddings = read_position_rows(context);
  model.tied_embeddings = m.flag({"tie_word_embeddings"}, ties_by_default(context.type));
  model.stack = context.stack;
  model.final_norm_parameters = read_outer_norms(context);
  model.other_parameters = read_other_parameters(context);
  model.prediction_layers =
      m.count_or({"num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules"}, 0);
}

// Families this reader was written for; others are read by their members.
bool known(const std::string& type) {
  static constexpr std::string_view families[] = {
      "llama",       "mistral",    "mixtral",  "qwen2",   "qwen3",       "gemma",     "gpt_oss",
      "deepseek",    "kimi",       "phi",      "gpt2",    "falcon",      "opt",       "jamba",
      "mamba",       "nemotron",   "glm",      "minimax", "mllama",      "mimo",      "t5",
      "gpt_bigcode", "starcoder2", "olmo",     "cohere",  "lfm2",        "step3",     "bloom",
      "gpt_neox",    "granite",    "ernie4_5", "exaone",  "smollm3",     "seed_oss",  "dbrx",
      "mpt",         "whisper",    "bert",     "roberta", "xlm-roberta", "camembert", "distilbert",
      "modernbert",  "arctic",     "mt5",      "umt5",    "bart",        "mbart",     "m2m_100"};
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

result<model_shape> model_of_config(const json& config, std::string_view name, const std::string& file) {
  config_findings findings{.file = file};
  const auto part = language_part_of(config, findings);
  const auto type = config_members(part.config, part.pointer, findings).text({"model_type"});
  const config_members members(part.config, part.pointer, findings), whole(config, "", findings);
  if (!known(type))
    findings.doubt(
        fmt::format("architecture \"{}\" is unknown; read as a decoder by its members", type.substr(0, 60)));
  const auto in = context_of(members, type);
  model_shape shape{.name = std::string(name)};
  const auto doubts = findings.doubts.size();
  shape.vision = read_vision(whole, in.hidden);
  if (!part.pointer.empty() && findings.doubts.size() == doubts)
    findings.doubt("only the language model is counted, not what encodes images or sound");
  const auto architectures = members.words("architectures");
  shape.architecture = architectures.empty() ? type : architectures.front();
  read_whole(in, shape);
  read_layers(in, whole, shape);
  apply_scheme(read_weight_scheme(members), in, shape);
  doubt_unread(members);
  return checked(std::move(shape), findings);
}

result<model_shape> parse_model_config(std::string_view text, std::string_view name) {
  const auto parsed = parse_config_text(text, name);
  if (!parsed) return parsed.why();
  return model_of_config(*parsed, name, std::string(name));
}

result<model_shape> read_model_config(const std::filesystem::path& file) {
  if (is_gguf(file)) return read_gguf_model(file);
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
