// SPDX-License-Identifier: Apache-2.0
#include "config_vision.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "config_layers.hpp"

namespace ridge::plan {
namespace {

constexpr std::int64_t channels = 3, frames = 2;  // Qwen's towers see an image as two equal frames

// Parameters of a block: attention and feed-forward with biases, and two norms of `norm` a width each.
std::int64_t block_parameters(const vision_shape& v, bool attention_bias, std::int64_t norm) {
  const auto h = v.hidden, i = v.intermediate;
  const auto attention = 4 * h * h + (attention_bias ? 4 * h : 0);
  const auto feed_forward = (v.gated ? 3 : 2) * h * i + (v.gated ? 2 : 1) * i + h;
  return attention + feed_forward + 2 * norm * h;
}

std::int64_t projection_parameters(const vision_shape& v) {
  std::int64_t all = 0;
  for (const auto& p : v.projections) all += p.inputs * p.outputs + p.outputs;
  return all;
}

// Sizes under the names that towers use; 0 where one is missing.
void read_sizes(const config_members& m, vision_shape& v) {
  v.layers = m.count_or({"depth", "num_hidden_layers"}, 0);
  v.hidden = m.count_or({"embed_dim", "hidden_size"}, 0);
  v.heads = m.count_or({"num_heads", "num_attention_heads", "attention_heads"}, 0);
  v.intermediate = m.count_or({"intermediate_size"}, 0);
  v.patch = m.count_or({"patch_size", "spatial_patch_size"}, 0);
  v.side = m.count_or({"image_size"}, 0);
}

bool complete(const vision_shape& v) {
  constexpr std::int64_t most = 1 << 20;
  const auto sizes = {v.layers, v.hidden, v.heads, v.intermediate, v.patch};
  return std::ranges::all_of(sizes, [](std::int64_t n) { return n > 0 && n < most; }) && v.heads <= v.hidden;
}

// Qwen2-VL (arXiv 2409.12191), Qwen2.5-VL (2502.13923), Qwen3-VL: transformers' modeling files; pixels are
// those of their preprocessor_config.json.
vision_shape read_qwen(const config_members& m, const std::string& type, std::int64_t width) {
  vision_shape v{.sizing = image_sizing::any, .boundary_tokens = 2};
  read_sizes(m, v);
  const bool second = type.starts_with("qwen2_vl"), third = type.starts_with("qwen3");
  if (second) {  // hidden_size is that of the language model; transformers' defaults
    v.hidden = m.count_or({"embed_dim"}, 1280);
    v.layers = v.layers > 0 ? v.layers : 32;
    v.heads = v.heads > 0 ? v.heads : 16;
    v.intermediate = m.count_or({"mlp_ratio"}, 4) * v.hidden;
  }
  v.gated = !second && !third;
  v.merge = m.count_or({"spatial_merge_size"}, 2, 1);
  v.least_pixels = third ? 65536 : 3136;
  v.most_pixels = third ? 16777216 : 12845056;
  if (!complete(v)) return {};
  v.patch_inputs = channels * frames * v.patch * v.patch;
  const auto full = m.numbers("fullatt_block_indexes");
  if (const auto window = m.count_or({"window_size"}, 0); window >= v.patch && !full.empty()) {
    v.window_layers = v.layers - std::min<std::int64_t>(std::ssize(full), v.layers);
    v.window_patches = (window / v.patch) * (window / v.patch);
  }
  const auto merged = v.hidden * v.merge * v.merge, outputs = m.count_or({"out_hidden_size"}, width);
  const auto deep = std::ssize(m.numbers("deepstack_visual_indexes"));
  const std::int64_t norm = v.gated ? 1 : 2;  // RMSNorm, LayerNorm
  for (std::int64_t i = 0; i <= deep; ++i) {
    v.projections.push_back({merged, merged});
    v.projections.push_back({merged, second ? width : outputs});
  }
  const auto norms = norm * (v.hidden + deep * merged);
  const auto positions = m.count_or({"num_position_embeddings"}, 0) * v.hidden;
  v.parameters = v.layers * block_parameters(v, true, norm) + v.patch_inputs * v.hidden +
                 (third ? v.hidden : 0) + norms + positions + projection_parameters(v);
  return v;
}

// A tower for squares of one size: SigLIP (Gemma 3) and CLIP (LLaVA).
vision_shape read_square(const config_members& m, const config_members& whole, std::int64_t width) {
  vision_shape v{.sizing = image_sizing::fixed};
  read_sizes(m, v);
  if (!complete(v) || v.side < v.patch) return {};
  const auto type = m.text({"model_type"});
  const bool clip = type.starts_with("clip");
  const auto patches = (v.side / v.patch) * (v.side / v.patch);
  v.patch_inputs = channels * v.patch * v.patch;
  v.class_rows = clip ? 1 : 0;
  v.tokens = whole.count_or({"mm_tokens_per_image", "image_seq_length"}, patches);
  if (clip) {
    v.projections = {{v.hidden, width}, {width, width}};
  } else {
    v.projections = {{v.hidden, width}};
    v.boundary_tokens = 2;  // begin and end of the image
  }
  const auto around = clip ? v.hidden + 4 * v.hidden : v.hidden + 2 * v.hidden;  // class row or bias, norms
  const auto projected = clip ? projection_parameters(v) : v.hidden * width + v.hidden;
  v.parameters = v.layers * block_parameters(v, true, 2) + v.patch_inputs * v.hidden +
                 (patches + v.class_rows) * v.hidden + around + projected;
  return v;
}

// Llama 3.2 Vision (transformers, modeling_mllama.py): layers over each image's tiles, then gated ones.
vision_shape read_mllama(const config_members& m, std::int64_t width) {
  vision_shape v{
      .class_rows = 1, .sizing = image_sizing::canvas_of_tiles, .tokens = 1, .cross_attention = true};
  read_sizes(m, v);
  const auto gated_layers = m.count_or({"num_global_layers"}, 8);
  v.layers += v.layers > 0 ? gated_layers : 0;
  v.most_tiles = m.count_or({"max_num_tiles"}, 4, 1);
  if (!complete(v) || v.side < v.patch || v.most_tiles > 64) return {};
  v.patch_inputs = channels * v.patch * v.patch;
  const auto outputs = m.count_or({"vision_output_dim"}, 0);
  v.projections = {{outputs > 0 ? outputs : 6 * v.hidden, width}};
  const auto rows = (v.side / v.patch) * (v.side / v.patch) + 1;
  std::int64_t ratios = 0;  // grids of at most so many tiles
  for (std::int64_t beside = 1; beside <= v.most_tiles; ++beside) ratios += v.most_tiles / beside;
  const auto tiles = (ratios + 1) * v.most_tiles * v.hidden;  // embeddings of tiles, by aspect ratio
  v.parameters = v.layers * block_parameters(v, false, 2) + 2 * gated_layers + v.patch_inputs * v.hidden +
                 v.hidden + rows * v.hidden + 1 + rows * tiles + 2 * (tiles + 1) + 4 * v.hidden +
                 projection_parameters(v);
  return v;
}

// InternVL 1.5 and later (arXiv 2404.16821): tiles whose tokens are shuffled together.
vision_shape read_internvl(const config_members& m, const config_members& whole, std::int64_t width) {
  vision_shape v{.class_rows = 1, .sizing = image_sizing::ratio_of_tiles, .boundary_tokens = 2};
  read_sizes(m, v);
  v.side = whole.count_or({"force_image_size"}, v.side);
  v.most_tiles = whole.flag({"dynamic_image_size"}) ? whole.count_or({"max_dynamic_patch"}, 6, 1) : 1;
  v.least_tiles = std::min(whole.count_or({"min_dynamic_patch"}, 1, 1), v.most_tiles);
  v.thumbnail = whole.flag({"use_thumbnail"});
  const double ratio = whole.has("downsample_ratio") ? whole.real("downsample_ratio") : 0.5;
  if (!complete(v) || v.side < v.patch || v.most_tiles > 64 || !(ratio > 0 && ratio <= 1)) return {};
  v.merge = static_cast<std::int64_t>(1 / ratio);
  v.patch_inputs = channels * v.patch * v.patch;
  const auto patches = (v.side / v.patch) * (v.side / v.patch);
  v.tokens = patches / (v.merge * v.merge);
  const auto merged = v.hidden * v.merge * v.merge;
  v.projections = {{merged, width}, {width, width}};
  const bool query_key_norm = m.flag({"qk_normalization"});
  const auto block =
      block_parameters(v, m.flag({"qkv_bias"}, true), m.text({"norm_type"}) == "rms_norm" ? 1 : 2) +
      2 * v.hidden + (query_key_norm ? 2 * v.hidden : 0);
  v.parameters = v.layers * block + v.patch_inputs * v.hidden + v.hidden + (patches + 2) * v.hidden +
                 2 * merged + projection_parameters(v);
  return v;
}

vision_shape tower_of(const config_members& whole, std::int64_t width) {
  const auto type = whole.text({"model_type"});
  const auto m = whole.inside("vision_config");
  vision_shape v;
  if (any_of(type, {"qwen2_vl", "qwen2_5_vl", "qwen3_vl", "qwen3_vl_moe"})) v = read_qwen(m, type, width);
  if (any_of(type, {"gemma3", "llava"})) v = read_square(m, whole, width);
  if (type == "mllama") v = read_mllama(m, width);
  if (type == "internvl_chat") v = read_internvl(m, whole, width);
  if (v.layers > 0) v.family = type;
  return v;
}

// Members in which other families describe what encodes images or sound.
std::string_view another_part(const config_members& whole) {
  for (const std::string_view name : {"visual", "img_processor", "mm_vision_tower", "vision_tower", "vision",
                                      "visual_config", "vit_config", "vision_model", "image_config"})
    if (whole.has(name)) return name;
  return {};
}

}  // namespace

vision_shape read_vision(const config_members& whole, std::int64_t width) {
  constexpr double million = 1e6;
  const bool described = whole.has("vision_config");
  auto v = described ? tower_of(whole, width) : vision_shape{};
  auto& findings = whole.findings();
  if (v.known())
    findings.doubt(
        fmt::format("only the language model is counted in its parameters; the vision tower has {:.1f} M "
                    "more, which memory and time of serving count",
                    static_cast<double>(v.parameters) / million));
  else if (described)
    findings.doubt(fmt::format(
        "only the language model is counted: the vision_config of a \"{}\" is not understood, and "
        "left out of memory and time",
        whole.text({"model_type"}).substr(0, 60)));
  else if (const auto name = another_part(whole); !name.empty())
    findings.doubt(
        fmt::format("only the language model is counted: \"{}\" is not understood, and left out of memory "
                    "and time",
                    name));
  if (whole.has("audio_config")) findings.doubt("only the language model is counted, not what encodes sound");
  return v;
}

}  // namespace ridge::plan
