// SPDX-License-Identifier: Apache-2.0
// Rules that must not look: too few works, graphs that hide their kernels, ranks of which some can be judged.
#include <gmock/gmock.h>

#include "finding_matchers.hpp"
#include "rule_case.hpp"

namespace ridge::trace {
namespace {

using fixtures::finding_of;
using fixtures::of_rule;
using fixtures::scene;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;

const auto abstains = [](const char* id, const char* without) {
  return AllOf(Field("rule", &abstention::rule, id),
               Field("missing", &abstention::missing, HasSubstr(without)));
};

// Rounds of a copy from pageable memory, a collective and a kernel of 10 us, each after 40 us of nothing.
trace starved(int rounds, int rank = -1) {
  scene s;
  s.builder().facts().source.rank = rank;
  for (int i = 0; i < rounds; ++i) {
    const nanoseconds at = 1'000'000 + i * 150'000;
    s.copy(copy_kind::host_to_device, 1 << 20, at, 10'000, 7,
           {.call_ns = at - 20'000, .call_length_ns = 4'000}, {.source = memory_kind::pageable});
    s.kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", at + 50'000, 10'000, 20,
             {.call_ns = at + 30'000, .call_length_ns = 4'000});
    s.kernel("gemm_kernel", at + 100'000, 10'000, 7, {.call_ns = at + 80'000, .call_length_ns = 4'000});
  }
  return s.build();
}

std::vector<trace> one_of(trace&& t) {
  std::vector<trace> traces;
  traces.push_back(std::move(t));
  return traces;
}

TEST(abstention, of_idle_copies_and_communication_where_too_little_was_recorded) {
  const auto brief = one_of(starved(10)), enough = one_of(starved(60));
  const auto d = diagnose(brief);
  EXPECT_THAT(d.doubts, Contains(of_rule("T6")));
  for (const auto* rule : {"C2", "C4", "N2", "N6"})
    EXPECT_THAT(d.findings, Not(Contains(of_rule(rule)))) << rule;
  for (const auto* rule : {"I1", "C1", "N1"}) {
    EXPECT_THAT(d.abstentions, Contains(abstains(rule, "enough works"))) << rule;
    EXPECT_THAT(d.findings, Not(Contains(of_rule(rule)))) << rule;
    EXPECT_THAT(diagnose(enough).findings, Contains(of_rule(rule))) << rule;
  }
}

TEST(abstention, of_one_rank_leaves_the_others_their_findings) {
  std::vector<trace> ranks;
  ranks.push_back(starved(60, 0));
  ranks.push_back(starved(10, 1));
  const auto d = diagnose(ranks);
  for (const auto* rule : {"I1", "C1", "N1"}) {
    EXPECT_THAT(finding_of(d, rule).evidence, Each(Field("trace", &evidence_row::trace, 0U))) << rule;
    EXPECT_THAT(d.abstentions, Contains(abstains(rule, "in 1 of 2 traces"))) << rule;
  }
}

trace hiding_graphs(nanoseconds gap, int rank = -1) {
  scene s;
  s.builder().facts().source.rank = rank;
  fixtures::busy(s, 60, 100'000, gap);
  for (int i = 0; i < 20; ++i) s.api("cudaGraphLaunch", 1'000'000 + i * 100'000, 20'000);
  return s.build();
}

TEST(abstention, where_graphs_hide_their_kernels_does_not_call_the_device_busy) {
  const auto traces = one_of(hiding_graphs(0));
  const auto d = diagnose(traces);
  EXPECT_THAT(d.doubts, Contains(of_rule("T2")));
  EXPECT_THAT(d.abstentions, Contains(abstains("I1", "kernels of graphs")));
  EXPECT_EQ(d.verdict, overall_verdict::insufficient);
  EXPECT_THAT(d.why,
              HasSubstr("whether the device is kept busy cannot be told without the kernels of graphs"));
  EXPECT_THAT(diagnose(fixtures::healthy()).why, HasSubstr("the device is kept busy"));
}

TEST(abstention, where_graphs_of_one_rank_hide_their_kernels_is_its_own) {
  std::vector<trace> ranks;
  ranks.push_back(hiding_graphs(80'000, 0));
  scene s;
  s.builder().facts().source.rank = 1;
  ranks.push_back(fixtures::busy(s, 60, 100'000, 80'000).build());
  const auto d = diagnose(ranks);
  EXPECT_THAT(finding_of(d, "I1").evidence, Each(Field("trace", &evidence_row::trace, 1U)));
  EXPECT_THAT(d.abstentions, Contains(abstains("I1", "in 1 of 2 traces")));
}

TEST(abstention, names_models_where_shapes_are_recorded) {
  scene bare, shaped;
  fixtures::busy(bare);
  for (int i = 0; i < 60; ++i) {
    shaped.op("mylib::scan", i * 5'000, 4'900, {.input_dims = shaped.name("[[64, 64]]")});
    shaped.kernel("scan_kernel", 1'000'000 + i * 100'000, 100'000, 7,
                  {.call_ns = i * 5'000 + 500, .call_length_ns = 4'000});
  }
  EXPECT_THAT(diagnose(fixtures::one(bare)).why, HasSubstr("without shapes or counters"));
  const auto why = diagnose(fixtures::one(shaped)).why;
  EXPECT_THAT(why, HasSubstr("no model tells the work of the operators"));
  EXPECT_THAT(why, Not(HasSubstr("without shapes")));
}

}  // namespace
}  // namespace ridge::trace
