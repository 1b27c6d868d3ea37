// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <ridge/report/document.hpp>

#include "input/plan_serve_answer.hpp"
#include "input/plan_serve_pools.hpp"

namespace ridge::app_plan {
namespace {

using testing::HasSubstr;

class serve_answer : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path); }
  void write(const std::string& text) const { std::ofstream(path, std::ios::binary) << text; }
  void write_answer(const service_choice& c) const {
    report::document answer;
    answer.facts = facts_of(c);
    write(json_of(answer));
  }
  [[nodiscard]] std::string complaint() const {
    auto choice = nothing_chosen();
    const auto good = complete(choice, path.string());
    return good ? "" : good.why().text();
  }

  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("ridge_serve_answer_" + std::to_string(getpid()));
};

TEST_F(serve_answer, without_one_what_was_not_given_is_the_default) {
  auto choice = nothing_chosen();
  choice.tp = 4;
  ASSERT_TRUE(complete(choice, "").ok());
  EXPECT_EQ(choice.tp, 4);
  EXPECT_EQ(choice.pp, 1);
  EXPECT_EQ(choice.engine, "vllm");
  EXPECT_EQ(choice.max_sequences, service_choice{}.max_sequences);
}

TEST_F(serve_answer, gives_back_what_was_asked_and_options_take_precedence) {
  service_choice asked;
  asked.model.name = "m\"\n", asked.gpu.name = "H100", asked.tp = 8, asked.dp = 2, asked.engine = "sglang";
  asked.blocks = 77, asked.utilization = 0.8, asked.priorities = true, asked.speculative = "3,0.5";
  write_answer(asked);
  auto choice = nothing_chosen();
  choice.tp = 2, choice.engine = "vllm";
  const auto good = complete(choice, path.string());
  ASSERT_TRUE(good.ok()) << good.why().text();
  EXPECT_EQ(choice.model.name, asked.model.name);
  EXPECT_EQ(choice.gpu.name, "H100");
  EXPECT_EQ(choice.tp, 2);
  EXPECT_EQ(choice.engine, "vllm");
  EXPECT_EQ(choice.dp, 2);
  EXPECT_EQ(choice.blocks, 77);
  EXPECT_EQ(choice.utilization, 0.8);
  EXPECT_TRUE(choice.priorities);
  EXPECT_EQ(choice.speculative, "3,0.5");
  auto other = nothing_chosen();
  other.model.config = "config.json";  // instead of the answer's model
  ASSERT_TRUE(complete(other, path.string()).ok());
  EXPECT_EQ(other.model.name, "");
}

TEST_F(serve_answer, keeps_what_a_deployment_cannot_start) {
  service_choice asked;
  asked.pools = {"H200=2"}, asked.disaggregate = "2P3D";
  write_answer(asked);
  auto choice = nothing_chosen();
  ASSERT_TRUE(complete(choice, path.string()).ok());
  EXPECT_THAT(choice.pools, testing::ElementsAre("H200=2"));
  EXPECT_EQ(choice.disaggregate, "2P3D");
}

TEST_F(serve_answer, names_the_member_that_is_wrong) {
  EXPECT_THAT(complaint(), HasSubstr(path.string()));  // no such file
  for (const auto* text : {"", "[1", "[]", "{}", "{\"question\": 3}"}) {
    write(text);
    EXPECT_THAT(complaint(), HasSubstr("is not an answer of `ridge plan serve --json`")) << text;
  }
  write_answer({});
  std::ifstream in(path);
  std::string whole{std::istreambuf_iterator<char>(in), {}};
  const auto with = [&](const std::string& from, const std::string& to) {
    auto text = whole;
    text.replace(text.find(from), from.size(), to);
    write(text);
    return complaint();
  };
  EXPECT_EQ(with("\"tp\": 1", "\"tp\": 2"), "");
  EXPECT_THAT(with("\"tp\": 1", "\"tp\": -1"), HasSubstr("question/tp is missing or not a count"));
  EXPECT_THAT(with("\"tp\": 1", "\"tp\": 1e30"), HasSubstr("question/tp"));
  EXPECT_THAT(with("\"tp\": 1", "\"tp\": \"1\""), HasSubstr("question/tp"));
  EXPECT_THAT(with("\"tp\"", "\"tq\""), HasSubstr("question/tp is missing"));
  EXPECT_THAT(with("\"priorities\": false", "\"priorities\": 0"), HasSubstr("question/priorities"));
}

TEST(serve_pools, are_written_as_count_gpu_and_layout) {
  const auto plain = *pool_layout_of("--prefill", "4xtp2");
  EXPECT_EQ(plain.replicas, 4);
  EXPECT_EQ(plain.gpu, "");
  EXPECT_EQ(plain.layout.tensor, 2);
  const auto whole = *pool_layout_of("--decode", "2xRTX PRO 6000:tp8pp2dp4ep32");
  EXPECT_EQ(whole.gpu, "RTX PRO 6000");
  EXPECT_EQ(whole.layout.pipeline, 2);
  EXPECT_EQ(whole.layout.data, 4);
  EXPECT_EQ(whole.layout.expert, 32);
  for (const auto* wrong : {"", "4", "4x", "x", "tp2", "0xtp2", "4xtp0", "4xtp", "4xpp2", "4xtp2tp2",
                            "4x:tp2", "4xtp2 ", "4xtp99999", "4xH100", "-1xtp2"})
    EXPECT_FALSE(pool_layout_of("--prefill", wrong)) << wrong;
}

TEST(serve_pools, contradictions_are_refused) {
  service_choice c;
  c.prefill = "1xtp1";
  EXPECT_THAT(pools_of(c).why().message, testing::HasSubstr("--decode"));
  c.decode = "2xH200:tp2";
  ASSERT_TRUE(pools_of(c).ok());
  EXPECT_EQ(pools_of(c)->decode.gpu.name, "H200");
  EXPECT_EQ(pools_of(c)->decode.replicas, 2);
  c.tp = 2;
  EXPECT_FALSE(pools_of(c));
  c.tp = 1, c.disaggregate = "1P1D";
  EXPECT_FALSE(pools_of(c));
}

}  // namespace
}  // namespace ridge::app_plan
