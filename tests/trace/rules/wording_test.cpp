// SPDX-License-Identifier: Apache-2.0
// What findings say beside their numbers: advice that fits the program, phases, commands to type next, order.
#include <gmock/gmock.h>

#include "finding_matchers.hpp"
#include "rule_case.hpp"

namespace ridge::trace {
namespace {

using fixtures::finding_of;
using fixtures::knowing_ridge_one;
using fixtures::scene;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::size_t place_of(const diagnosis& d, std::string_view rule) {
  return static_cast<std::size_t>(std::ranges::find(d.findings, rule, &finding::rule) - d.findings.begin());
}

// The host is in the interpreter, or in operators, all the time; each kernel belongs to a graph or to none.
diagnosis held_up(bool in_python, std::uint32_t graph) {
  scene s;
  for (int i = 0; i < 60; ++i) {
    const nanoseconds at = i * 100'000;
    if (in_python)
      s.python("train.py(7): loop", at, 70'000);
    else
      s.op("aten::add", at, 99'000);
    s.kernel("elementwise_kernel", at + (in_python ? 82'000 : 98'000), 18'000, 7,
             {.call_ns = at + (in_python ? 72'000 : 90'000), .call_length_ns = 5'000}, {.graph = graph});
  }
  return diagnose(fixtures::one(s));
}

TEST(wording, advises_no_capture_of_what_is_captured) {
  EXPECT_THAT(finding_of(held_up(true, 0), "H4").advice, HasSubstr("use graphs"));
  EXPECT_THAT(finding_of(held_up(true, 1), "H4").advice,
              AllOf(HasSubstr("launch most of it already"), Not(HasSubstr("use graphs"))));
  EXPECT_THAT(finding_of(held_up(false, 0), "H1").advice, HasSubstr("graphs, compiled steps"));
  EXPECT_THAT(finding_of(held_up(false, 1), "H1").advice,
              AllOf(HasSubstr("launch most of it already"), Not(HasSubstr("compiled steps"))));
}

// Sixty products of 137 GFLOP, 137 us at the peak, each of `length`, all launched before the first one runs;
// 3 % of the window is idle.
diagnosis products_of(nanoseconds length) {
  scene s;
  s.device(fixtures::ridge_one_facts());
  const auto dims = s.name("[[4096, 4096], [4096, 4096]]"),
             types = s.name(R"(["c10::BFloat16", "c10::BFloat16"])");
  for (int i = 0; i < 60; ++i) {
    const nanoseconds at = i * 20'000;
    s.op("aten::mm", at, 15'000, {.input_dims = dims, .input_types = types});
    s.kernel("ampere_gemm_128x128_nn", 2'000'000 + i * (length + length / 32), length, 7,
             {.call_ns = at + 5'000, .call_length_ns = 5'000}, {.grid = {1024, 1, 1}, .block = {256, 1, 1}});
  }
  return diagnose(fixtures::one(s), knowing_ridge_one());
}

// 595 us are 23 % of the roof: launches are not what such a program waits for.
TEST(wording, a_product_far_below_its_roof_comes_before_launches) {
  const auto d = products_of(595'000);
  EXPECT_EQ(d.verdict, overall_verdict::found);
  ASSERT_FALSE(d.findings.empty());
  EXPECT_EQ(d.findings.front().rule, "K6");
  EXPECT_TRUE(d.findings.front().alarm);
  for (const auto& f : d.findings) EXPECT_FALSE(f.alarm && f.cause == "launches") << f.text;
}

// Experts of 64 groups at a quarter of the roof.
TEST(wording, experts_far_below_their_roof_are_found) {
  scene s;
  s.device(fixtures::ridge_one_facts());
  const auto dims = s.name("[[1024, 4096], [64, 22016, 4096], [64, 4096, 11008], [1024, 2]]"),
             types = s.name(R"(["BFloat16", "BFloat16", "BFloat16", "Float"])");
  for (int i = 0; i < 60; ++i) {
    s.op("vllm::rocm_aiter_fused_moe", i * 20'000, 15'000, {.input_dims = dims, .input_types = types});
    s.kernel("fused_moe_kernel", 2'000'000 + nanoseconds{i} * 67'000'000, 67'000'000, 7,
             {.call_ns = i * 20'000 + 5'000, .call_length_ns = 5'000},
             {.grid = {1024, 1, 1}, .block = {256, 1, 1}});
  }
  const auto d = diagnose(fixtures::one(s), knowing_ridge_one());
  EXPECT_EQ(d.verdict, overall_verdict::found);
  EXPECT_EQ(finding_of(d, "K21").cause, "moe-small-groups");
}

TEST(wording, calls_latency_by_its_name_only_where_counters_tell_it) {
  EXPECT_EQ(finding_of(products_of(595'000), "K6").title, "Far below both roofs");
  scene s;
  auto& b = s.builder();
  const auto id = b.add(profiled_kernel{
      .name = s.name("a_kernel"), .device = s.name("Ridge One"), .grid = {1000, 1, 1}, .block = {256, 1, 1}});
  const auto metric = [&](std::string_view name, double value, std::string_view unit) {
    b.add(kernel_metric{.value = value, .kernel = id, .metric = s.name(name), .unit = s.name(unit)});
  };
  metric("gpu__time_duration.sum", 1e6, "ns");
  metric("sm__throughput.avg.pct_of_peak_sustained_elapsed", 20, "%");
  metric("dram__throughput.avg.pct_of_peak_sustained_elapsed", 20, "%");
  metric("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 100, "%");
  EXPECT_EQ(finding_of(diagnose(fixtures::one(s), knowing_ridge_one()), "K6").title, "Bound by latency");
}

// The host computes 80 us in the backward pass before each launch of a kernel of 10 us.
TEST(wording, names_the_phase_in_which_most_of_the_time_is_lost) {
  const auto lost_in = [](const char* range) {
    scene s;
    s.annotation(range, 0, 60 * 100'000);
    for (int i = 0; i < 60; ++i) {
      const nanoseconds at = i * 100'000;
      s.op("aten::add", at, 88'000);
      s.kernel("elementwise_kernel", at + 90'000, 10'000, 7,
               {.call_ns = at + 80'000, .call_length_ns = 5'000});
    }
    return finding_of(diagnose(fixtures::one(s)), "I2").text;
  };
  EXPECT_THAT(lost_in("backward"), HasSubstr("most of it in the backward phase"));
  EXPECT_THAT(lost_in("Optimizer.step#Adam.step"), HasSubstr("most of it in the optimizer phase"));
  EXPECT_THAT(lost_in("epoch"), Not(HasSubstr("phase")));
}

std::vector<trace> two_ranks_in(const std::string& path) {
  std::vector<trace> traces;
  for (const auto& c : fixtures::communication_cases()) {
    if (c.rule == "N3") traces = c.fires();
  }
  for (auto& t : traces) {
    t.source.path = path;
    t.source.member = "rank" + std::to_string(t.source.rank) + ".json";
  }
  return traces;
}

TEST(wording, names_what_the_user_named_where_all_ranks_are_needed) {
  auto options = knowing_ridge_one();
  options.inputs = {"job/dlrm.tar.gz"};
  const auto archived = two_ranks_in("job/dlrm.tar.gz");
  EXPECT_EQ(finding_of(diagnose(archived, options), "N3").next, "ridge trace comm job/dlrm.tar.gz");
  EXPECT_THAT(finding_of(diagnose(archived, options), "I1").next,
              HasSubstr("ridge trace idle job/dlrm.tar.gz --rank "));
  auto nested = two_ranks_in("job/node0/a.json");
  nested.back().source.path = "job/node1/b.json";
  options.inputs = {"job"};
  EXPECT_EQ(finding_of(diagnose(nested, options), "N3").next, "ridge trace comm job");
  EXPECT_EQ(finding_of(diagnose(nested, knowing_ridge_one()), "N3").next,
            "ridge trace comm job/node0/a.json job/node1/b.json");
}

// 2 ms of 7.
TEST(wording, tells_the_profilers_share_of_the_recording_that_it_names) {
  scene s;
  fixtures::busy(s).event(category::overhead, "CUPTI activity buffer flush", 2'000'000, 2'000'000, 2);
  const auto d = diagnose(fixtures::one(s));
  const auto text = finding_of(d, "T1").text;
  EXPECT_THAT(text, HasSubstr("28.6 % of the recording"));
  EXPECT_THAT(text, HasSubstr("of 7"));
  EXPECT_EQ(d.trust.at(0).factor, 0.7);
}

// A third of the window is idle; a kernel whose device is guessed from its name wastes less.
TEST(wording, puts_large_savings_before_small_ones_of_a_lower_grade) {
  scene s;
  for (int i = 0; i < 60; ++i)
    s.kernel("sm90_xmma_gemm", 1'000'000 + i * 100'000, 60'000, 7,
             {.call_ns = i * 5'000, .call_length_ns = 4'000}, {.grid = {70, 1, 1}, .block = {128, 1, 1}});
  const auto d = diagnose(fixtures::one(s));
  const auto idle = finding_of(d, "I1"), grid = finding_of(d, "K4");
  EXPECT_EQ(grid.grade, confidence_grade::names);
  EXPECT_EQ(idle.grade, confidence_grade::timeline);
  EXPECT_LT(grid.confidence, idle.confidence);
  EXPECT_GT(idle.alone_ns, grid.alone_ns);
  EXPECT_LT(place_of(d, "I1"), place_of(d, "K4"));
}

}  // namespace
}  // namespace ridge::trace
