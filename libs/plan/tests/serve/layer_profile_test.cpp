// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/layer_profile.hpp>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <zlib.h>

#include <ridge/plan/packed_file.hpp>

#include "../measured_data.hpp"
#include "kernels/decode_skew.hpp"
#include "kernels/table_file.hpp"

namespace ridge::plan::kernels {
namespace {

using serve::iteration;

class layer_profile : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder);
    write("dense.csv",
          "layer,tokens,time_us\n"
          "embedding,1,1\nembedding,10,10\nfinal_layernorm,1,2\nfinal_layernorm,10,2\n"
          "layernorm,1,3\nlayernorm,10,3\nqkv_proj,1,100\nqkv_proj,10,190\n");
    write("per_sequence.csv",
          "layer,sequences,time_us\nlm_head,1,50\nlm_head,2,60\nsampler,1,5\nsampler,2,5\n");
    write("attention.csv",
          "prefill_chunk,kv_prefill,n_decode,kv_decode,time_us\n"
          "0,0,1,16,10\n0,0,1,32,12\n0,0,1,64,20\n0,0,2,16,14\n0,0,2,32,18\n0,0,2,64,34\n0,0,4,16,20\n0,0,4,"
          "32,30\n"
          "0,0,4,64,62\n"
          "16,0,0,0,8\n16,64,0,0,16\n32,0,0,0,24\n32,64,0,0,40\n"
          "16,0,1,16,20\n16,0,1,32,24\n16,0,1,64,40\n16,64,1,16,30\n16,64,1,32,34\n16,64,1,64,50\n"
          "16,0,2,16,28\n16,0,2,32,36\n16,0,2,64,68\n16,64,2,16,40\n16,64,2,32,48\n16,64,2,64,80\n"
          "32,0,1,16,40\n32,0,1,32,44\n32,0,1,64,60\n32,64,1,16,60\n32,64,1,32,64\n32,64,1,64,80\n"
          "32,0,2,16,50\n32,0,2,32,58\n32,0,2,64,90\n32,64,2,16,70\n32,64,2,32,78\n32,64,2,64,99\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void write(const std::string& name, const std::string& text) const { std::ofstream{folder / name} << text; }
  [[nodiscard]] std::unique_ptr<serve::iteration_timer> timer(const profile_shape& shape = {
                                                                  .layers = 2}) const {
    auto read = read_layer_profile(folder, shape);
    EXPECT_TRUE(read.ok()) << (read ? "" : read.why().text());
    return read ? std::move(*read) : nullptr;
  }

  std::filesystem::path folder{std::filesystem::temp_directory_path() /
                               ("ridge_layer_profile_" + std::to_string(getpid()))};
};

constexpr double us = 1e-6;

// Two layers of (qkv 110 + two norms of 3 + attention), the embedding 2 and the final norm 2, head 60 + 5.
TEST_F(layer_profile, stacks_layers_and_adds_what_runs_once) {
  const iteration two{.decode_sequences = 2, .decode_tokens = 2, .decode_context = 48, .sampled = 2};
  EXPECT_NEAR(timer()->seconds(two), (2 * (110 + 6 + 16) + 2 + 2 + 65) * us, 1e-12);
  EXPECT_NEAR(timer({.layers = 4})->seconds(two), (4 * (110 + 6 + 16) + 2 + 2 + 65) * us, 1e-12);
}

// Sequences of 8 and 88 tokens read as many as two of 48: a line in the sum of contexts.
TEST_F(layer_profile, decode_attention_is_linear_in_the_context_read) {
  const auto t = timer();
  const auto at = [&](std::int64_t context) {
    return t->seconds({.decode_sequences = 2, .decode_tokens = 2, .decode_context = context, .sampled = 2});
  };
  EXPECT_NEAR(at(96) - at(64), 2 * 8 * us, 1e-12);
  EXPECT_NEAR(at(80), (at(64) + at(96)) / 2, 1e-15);
  EXPECT_NEAR(at(256) - at(128), 2 * 32 * us, 1e-12);  // beyond: the last slope
}

TEST_F(layer_profile, the_line_of_decodes_agrees_with_the_steps) {
  const auto t = timer();
  for (const std::int64_t sequences : {1, 2, 3, 4, 7}) {
    for (std::int64_t context = 1; context < 1000; context += 3) {
      const auto line = t->decode(sequences, context);
      ASSERT_GE(line.up_to_context, context);
      for (const auto c : {context, std::min<std::int64_t>(line.up_to_context, 1'000'000)}) {
        const auto step_s = t->seconds({.decode_sequences = sequences,
                                        .decode_tokens = sequences,
                                        .decode_context = c,
                                        .sampled = sequences});
        ASSERT_NEAR(line.base_s + line.per_context_s * static_cast<double>(c), step_s, 1e-9 * step_s)
            << sequences << " " << context;
      }
    }
  }
}

TEST_F(layer_profile, a_mixed_step_is_looked_up_as_one) {
  const auto t = timer();
  iteration i{.prefill_tokens = 16,
              .prefill_sequences = 1,
              .prefill_pairs = 16 * 8.5,
              .decode_sequences = 2,
              .decode_tokens = 2,
              .decode_context = 64,
              .sampled = 2};
  // 18 tokens: qkv beyond the last point 270, embedding 18.
  EXPECT_NEAR(t->seconds(i), (2 * (270 + 6 + 36) + 18 + 2 + 65) * us, 1e-12);
  i.prefill_context = 64;
  i.prefill_pairs = 16 * (64 + 8.5);
  EXPECT_NEAR(t->seconds(i), (2 * (270 + 6 + 48) + 18 + 2 + 65) * us, 1e-12);
}

// Two prompts of 16 pair fewer queries with keys than one of 32.
TEST_F(layer_profile, several_prompts_cost_less_than_one_as_long) {
  const auto t = timer();
  const iteration one{.prefill_tokens = 32, .prefill_sequences = 1, .prefill_pairs = 32 * 16.5};
  const iteration two{.prefill_tokens = 32, .prefill_sequences = 2, .prefill_pairs = 2 * 16 * 8.5};
  EXPECT_LT(t->seconds(two), t->seconds(one));
  EXPECT_GE(t->seconds(two), t->seconds(one) - 2 * 16 * us);
}

TEST_F(layer_profile, experts_stand_for_the_feed_forward) {
  write("moe.csv", "tokens,activated_experts,time_us\n1,2,30\n10,2,40\n1,8,60\n10,8,100\n");
  const iteration one{.decode_sequences = 1, .decode_tokens = 1, .decode_context = 16, .sampled = 1};
  const auto t = timer({.layers = 2, .active_experts = 2, .experts = 8});
  EXPECT_NEAR(t->seconds(one), (2 * (100 + 6 + 10 + 30) + 1 + 2 + 55) * us, 1e-12);  // one token: two experts
  const auto dense = read_layer_profile(folder, {.layers = 2});
  ASSERT_FALSE(dense.ok());
  EXPECT_THAT(dense.why().message, testing::HasSubstr("moe.csv"));
}

// Two sequences of 16 and 48 where equal ones of 32 take 18 and of 48 take 26: measured halfway.
TEST_F(layer_profile, unequal_contexts_cost_what_was_measured_of_them) {
  write("skew.csv",
        "regime,n,nb,ratio,skew,pc,kp,kvs,kv_big,kv_mean,t_mean_us,t_max_us,t_skew_us,alpha\n"
        "pure,2,1,0.5,3,0,0,16,48,32,20,30,25,0.5\n");
  const auto t = timer();
  ASSERT_TRUE(t->wants_longest());
  iteration i{.decode_sequences = 2,
              .decode_tokens = 2,
              .decode_context = 64,
              .decode_context_max = 48,
              .sampled = 2};
  EXPECT_NEAR(t->seconds(i), (2 * (110 + 6 + 22) + 2 + 2 + 65) * us, 1e-12);
  const auto line = t->decode_with_longest(2, 64, 48);
  EXPECT_NEAR(line.base_s + 64 * line.per_context_s, t->seconds(i), 1e-12);
  i.decode_context = 66;
  i.decode_context_max = 49;
  EXPECT_NEAR(line.base_s + 66 * line.per_context_s, t->seconds(i), 1e-12);
  i.decode_context_max = 33;  // all contexts are equal
  EXPECT_NEAR(t->seconds(i), (2 * (110 + 6 + 18.5) + 2 + 2 + 65) * us, 2e-12);
}

TEST_F(layer_profile, a_table_may_be_compressed) {
  for (const auto* name : {"dense.csv", "per_sequence.csv", "attention.csv"}) {
    write(std::string(name) + ".gz", *packed_file(folder / name));
    std::filesystem::remove(folder / name);
  }
  EXPECT_EQ(*find_layer_profile(folder, 1), folder);
  EXPECT_FALSE(timer()->wants_longest());
  const auto packed = (folder / "skew.csv.gz").string();
  auto* file = gzopen(packed.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  gzputs(file, "n,pc,kv_big,kv_mean,t_mean_us,t_max_us,t_skew_us\n2,0,48,32,20,30,25\n");
  gzclose(file);
  EXPECT_TRUE(timer()->wants_longest());
}

TEST_F(layer_profile, a_profile_may_disable_what_it_measured_of_unequal_contexts) {
  write("skew.csv",
        "n,pc,kv_big,kv_mean,t_mean_us,t_max_us,t_skew_us\n"
        "2,0,48,32,20,30,25\n");
  write("meta.yaml", "gpu: x\nskew_profile:\n  enabled: true\nskew_fit:\n  enabled: true\n");
  EXPECT_TRUE(timer()->wants_longest());
  write("meta.yaml", "gpu: x\nskew_profile:\n  enabled: false\nskew_fit:\n  enabled: false\n");
  EXPECT_FALSE(timer()->wants_longest());
}

TEST_F(layer_profile, says_what_is_missing) {
  EXPECT_THAT(read_layer_profile(folder, {}).why().message, testing::HasSubstr("0 layers"));
  write("attention.csv", "prefill_chunk,kv_prefill,n_decode,kv_decode,time_us\n0,0,1,16,10\n0,0,2,32,10\n");
  EXPECT_THAT(read_layer_profile(folder, {.layers = 1}).why().message, testing::HasSubstr("attention.csv"));
  write("attention.csv", "prefill_chunk,kv_prefill,n_decode,time_us\n0,0,1,10\n");
  EXPECT_THAT(read_layer_profile(folder, {.layers = 1}).why().text(), testing::HasSubstr("kv_decode"));
  std::filesystem::remove(folder / "dense.csv");
  EXPECT_THAT(read_layer_profile(folder, {.layers = 1}).why().message, testing::HasSubstr("dense.csv"));
}

TEST_F(layer_profile, is_found_by_its_degree) {
  std::filesystem::create_directories(folder / "a" / "bf16" / "tp2");
  EXPECT_EQ(*find_layer_profile(folder, 1), folder);  // the folder itself is a profile
  std::filesystem::rename(folder / "attention.csv", folder / "a" / "bf16" / "tp2" / "attention.csv");
  EXPECT_EQ(*find_layer_profile(folder, 2), folder / "a" / "bf16" / "tp2");
  EXPECT_THAT(find_layer_profile(folder, 1).why().message, testing::HasSubstr("tp1"));
  EXPECT_THAT(find_layer_profile(folder / "a" / "bf16" / "tp2", 1).why().message,
              testing::HasSubstr("another tensor parallelism than 1"));
}

// 13,000 measured batches of unequal contexts: half of them predict the other half.
TEST(decode_skew, predicts_batches_it_has_not_seen) {
  const auto file = measured_data("serving/vllm_rtx4090/profile/meta-llama/Llama-3.1-8B/bf16/tp1/skew.csv");
  if (file.empty()) {
    GTEST_SKIP() << "no profile: set RIDGE_DATA to the folder that holds serving/vllm_rtx4090";
  }
  const auto half =
      std::filesystem::temp_directory_path() / ("ridge_skew_" + std::to_string(getpid()) + ".csv");
  {
    const auto text = packed_file(file);
    ASSERT_TRUE(text.ok()) << text.why().text();
    std::istringstream in{*text};
    std::ofstream out{half};
    std::string line;
    for (std::size_t row = 0; std::getline(in, line); ++row) {
      if (row == 0 || row % 2 == 1) {
        out << line << '\n';
      }
    }
  }
  const auto skew = decode_skew::read(half);
  std::filesystem::remove(half);
  ASSERT_TRUE(skew.ok()) << skew.why().text();
  const auto table = table_file::read(file);
  const auto chunk = *table->numbers("pc"), n = *table->numbers("n"), mean = *table->numbers("kv_mean"),
             longest = *table->numbers("kv_big"), at_mean = *table->numbers("t_mean_us"),
             at_longest = *table->numbers("t_max_us"), measured = *table->numbers("t_skew_us");
  double bias = 0, bias_of_mean = 0;
  int rows = 0;
  for (std::size_t i = 1; i < n.size(); i += 2, ++rows) {
    const auto share = skew->share({chunk[i], n[i], mean[i], longest[i]});
    bias += (at_mean[i] + share * (at_longest[i] - at_mean[i])) / measured[i] - 1;
    bias_of_mean += at_mean[i] / measured[i] - 1;
  }
  EXPECT_GT(rows, 6000);
  EXPECT_LT(std::abs(bias / rows), 0.02);
  EXPECT_LT(bias_of_mean / rows, -0.05);
}

}  // namespace
}  // namespace ridge::plan::kernels
