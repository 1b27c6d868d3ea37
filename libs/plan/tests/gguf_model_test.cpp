// SPDX-License-Identifier: Apache-2.0
// GGUF files of Llama-3.1-8B, as llama.cpp quantizes it, and broken ones.
#include <filesystem>
#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <ridge/plan/engine_budget.hpp>
#include <ridge/plan/inference_memory.hpp>
#include <ridge/plan/kv_cache.hpp>
#include <ridge/plan/model_catalogue.hpp>

namespace ridge::plan {
namespace {

using testing::Contains;
using testing::HasSubstr;
namespace fs = std::filesystem;

enum class ggml : std::uint32_t { f32 = 0, q8_0 = 8, q4_k = 12, q6_k = 14 };

// Writes the header of a GGUF file, version 3.
class gguf_writer {
 public:
  template <class T>
  void number(T value) {
    body_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  void text(std::string_view value) {
    number<std::uint64_t>(value.size());
    body_ += value;
  }
  void member(std::string_view name, std::uint32_t value) {
    text(name);
    number<std::uint32_t>(4);
    number(value);
    ++members_;
  }
  void member(std::string_view name, std::string_view value) {
    text(name);
    number<std::uint32_t>(8);
    text(value);
    ++members_;
  }
  void words(std::string_view name, std::uint64_t count) {
    text(name);
    number<std::uint32_t>(9);
    number<std::uint32_t>(8);
    number<std::uint64_t>(count);
    for (std::uint64_t i = 0; i < count; ++i) text("word");
    ++members_;
  }
  void tensor(std::string_view name, const std::vector<std::uint64_t>& dimensions, ggml type) {
    text(name);
    number<std::uint32_t>(static_cast<std::uint32_t>(dimensions.size()));
    for (const auto size : dimensions) number(size);
    number(static_cast<std::uint32_t>(type));
    number<std::uint64_t>(0);
    ++tensors_;
  }
  [[nodiscard]] std::string file() const {
    gguf_writer start;
    start.body_ = "GGUF";
    start.number<std::uint32_t>(3);
    start.number(tensors_);
    start.number(members_);
    return start.body_ + body_;
  }

 private:
  std::string body_{};
  std::uint64_t tensors_ = 0, members_ = 0;
};

void write_metadata(gguf_writer& w) {
  w.member("general.architecture", "llama");
  w.member("llama.block_count", 32);
  w.member("llama.embedding_length", 4096);
  w.member("llama.feed_forward_length", 14336);
  w.member("llama.attention.head_count", 32);
  w.member("llama.attention.head_count_kv", 8);
  w.member("llama.context_length", 131072);
  w.member("llama.rope.dimension_count", 128);
  w.words("tokenizer.ggml.tokens", 1000);
}

// The layers that Q4_K_M gives more bits: the first and last eighth, and every third between them.
bool more_bits(int layer) { return layer < 4 || layer >= 28 || (layer - 4) % 3 == 2; }

// All of Q8_0, or llama.cpp's mixture Q4_K_M.
std::string llama_8b(bool mixture) {
  gguf_writer w;
  write_metadata(w);
  const auto four = mixture ? ggml::q4_k : ggml::q8_0, six = mixture ? ggml::q6_k : ggml::q8_0;
  w.tensor("token_embd.weight", {4096, 128256}, four);
  w.tensor("rope_freqs.weight", {64}, ggml::f32);
  for (int i = 0; i < 32; ++i) {
    const auto name = [&](const char* part) { return "blk." + std::to_string(i) + "." + part + ".weight"; };
    const auto some = more_bits(i) ? six : four;
    w.tensor(name("attn_norm"), {4096}, ggml::f32);
    w.tensor(name("ffn_norm"), {4096}, ggml::f32);
    w.tensor(name("attn_q"), {4096, 4096}, four);
    w.tensor(name("attn_k"), {4096, 1024}, four);
    w.tensor(name("attn_v"), {4096, 1024}, some);
    w.tensor(name("attn_output"), {4096, 4096}, four);
    w.tensor(name("ffn_gate"), {4096, 14336}, four);
    w.tensor(name("ffn_up"), {4096, 14336}, four);
    w.tensor(name("ffn_down"), {14336, 4096}, some);
  }
  w.tensor("output_norm.weight", {4096}, ggml::f32);
  w.tensor("output.weight", {4096, 128256}, six);
  return w.file();
}

class gguf_model : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }
  fs::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
  }
  std::string refused(const std::string& text) {
    const auto m = read_model_config(write("broken.gguf", text));
    EXPECT_FALSE(m.ok());
    return m.ok() ? "" : m.why().text();
  }
  fs::path folder = fs::temp_directory_path() / ("ridge_gguf_model_" + std::to_string(::getpid()));
};

// The files on Hugging Face (bartowski/Meta-Llama-3.1-8B-Instruct-GGUF) have 4,920,739,232 and 8,540,775,840
// bytes, of which 7,840,928 are the header.
TEST_F(gguf_model, weights_are_those_of_the_published_files) {
  const auto mixture = read_model_config(write("q4_k_m.gguf", llama_8b(true)));
  const auto eight = read_model_config(write("q8_0.gguf", llama_8b(false)));
  ASSERT_TRUE(mixture.ok()) << mixture.why().text();
  ASSERT_TRUE(eight.ok()) << eight.why().text();
  EXPECT_NEAR(weight_bytes(*mixture), 4920739232.0 - 7840928, 1);
  EXPECT_NEAR(weight_bytes(*eight), 8540775840.0 - 7840928, 1);
  EXPECT_EQ(mixture->weight_format, "q4_k");
  EXPECT_EQ(mixture->name, "q4_k_m");
  EXPECT_THAT(mixture->doubts, testing::ElementsAre(HasSubstr("ends before its tensors")));
}

