// SPDX-License-Identifier: Apache-2.0
// Towers that encode images, held against the published numbers of parameters and of tokens.
#include <ridge/plan/vision.hpp>

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/inference_memory.hpp>
#include <ridge/plan/model_catalogue.hpp>

namespace ridge::plan {
namespace {

using testing::Contains;
using testing::HasSubstr;

model_shape of_config(const std::string& text) {
  const auto m = parse_model_config(text, "config.json");
  EXPECT_TRUE(m.ok()) << m.why().text();
  return *m;
}

// Llama 3.1 8B with another vocabulary and further members.
std::string llama_config(const std::string& vocabulary = "128256", const std::string& further = "") {
  return R"({"model_type": "llama", "torch_dtype": "bfloat16", "hidden_size": 4096, "intermediate_size": 14336,
             "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": )" +
         vocabulary + further + "}";
}

model_shape qwen3_vl_8b() {
  return of_config(R"({"model_type": "qwen3_vl", "torch_dtype": "bfloat16", "tie_word_embeddings": false,
    "text_config": {"model_type": "qwen3_vl_text", "head_dim": 128, "hidden_size": 4096, "intermediate_size": 12288,
      "num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 151936},
    "vision_config": {"deepstack_visual_indexes": [8, 16, 24], "depth": 27, "hidden_size": 1152,
      "intermediate_size": 4304, "num_heads": 16, "num_position_embeddings": 2304, "out_hidden_size": 4096,
      "patch_size": 16, "spatial_merge_size": 2}})");
}

model_shape llava_7b() {
  return of_config(R"({"model_type": "llava", "torch_dtype": "float16",
    "text_config": {"model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32,
      "num_attention_heads": 32, "num_key_value_heads": 32, "vocab_size": 32064},
    "vision_config": {"model_type": "clip_vision_model", "hidden_size": 1024, "image_size": 336,
      "intermediate_size": 4096, "num_attention_heads": 16, "num_hidden_layers": 24, "patch_size": 14}})");
}

model_shape internvl_8b() {
  return of_config(R"({"model_type": "internvl_chat", "torch_dtype": "bfloat16", "downsample_ratio": 0.5,
    "dynamic_image_size": true, "force_image_size": 448, "max_dynamic_patch": 12, "use_thumbnail": true,
    "vision_config": {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16,
      "intermediate_size": 4096, "image_size": 448, "patch_size": 14, "qkv_bias": true}, "llm_config": )" +
                   llama_config("92553") + "}");
}

image_patches image_of(const model_shape& m, std::int64_t width, std::int64_t height) {
  const auto made = patches_of(m.vision, width, height);
  EXPECT_TRUE(made.ok()) << made.why().text();
  return made ? *made : image_patches{};
}

// Of the files' metadata on Hugging Face. Llama 3.2 has 16 gates of cross-attention that are not counted.
TEST(vision, models_have_as_many_parameters_as_published) {
  const auto all = [](const model_shape& m) { return count_parameters(m).total() + m.vision.parameters; };
  EXPECT_EQ(all(*model_named("Qwen/Qwen2-VL-7B-Instruct")), 8291375616);
  EXPECT_EQ(all(*model_named("Qwen/Qwen2.5-VL-7B-Instruct")), 8292166656);
  EXPECT_EQ(all(qwen3_vl_8b()), 8767123696);
  EXPECT_EQ(all(*model_named("google/gemma-3-4b-it")), 4300079472);
  EXPECT_EQ(all(llava_7b()), 7063427072);
  EXPECT_EQ(all(internvl_8b()), 8075365376);
  EXPECT_EQ(all(*model_named("meta-llama/Llama-3.2-11B-Vision")), 10670220835 - 16);
}

// A token for 28x28 pixels, and two around: 66 of 224x224 (Qwen2-VL, arXiv 2409.12191, section 2.1).
TEST(vision, tokens_of_qwen_follow_the_pixels) {
  const auto m = *model_named("Qwen/Qwen2-VL-7B-Instruct");
  EXPECT_EQ(image_of(m, 224, 224).prompt_tokens, 66);
  EXPECT_EQ(image_of(m, 560, 280).tokens, 20 * 10);
  EXPECT_EQ(image_of(m, 1024, 1024).tokens, 37 * 37);
  EXPECT_EQ(image_of(m, 10, 10).tokens, 4);                        // at least 56x56
  EXPECT_EQ(image_of(m, 8000, 8000).tokens, 128 * 128);            // at most 12,845,056 pixels
  EXPECT_EQ(image_of(qwen3_vl_8b(), 1024, 1024).tokens, 32 * 32);  // 32x32 pixels
  const auto windows = image_of(*model_named("Qwen/Qwen2.5-VL-7B-Instruct"), 1120, 1120);
  EXPECT_EQ(windows.rows, 80 * 80);
  EXPECT_EQ(windows.window_pairs, 6400.0 * 64);  // of 112x112 pixels
  EXPECT_EQ(windows.pairs, 6400.0 * 6400);
}

