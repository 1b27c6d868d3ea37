// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/serve/workload_file.hpp>

#include "../measured_data.hpp"

namespace ridge::plan::serve {
namespace {

using testing::HasSubstr;

constexpr auto azure =
    "TIMESTAMP,ContextTokens,GeneratedTokens\r\n"
    "2023-11-16 18:15:46.6805900,374,44\r\n"
    "2023-11-16 18:15:50.9951690,396,109\r\n"
    "2023-11-16 18:16:50.9951691,879,55\r\n";

workload read(std::string_view text, const workload_file_options& options = {}) {
  auto w = parse_workload(text, "t", options);
  EXPECT_TRUE(w.ok()) << w.why().text();
  return std::move(*w);
}

error refused(std::string_view text, const workload_file_options& options = {}) {
  const auto w = parse_workload(text, "t", options);
  EXPECT_FALSE(w.ok());
  return w.ok() ? error{} : w.why();
}

TEST(WorkloadFile, ReadsAzureTracesToTheTenthOfAMicrosecond) {
  const auto w = read(azure);
  ASSERT_EQ(w.requests.size(), 3U);
  EXPECT_EQ(w.requests[0].arrival_s, 0);
  EXPECT_NEAR(w.requests[1].arrival_s, 4.3145790, 1e-9);
  EXPECT_NEAR(w.requests[2].arrival_s, 64.3145791, 1e-9);
  EXPECT_EQ(w.requests[1].prompt_tokens, 396U);
  EXPECT_EQ(w.requests[1].output_tokens, 109U);
  EXPECT_EQ(w.hash_tokens, 0U);
  EXPECT_THAT(w.source, HasSubstr("Azure"));
}

TEST(WorkloadFile, ADayEndsAtMidnightAndFebruaryInLeapYears) {
  const auto w = read(
      "TIMESTAMP,ContextTokens,GeneratedTokens\n"
      "2024-02-28 23:59:59.5,1,1\n2024-02-29T00:00:00.25Z,1,1\n2024-03-01 00:00:00,1,1\n");
  EXPECT_NEAR(w.requests[1].arrival_s, 0.75, 1e-9);
  EXPECT_NEAR(w.requests[2].arrival_s, 86400.5, 1e-9);
}

TEST(WorkloadFile, ReadsMooncakeInMillisecondsWithItsBlocks) {
  const auto w =
      read(R"({"timestamp": 1000, "input_length": 1030, "output_length": 5, "hash_ids": [0, 7, 9]})"
           "\n"
           R"({"timestamp": 1500, "input_length": 600, "output_length": 6, "hash_ids": [0, 7]})"
           "\n");
  ASSERT_EQ(w.requests.size(), 2U);
  EXPECT_EQ(w.hash_tokens, 512U);
  EXPECT_DOUBLE_EQ(w.requests[1].arrival_s, 0.5);
  const auto a = w.hashes_of(w.requests[0]), b = w.hashes_of(w.requests[1]);
  EXPECT_TRUE(b.size() == 2 && a[0] == b[0] && a[1] == b[1] && a[2] != b[1]);
  EXPECT_NE(a[0], 0U);                                 // id 0 is an ordinary block
  EXPECT_EQ(count_sharing(table_of(w)).shared, 600U);  // no more than the prompt has
  EXPECT_EQ(count_sharing(table_of(w)).tokens, 1630U);
}

TEST(WorkloadFile, ReadsVllmBench) {
  const auto w =
      read(R"({"date": "x", "request_rate": "inf", "input_lens": [100, 200], "output_lens": [3, 2],)"
           R"( "ttfts": [0.1, 0.2], "itls": [[0.05, 0.07], [0.1]], "start_times": [10.0, 11.5]})");
  ASSERT_EQ(w.requests.size(), 2U);
  EXPECT_DOUBLE_EQ(w.requests[1].arrival_s, 1.5);
  EXPECT_EQ(w.requests[1].prompt_tokens, 200U);
}

TEST(WorkloadFile, OldVllmBenchFilesSayHowManyCameAtOnce) {
  const auto closed = read(R"({"max_concurrency": 8, "input_lens": [1, 2], "output_lens": [3, 2]})");
  EXPECT_EQ(closed.clients, 8U);
  const auto even = read(R"({"request_rate": 4, "input_lens": [1, 2], "output_lens": [3, 2]})");
  EXPECT_DOUBLE_EQ(even.requests[1].arrival_s, 0.25);
  EXPECT_THAT(refused(R"({"input_lens": [1, 2], "output_lens": [3]})").message,
              HasSubstr("2 and output_lens 1"));
}

TEST(WorkloadFile, ReadsAiperfWithoutWarmUpAndFailures) {
  const std::string record =
      R"({"metadata": {"request_start_ns": 1759813207532900363, "benchmark_phase": "profiling",)"
      R"( "conversation_id": "a"}, "metrics": {"input_sequence_length": {"value": 550, "unit": "tokens"},)"
      R"( "output_sequence_length": {"value": 9, "unit": "tokens"}}, "error": null})";
  auto later = record, warm = record, failed = record;
  later.replace(later.find("207532900363"), 12, "208532900364");
  warm.replace(warm.find("profiling"), 9, "warmup");
  failed.replace(failed.find("null"), 4, "{\"code\": 500}");
  const auto w = read(warm + "\n" + record + "\n" + failed + "\n" + later + "\n");
  ASSERT_EQ(w.requests.size(), 2U);
  EXPECT_NEAR(w.requests[1].arrival_s, 1.000000001, 1e-12);
  EXPECT_EQ(w.requests[0].prompt_tokens, 550U);
  EXPECT_EQ(w.requests[0].session, w.requests[1].session);
  EXPECT_EQ(w.notes.size(), 2U);
}

TEST(WorkloadFile, HashesTokenIdsIntoChainedBlocks) {
  const auto line = [](int last) {
    return R"({"input_toks": 5, "output_toks": 2, "arrival_time_ns": 1, "input_tok_ids": [1, 2, 3, 4, )" +
           std::to_string(last) + R"(], "output_tok_ids": [8, 9]})" + "\n";
  };
  const auto w = read(line(5) + line(6), {.hash_tokens = 2});
  const auto a = w.hashes_of(w.requests[0]), b = w.hashes_of(w.requests[1]);
  ASSERT_EQ(a.size(), 3U);  // seven tokens: three whole blocks, the last with an answer's token
  EXPECT_EQ(a[0], b[0]);
  EXPECT_EQ(a[1], b[1]);
  EXPECT_NE(a[2], b[2]);
  EXPECT_NE(a[0], a[1]);
}

TEST(WorkloadFile, ReadsTablesByNameTenantsAndPriorities) {
  const auto w = read("arrival_ms,user,isl,osl,priority\n10,b,5,6,-1\n20,a,7,8,2\n30,b,1,1,0\n");
  EXPECT_DOUBLE_EQ(w.requests[2].arrival_s, 0.02);
  EXPECT_THAT(w.tenants, testing::ElementsAre("b", "a"));
  EXPECT_EQ(w.requests[1].tenant, 1);
  EXPECT_EQ(w.requests[0].priority, -1);
  const auto named = read("when_ms,p,o,q\n5,1,2,3\n25,4,5,6\n",
                          {.columns = {.arrival = "when_ms", .prompt = "p", .output = "q"}});
  EXPECT_DOUBLE_EQ(named.requests[1].arrival_s, 0.02);
  EXPECT_EQ(named.requests[1].output_tokens, 6U);
}

TEST(WorkloadFile, SortsAndSaysSo) {
  const auto w = read("time,isl,osl\n5,1,1\n3,2,1\n4,3,1\n");
  EXPECT_EQ(w.requests[0].prompt_tokens, 2U);
  EXPECT_EQ(w.requests[2].prompt_tokens, 1U);
  EXPECT_DOUBLE_EQ(w.requests[2].arrival_s, 2);
  ASSERT_EQ(w.notes.size(), 1U);
  EXPECT_THAT(w.notes[0], HasSubstr("2 rows were out of order"));
}

TEST(WorkloadFile, NamesTheLineAndColumnOfABadRow) {
  const auto why = refused("time,isl,osl\n1,10,20\n2,-3,20\n");
  EXPECT_THAT(why.message, HasSubstr("t:3:3: isl: \"-3\" is not a number of tokens"));
  EXPECT_THAT(refused("time,isl,osl\nx,1,1\n").message,
              HasSubstr("t:2:1: time: \"x\" is not a valid duration"));
  EXPECT_THAT(refused("time,isl,osl\n1,1\n").message, HasSubstr("t:2:"));
  EXPECT_THAT(refused("time,isl,osl\n1,1,0\n").message, HasSubstr("answer of 0 tokens"));
  EXPECT_THAT(refused("time,isl,osl\n1,1.5,2\n").message, HasSubstr("1.5"));
  EXPECT_THAT(refused("time,isl,osl\n1,99999999999,2\n").message, HasSubstr("99999999999"));
  EXPECT_THAT(refused(R"({"timestamp": 1, "input_length": 5, "output_length": [}])").message,
              HasSubstr("t:1:"));
  EXPECT_THAT(refused("TIMESTAMP,ContextTokens,GeneratedTokens\n2023-13-16 18:15:46.68,3,4\n").message,
              HasSubstr("is not a valid duration"));
}

TEST(WorkloadFile, CountsBadRowsWhenTheyMayBeSkipped) {
  const auto w = read("time,isl,osl\n1,10,20\nbroken\n2,-3,20\n4,5,6\n", {.skip_bad = true});
  EXPECT_EQ(w.requests.size(), 2U);
  EXPECT_EQ(w.skipped_rows, 2);
  EXPECT_THAT(refused("time,isl,osl\nbroken\n", {.skip_bad = true}).message, HasSubstr("none of its 1 rows"));
}

TEST(WorkloadFile, RefusesWhatHoldsNoRequests) {
  EXPECT_THAT(refused("").message, HasSubstr("empty"));
  EXPECT_THAT(refused("\n \n").message, HasSubstr("empty"));
  EXPECT_THAT(refused("time,isl,osl\n").message, HasSubstr("no request"));
  EXPECT_THAT(refused("a,b,c\n1,2,3\n").remedy, HasSubstr("--columns arrival="));
  EXPECT_THAT(read_workload("/no/such/file").why().message, HasSubstr("No such file"));
}

TEST(WorkloadFile, SharesAsMuchOfMooncakeAsItsAuthorsSay) {
  const auto file = measured_data("serving/mooncake/conversation_trace.jsonl");
  if (file.empty()) GTEST_SKIP() << "no data: set RIDGE_DATA";
  const auto w = read_workload(file);
  ASSERT_TRUE(w.ok()) << w.why().text();
  EXPECT_EQ(w->requests.size(), 12031U);
  EXPECT_NEAR(count_sharing(table_of(*w)).share(), 0.3736, 0.00005);
}

TEST(WorkloadFile, ReadsAllOfTheAzureTraces) {
  const auto file = measured_data("serving/azure2023/AzureLLMInferenceTrace_conv.csv");
  if (file.empty()) GTEST_SKIP() << "no data: set RIDGE_DATA";
  const auto w = read_workload(file);
  ASSERT_TRUE(w.ok()) << w.why().text();
  EXPECT_EQ(w->requests.size(), 19366U);
  EXPECT_NEAR(w->span_s(), 3501.721937, 1e-6);
  EXPECT_TRUE(w->notes.empty());
}

}  // namespace
}  // namespace ridge::plan::serve