TEST_F(gguf_model, shape_is_that_of_the_metadata) {
  const auto m = *read_model_config(write("a.gguf", llama_8b(true)));
  EXPECT_EQ(count_parameters(m).total(), 8030261248);
  EXPECT_EQ(rates_of(kv_parts(m, *number_format_named("bf16"))).bytes_per_token, 131072);
  EXPECT_EQ(m.max_positions, 131072);
  EXPECT_EQ(m.kinds.size(), 2U);
  const auto ranks = inference_memory({.model = m, .max_batched_tokens = 8192, .max_sequences = 256});
  ASSERT_TRUE(ranks.ok());
  EXPECT_NEAR(ranks->front().weights_bytes(), weight_bytes(m), 1);
}

TEST_F(gguf_model, split_files_are_read_together) {
  const auto whole = llama_8b(true);
  gguf_writer first, second;
  write_metadata(first);
  first.member("split.count", 2);
  first.tensor("token_embd.weight", {4096, 128256}, ggml::q8_0);
  second.tensor("output.weight", {4096, 128256}, ggml::q8_0);
  write("m-00001-of-00002.gguf", first.file());
  const auto missing = read_model_config(folder / "m-00001-of-00002.gguf");
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(missing.why().text(), HasSubstr("m-00002-of-00002.gguf is missing"));
  write("m-00002-of-00002.gguf", second.file());
  const auto m = read_model_config(folder / "m-00001-of-00002.gguf");
  ASSERT_TRUE(m.ok()) << m.why().text();
  EXPECT_DOUBLE_EQ(m->stored.head, 34.0 / 32);
  EXPECT_THAT(m->doubts, Contains(HasSubstr("the tensors hold")));
}

TEST_F(gguf_model, says_what_is_broken) {
  gguf_writer bad_type;
  write_metadata(bad_type);
  bad_type.tensor("token_embd.weight", {4096, 128256}, static_cast<ggml>(77));
  EXPECT_THAT(refused(bad_type.file()), HasSubstr("unknown type 77"));
  gguf_writer bad_row;
  write_metadata(bad_row);
  bad_row.tensor("token_embd.weight", {100, 128256}, ggml::q4_k);
  EXPECT_THAT(refused(bad_row.file()), HasSubstr("whole blocks of 256"));
  gguf_writer huge;
  write_metadata(huge);
  huge.tensor("token_embd.weight", {1ULL << 40, 1ULL << 40}, ggml::f32);
  EXPECT_THAT(refused(huge.file()), HasSubstr("2^56"));
  gguf_writer speech;
  speech.member("general.architecture", "t5");
  EXPECT_THAT(refused(speech.file()), HasSubstr("architecture t5"));
  EXPECT_THAT(refused("GGUF"), HasSubstr("the header ends here"));
  EXPECT_THAT(refused(std::string("GGUF\x01\0\0\0", 8)), HasSubstr("version 1"));
  EXPECT_THAT(refused(std::string("GGUF\0\0\0\x03", 8)), HasSubstr("big-endian"));
}

TEST_F(gguf_model, trusts_no_stated_length) {
  gguf_writer w;
  w.text("tokenizer.ggml.tokens");
  w.number<std::uint32_t>(9);
  w.number<std::uint32_t>(4);
  w.number<std::uint64_t>(1ULL << 62);
  auto text = w.file();
  text[16] = 1;  // one member
  text += std::string(64, 'x');
  EXPECT_THAT(refused(text), HasSubstr("more than the file holds"));
  text = llama_8b(true);
  for (std::size_t i = 8; i < 16; ++i) text[i] = '\x7f';
  EXPECT_THAT(refused(text), HasSubstr("tensors, more than the file holds"));
  gguf_writer name;
  name.number<std::uint64_t>(~0ULL);
  text = name.file();
  text[16] = 1;
  text += std::string(64, 'x');
  EXPECT_THAT(refused(text), HasSubstr("a name of"));
}

TEST_F(gguf_model, any_bytes_are_a_model_or_an_error) {
  gguf_writer w;
  write_metadata(w);
  w.tensor("token_embd.weight", {4096, 128256}, ggml::q4_k);
  w.tensor("blk.0.attn_q.weight", {4096, 4096}, ggml::q4_k);
  const auto good = w.file();
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    auto text = good.substr(0, round % 3 == 0 ? random() % good.size() : good.size());
    for (int i = 0; i < 1 + round % 4 && !text.empty(); ++i) {
      const auto reach = round % 2 == 0 ? std::min<std::size_t>(text.size(), 400) : text.size();
      text[random() % reach] = static_cast<char>(random() % 256);
    }
    const auto m = read_model_config(write("any.gguf", text));
    if (m)
      EXPECT_GE(weight_bytes(*m), 0);
    else
      EXPECT_FALSE(m.why().message.empty());
  }
}

}  // namespace
}  // namespace ridge::plan