// Gemma 3's model card: 256 tokens of an image of 896x896. LLaVA 1.5: 576 of 336x336.
TEST(vision, one_size_has_one_number_of_tokens) {
  const auto gemma = *model_named("google/gemma-3-27b-it");
  for (const std::int64_t side : {100, 896, 4000}) EXPECT_EQ(image_of(gemma, side, 896).tokens, 256);
  EXPECT_EQ(image_of(gemma, 896, 896).rows, 4096);
  EXPECT_EQ(image_of(llava_7b(), 640, 480).tokens, 576);
}

// Llama 3.2 Vision: 1601 rows for each of up to four tiles of 560x560, which stand outside the prompt.
TEST(vision, tiles_of_llama_are_attended_to) {
  const auto m = *model_named("meta-llama/Llama-3.2-11B-Vision");
  const auto tiles = [&](std::int64_t width, std::int64_t height) {
    const auto image = image_of(m, width, height);
    EXPECT_EQ(image.cross_rows, 1601 * image.tiles);
    EXPECT_EQ(image.prompt_tokens, 1);
    return image.tiles;
  };
  EXPECT_EQ(tiles(560, 560), 1);
  EXPECT_EQ(tiles(300, 200), 1);
  EXPECT_EQ(tiles(1120, 560), 2);
  EXPECT_EQ(tiles(500, 1500), 3);
  EXPECT_EQ(tiles(1024, 1024), 4);
  EXPECT_EQ(tiles(4000, 4000), 4);
}

// InternVL: 256 tokens of a tile of 448x448, and of a thumbnail beside several.
TEST(vision, tiles_of_internvl_follow_the_ratio) {
  const auto m = internvl_8b();
  EXPECT_EQ(image_of(m, 448, 448).tokens, 256);
  EXPECT_EQ(image_of(m, 1344, 896).tiles, 6 + 1);
  EXPECT_EQ(image_of(m, 1344, 896).tokens, 7 * 256);
  EXPECT_EQ(image_of(m, 1024, 1024).tiles, 9 + 1);
  // Four tiles instead of one where the image has more than half of their pixels.
  EXPECT_EQ(image_of(m, 600, 600).tiles, 1);
  EXPECT_EQ(image_of(m, 640, 640).tiles, 4 + 1);
}

TEST(vision, sizes_out_of_range_are_refused) {
  const auto m = *model_named("Qwen/Qwen2-VL-7B-Instruct");
  EXPECT_FALSE(patches_of(m.vision, 0, 10).ok());
  EXPECT_FALSE(patches_of(m.vision, 10, 2001).ok());
  EXPECT_FALSE(patches_of(m.vision, 100000, 100000).ok());
  EXPECT_FALSE(patches_of(of_config(llama_config()).vision, 100, 100).ok());
}

TEST(vision, what_is_not_understood_is_said) {
  const auto doubts = [](const std::string& further) {
    return of_config(llama_config("128256", further)).doubts;
  };
  EXPECT_THAT(doubts(R"(, "vision_config": {"depth": 32, "embed_dim": 1280})"),
              Contains(HasSubstr("vision_config of a \"llama\" is not understood")));
  EXPECT_THAT(doubts(R"(, "visual": {"width": 1664})"), Contains(HasSubstr("\"visual\" is not understood")));
  EXPECT_TRUE(doubts("").empty());
  // A known family without its sizes.
  const auto sizeless = of_config(R"({"model_type": "internvl_chat", "vision_config": {"hidden_size": 1024},
                                      "llm_config": )" +
                                  llama_config() + "}");
  EXPECT_FALSE(sizeless.vision.known());
  EXPECT_THAT(sizeless.doubts, Contains(HasSubstr("not understood")));
}

TEST(vision, the_tower_is_in_the_first_stage_and_divided_among_tensor_ranks) {
  const auto m = *model_named("Qwen/Qwen2.5-VL-7B-Instruct");
  inference_setup s{.model = m, .layout = {.tensor = 2, .pipeline = 2}};
  s.max_batched_tokens = 8192, s.max_sequences = 256;
  const auto ranks = inference_memory(s);
  ASSERT_TRUE(ranks.ok());
  EXPECT_EQ(ranks->front().encoder_bytes, static_cast<double>(m.vision.parameters));
  EXPECT_EQ(ranks->back().encoder_bytes, 0);
}

TEST(vision, work_is_of_products_attention_and_projections) {
  const auto m = llava_7b();
  const auto image = image_of(m, 336, 336);
  const double layers = 24 * (2 * 577.0 * (4 * 1024 * 1024 + 2 * 1024 * 4096.0) + 4 * 1024 * 577.0 * 577);
  const double ends = 2 * 577.0 * 588 * 1024 + 2 * 576.0 * (1024 * 4096 + 4096 * 4096.0);
  EXPECT_DOUBLE_EQ(encode_flop(m.vision, image), layers + ends);
}

}  // namespace
}  // namespace ridge::plan
