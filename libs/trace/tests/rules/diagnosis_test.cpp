// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <gmock/gmock.h>

#include <fixtures/scene.hpp>
#include <ridge/trace/diagnosis.hpp>

#include "rules/rules.hpp"

namespace ridge::trace {
namespace {

using fixtures::scene;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const auto of_rule = [](const char* id) { return Field("rule", &finding::rule, id); };

// Kernels of 100 us with gaps between them, all launched before the first one starts.
trace queued(int kernels, nanoseconds gap) {
  scene s;
  for (int i = 0; i < kernels; ++i)
    s.kernel("gemm", 400'000 + i * (100'000 + gap), 100'000, 7,
             {.call_ns = i * 5'000, .call_length_ns = 4'000});
  return s.build();
}

TEST(detectors, are_bound_to_every_row_of_the_table_and_to_nothing_else) {
  std::set<std::string> rows, functions, needs;
  const auto table = rule_table::built_in();
  for (const auto& r : table.rules) rows.insert(r.id);
  for (const auto& b : all_detectors())
    EXPECT_TRUE(functions.insert(std::string(b.id)).second) << b.id << " twice";
  EXPECT_EQ(rows, functions);
  for (const auto& n : table.needs) needs.insert(n.name);
  const auto known = known_needs();
  EXPECT_EQ(needs, std::set<std::string>(known.begin(), known.end()));
}

TEST(diagnosis, raises_no_alarm_about_a_device_that_is_never_idle) {
  const std::vector<trace> traces{queued(60, 1'000)};  // 1 % of gaps
  const auto d = diagnose(traces);
  EXPECT_THAT(d.findings, Not(Contains(Field("alarm", &finding::alarm, true))));
  EXPECT_THAT(d.doubts, IsEmpty());
  ASSERT_EQ(d.devices.size(), 1u);
  EXPECT_EQ(d.devices[0].partition.idle_ns, 59'000);
}

TEST(diagnosis, names_the_idle_time_of_a_starved_device_with_what_it_rests_on) {
  const std::vector<trace> traces{queued(60, 50'000)};  // gaps are a third of the window
  const auto d = diagnose(traces);
  ASSERT_THAT(d.findings, Contains(of_rule("I1")));
  const auto& i1 = *std::ranges::find(d.findings, "I1", &finding::rule);
  EXPECT_EQ(i1.alone_ns, 59 * 50'000);
  EXPECT_TRUE(i1.alarm);
  EXPECT_EQ(i1.thresholds.front().name, "idle_share");
  EXPECT_FALSE(i1.evidence.empty());
  EXPECT_EQ(d.verdict, overall_verdict::found);
}

// Five steps of 20 kernels, which the host launches as they run; it sleeps 3 ms in each step that `sleeps_in`
// names.
trace sleeping(const std::set<int>& sleeps_in) {
  scene s;
  nanoseconds at = 0;
  for (int step = 0; step < 5; ++step) {
    const auto start = at;
    for (int k = 0; k < 20; ++k, at += 50'000) {
      s.kernel("gemm", at + 10'000, 40'000, 7, {.call_ns = at, .call_length_ns = 4'000});
      if (k == 10 && sleeps_in.contains(step)) at += 3'000'000;
    }
    s.annotation("ProfilerStep#" + std::to_string(step), start, at - start);
  }
  return s.build();
}

TEST(diagnosis, raises_no_alarm_about_an_absence_that_no_other_step_has) {
  for (const auto& [sleeps_in, recurs] :
       {std::pair<std::set<int>, bool>{{1, 2, 3}, true}, {{0, 2}, true}, {{2}, false}}) {
    const std::vector<trace> traces{sleeping(sleeps_in)};
    const auto d = diagnose(traces);
    ASSERT_THAT(d.findings, Contains(of_rule("I10")));
    const auto& i10 = *std::ranges::find(d.findings, "I10", &finding::rule);
    EXPECT_EQ(i10.alarm, recurs) << i10.text;
    EXPECT_EQ(i10.text.find("no other of the trace's 5 steps") == std::string::npos, recurs) << i10.text;
  }
}

TEST(diagnosis, never_promises_more_than_the_window) {
  for (const nanoseconds gap : {0, 3'000, 20'000, 200'000}) {
    const std::vector<trace> traces{queued(60, gap)};
    const auto d = diagnose(traces);
    nanoseconds sum = 0;
    for (const auto& f : d.findings) sum += f.saves_ns;
    EXPECT_LE(sum, d.devices.at(0).partition.window.length_ns());
  }
}

TEST(diagnosis, says_what_it_would_need_instead_of_guessing) {
  const std::vector<trace> traces{queued(60, 0)};
  const auto d = diagnose(traces);
  EXPECT_EQ(d.verdict, overall_verdict::insufficient);
  EXPECT_THAT(d.abstentions, Contains(AllOf(Field(&abstention::rule, "K2"),
                                            Field(&abstention::get, HasSubstr("record_shapes")))));
  EXPECT_THAT(d.abstentions, Contains(Field(&abstention::rule, "N3")));
}

TEST(diagnosis, has_no_verdict_on_a_trace_without_a_device) {
  const std::vector<trace> traces{scene().op("aten::add", 0, 100).build()};
  const auto d = diagnose(traces);
  EXPECT_EQ(d.verdict, overall_verdict::insufficient);
  EXPECT_THAT(d.findings, IsEmpty());
  EXPECT_THAT(d.abstentions, Contains(Field(&abstention::rule, "I1")));
}

TEST(diagnosis, believes_a_truncated_trace_less) {
  scene s;
  for (int i = 0; i < 60; ++i)
    s.kernel("gemm", 400'000 + i * 150'000, 100'000, 7, {.call_ns = i * 5'000, .call_length_ns = 4'000});
  s.builder().facts().quality.add(flaw::truncated, 1234, "in the middle of an event");
  const std::vector<trace> traces{s.build()}, whole{queued(60, 50'000)};
  const auto cut = diagnose(traces), good = diagnose(whole);
  EXPECT_THAT(cut.doubts, Contains(of_rule("T7")));
  EXPECT_LT(cut.findings.at(0).confidence, good.findings.at(0).confidence);
}

TEST(diagnosis, takes_the_work_of_kernels_from_the_user) {
  const auto work = parse_known_work("my_gemm=1.7e10,6e7");
  ASSERT_TRUE(work.ok());
  EXPECT_EQ(work->kernel, "my_gemm");
  EXPECT_EQ(work->flops, 1.7e10);
  EXPECT_EQ(work->bytes, 6e7);
  for (const auto* wrong : {"my_gemm", "=1e9", "my_gemm=", "my_gemm=-1", "my_gemm=1,2,3", "my_gemm=1,x"})
    EXPECT_THAT(parse_known_work(wrong).why().text(), HasSubstr("--kernel-work")) << wrong;
}

TEST(diagnosis, heeds_thresholds_of_the_user) {
  const std::vector<trace> traces{queued(60, 50'000)};
  diagnose_options options;
  ASSERT_TRUE(options.rules.set("I1.note_share=0.9").ok());
  EXPECT_THAT(diagnose(traces, options).findings, Not(Contains(of_rule("I1"))));
}

}  // namespace
}  // namespace ridge::trace
