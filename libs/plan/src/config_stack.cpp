// SPDX-License-Identifier: Apache-2.0
#include "config_stack.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "saturating.hpp"

namespace ridge::plan {
namespace {

bool is_t5(const std::string& type) { return any_of(type, {"t5", "mt5", "umt5"}); }

std::string architecture_of(const config_members& m) {
  const auto names = m.words("architectures");
  return names.empty() ? "" : names.front();
}

// T5 adds to its scores a bias for each of so many distances and each head: once for all layers, in umT5 in
// each layer.
saturating distance_biases(const config_context& context, std::int64_t heads, std::int64_t layers) {
  if (!is_t5(context.type)) return 0;
  const auto distances = context.members.count_or({"relative_attention_num_buckets"}, 32);
  return saturating(distances) * heads * (context.type == "umt5" ? layers : 1);
}

// Whisper: two convolutions over three frames, the first from a spectrogram.
saturating convolutions(const config_context& context) {
  if (context.type != "whisper") return 0;
  const saturating hidden = context.hidden, bands = context.members.count_or({"num_mel_bins"}, 80);
  return hidden * bands * 3 + hidden * hidden * 3 + hidden + hidden;
}

std::int64_t encoder_position_rows(const config_context& context) {
  const auto& m = context.members;
  if (context.type == "whisper") return m.count_or({"max_source_positions"}, 1500);
  return any_of(context.type, {"bart", "mbart"}) ? m.count_or({"max_position_embeddings"}, 1024) + 2 : 0;
}

saturating masked_language_head(const config_context& context) {
  const saturating hidden = context.hidden, vocabulary = context.members.count_or({"vocab_size"}, 0);
  if (context.type == "modernbert") return hidden * hidden + hidden + vocabulary;
  return hidden * hidden + saturating(3) * hidden + vocabulary;
}

// BERT's pooler, or the head that predicts masked tokens. Classifiers of a few classes are left out.
saturating task_head(const config_context& context) {
  const auto architecture = architecture_of(context.members);
  if (architecture.ends_with("ForMaskedLM")) return masked_language_head(context);
  const saturating hidden = context.hidden, pooler = hidden * hidden + hidden;
  if (architecture == "BertForPreTraining")
    return pooler + masked_language_head(context) + saturating(2) * hidden + 2;
  const bool pooled = is_bert(context.type) && !any_of(context.type, {"distilbert", "electra"});
  const bool plain = architecture.empty() || architecture.ends_with("Model");
  if (!plain)
    context.members.findings().doubt(
        fmt::format("the head of {} for its task is counted as a pooler", architecture.substr(0, 60)));
  return pooled ? pooler : saturating(0);
}

}  // namespace

model_stack read_stack(const config_members& m, const std::string& type) {
  const auto architecture = architecture_of(m);
  const bool both =
      is_t5(type) || is_bart(type) ||
      any_of(type, {"whisper", "longt5", "switch_transformers", "led", "prophetnet", "bigbird_pegasus"});
  if (architecture.ends_with("EncoderModel")) return model_stack::encoder;
  if (m.flag({"is_encoder_decoder"}, both)) return model_stack::encoder_decoder;
  if (m.flag({"is_decoder"})) return model_stack::decoder;
  const bool reads = is_bert(type) || any_of(type, {"modernbert", "deberta", "deberta-v2", "albert", "mpnet",
                                                    "nomic_bert", "xlnet", "t5_encoder"});
  return reads || architecture.ends_with("ForMaskedLM") ? model_stack::encoder : model_stack::decoder;
}

encoder_shape read_encoder(const config_context& context) {
  if (context.stack != model_stack::encoder_decoder) return {};
  const auto& m = context.members;
  encoder_shape e{.layers =
                      m.count_or({"encoder_layers", "num_encoder_layers", "num_layers"}, context.layers)};
  e.layer.attention = read_attention(context, mixer::full, 0);
  auto& a = e.layer.attention;
  a.heads = a.kv_heads = m.count_or({"encoder_attention_heads"}, a.heads, 1);
  if (m.has("encoder_attention_heads"))
    a.head_dim = a.value_head_dim = std::max<std::int64_t>(context.hidden / a.heads, 1);
  e.layer.feed_forward = read_feed_forward(context, block::dense, 0);
  e.layer.feed_forward.intermediate = m.count_or({"encoder_ffn_dim"}, e.layer.feed_forward.intermediate);
  e.layer.norm_parameters = read_layer_norms(context, {});
  e.other_parameters = (saturating(encoder_position_rows(context)) * context.hidden + convolutions(context) +
                        distance_biases(context, a.heads, e.layers) + read_outer_norms(context))
                           .value();
  return e;
}

std::int64_t read_layer_embeddings(const config_context& context) {
  const auto& m = context.members;
  const saturating width = m.count_or({"hidden_size_per_layer_input"}, 0), h = context.hidden;
  if (width.value() == 0) return 0;
  const saturating rows = m.count_or({"vocab_size_per_layer_input", "vocab_size"}, 0),
                   all = width * context.layers;
  const saturating of_layer = saturating(2) * h * width + h + 1;
  return (rows * all + h * all + width + of_layer * context.layers).value();
}

std::int64_t read_other_parameters(const config_context& context) {
  const auto biases =
      distance_biases(context, context.heads, context.layers) + read_layer_embeddings(context);
  if (context.stack != model_stack::encoder || is_t5(context.type)) return biases.value();
  return task_head(context).value();
}

std::int64_t read_position_rows(const config_context& context) {
  const auto& m = context.members;
  const auto& type = context.type;
  if (any_of(type, {"gpt2", "gpt_bigcode", "gpt_neo"}))
    return m.count_or({"n_positions", "max_position_embeddings"}, 1024);
  if (type == "opt") return m.count_or({"max_position_embeddings"}, 2048) + 2;
  if (type == "whisper") return m.count_or({"max_target_positions"}, 448);
  if (any_of(type, {"bart", "mbart"})) return encoder_position_rows(context);
  if (is_bert(type))
    return m.count_or({"max_position_embeddings"}, 512) +
           (type == "distilbert" ? 0 : m.count_or({"type_vocab_size"}, 2));
  return type == "mllama_text_model" ? 8 : 0;
}

std::int64_t read_outer_norms(const config_context& context) {
  const saturating norm = read_norm_width(context);
  // These have a norm of the embedding, too.
  return any_of(context.type, {"mbart", "bloom"}) ? (norm + norm).value() : read_final_norm(context);
}

}  // namespace ridge::plan
