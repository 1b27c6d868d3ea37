// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/phases.hpp>

#include <numeric>
#include <random>

#include <gmock/gmock.h>

#include "fixtures/scene.hpp"

namespace ridge::trace {
namespace {

using ::testing::ElementsAre;

TEST(phases, are_named_by_ranges) {
  EXPECT_EQ(phase_of_name("## forward ##"), phase::forward);
  EXPECT_EQ(phase_of_name("DistributedDataParallel.forward"), phase::forward);
  EXPECT_EQ(phase_of_name("autograd::engine::evaluate_function: AddmmBackward0"), phase::backward);
  EXPECT_EQ(phase_of_name("AddmmBackward0, seq = 12"), phase::backward);
  EXPECT_EQ(phase_of_name("Optimizer.step#Adam.step"), phase::optimizer);
  EXPECT_EQ(phase_of_name("forward_backward"), std::nullopt);
  EXPECT_EQ(phase_of_name("## decoder fp1 ##"), std::nullopt);
  EXPECT_EQ(phase_of_name("ProfilerStep#4"), std::nullopt);
  EXPECT_EQ(phase_of_name("step[DECODE bs=32]"), phase::decode);
  EXPECT_EQ(phase_of_name("step[EXTEND bs=1 toks=512]"), phase::prefill);
  EXPECT_EQ(phase_of_name("execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk55086)"),
            phase::decode);
  EXPECT_EQ(phase_of_name("execute_34_context_2(sq9)_generation_32(sq32)"), phase::prefill);
  EXPECT_EQ(phase_of_name("execute_model"), std::nullopt);
}

TEST(phases, sum_to_the_window_with_idle_time_before_its_work) {
  fixtures::scene s;
  s.annotation("forward", 0, 100).annotation("Optimizer.step#SGD.step", 300, 100);
  s.kernel("f", 1000, 100, 7, {10, 5}).kernel("o", 1500, 100, 7, {310, 5}).kernel("x", 1700, 50, 7, {500, 5});
  const auto r = phases_of(s.build(), 0, time_range{900, 2000});
  EXPECT_EQ(r.source, phase_source::annotations);
  EXPECT_EQ(r.of(phase::forward).busy_ns, 100);
  EXPECT_EQ(r.of(phase::forward).idle_ns, 100);
  EXPECT_EQ(r.of(phase::optimizer).busy_ns, 100);
  EXPECT_EQ(r.of(phase::optimizer).idle_ns, 400);
  EXPECT_EQ(r.of(phase::other).busy_ns, 50);
  EXPECT_EQ(r.of(phase::other).idle_ns, 100 + 250);
  EXPECT_THAT(r.of_work, ElementsAre(phase::forward, phase::optimizer, phase::other));
  ASSERT_EQ(r.stretches.size(), 3U);
  EXPECT_EQ(r.stretches[1].range, (time_range{1100, 1600}));
}

TEST(phases, are_told_by_operators_where_nobody_named_them) {
  fixtures::scene s;
  s.op("aten::addmm", 0, 50, {.sequence = 4, .forward_thread = 0});
  s.op("autograd::engine::evaluate_function: AddmmBackward0", 100, 100, {.sequence = 4, .forward_thread = 1});
  s.op("aten::addmm", 120, 50, {.sequence = 9, .forward_thread = 0});  // computed again
  s.kernel("f", 1000, 10, 7, {10, 5})
      .kernel("b", 1010, 10, 7, {110, 5})
      .kernel("again", 1020, 10, 7, {130, 5});
  s.kernel("x", 1030, 10, 7, {300, 5});
  const auto r = phases_of(s.build(), 0);
  EXPECT_EQ(r.source, phase_source::sequence);
  EXPECT_EQ(r.inference_source, phase_source::not_told);
  EXPECT_THAT(r.of_work, ElementsAre(phase::forward, phase::backward, phase::backward, phase::other));
}

TEST(phases, believe_names_before_operators_and_serving_before_training) {
  fixtures::scene s;
  s.annotation("step[DECODE bs=1]", 0, 100).annotation("Model.forward", 10, 50);
  s.annotation("Optimizer.step#SGD.step", 200, 50).op("aten::add_", 200, 40, {.sequence = 3});
  s.kernel("d", 1000, 10, 7, {20, 5}).kernel("o", 1010, 10, 7, {210, 5});
  const auto r = phases_of(s.build(), 0);
  EXPECT_THAT(r.of_work, ElementsAre(phase::decode, phase::optimizer));
  EXPECT_EQ(r.inference_source, phase_source::annotations);
}

TEST(phases, are_other_where_nothing_tells) {
  fixtures::scene s;
  s.kernel("k", 0, 100, 7, {0, 5}).kernel("l", 200, 100);
  const auto r = phases_of(s.build(), 0);
  EXPECT_EQ(r.source, phase_source::not_told);
  EXPECT_EQ(r.of(phase::other).window_ns(), 300);
}

trace graph_with(std::string_view kernel) {
  fixtures::scene s;
  auto& b = s.builder();
  const auto process = b.process(1);
  b.add({.start_ns = 0,
         .duration_ns = 10,
         .name = b.intern("cudaGraphLaunch"),
         .track = b.track_of(track_kind::thread, process, 1),
         .correlation = 5,
         .kind = category::api});
  for (const auto* name : {"gemm", kernel.data()}) {
    b.add({.start_ns = 100,
           .duration_ns = 10,
           .name = b.intern(name),
           .track = b.track_of(track_kind::stream, process, 7, 0),
           .correlation = 5,
           .kind = category::kernel},
          {.stream = 7, .process = process});
  }
  return s.build();
}

TEST(phases, guess_decode_by_a_graph_s_attention) {
  const auto r = phases_of(graph_with("BatchDecodeWithPagedKVCacheKernel"), 0);
  EXPECT_EQ(r.inference_source, phase_source::graph_launches);
  EXPECT_THAT(r.of_work, ElementsAre(phase::decode, phase::decode));
  EXPECT_EQ(phases_of(graph_with("flash_fwd"), 0).inference_source, phase_source::not_told);
}

TEST(phases, sum_to_every_window) {
  std::mt19937 draw(8);
  const auto below = [&](unsigned n) { return static_cast<nanoseconds>(draw() % n); };
  for (int round = 0; round < 300; ++round) {
    fixtures::scene s;
    for (int i = 0; i < 4; ++i) s.annotation(i % 2 == 0 ? "forward" : "backward", below(200), below(80));
    for (auto n = draw() % 10; n > 0; --n)
      s.kernel("k", below(300), below(40), static_cast<std::int32_t>(draw() % 2), {below(250), 1});
    const auto start = below(300);
    const auto r = phases_of(s.build(), 0, time_range{start, start + below(200)});
    nanoseconds sum = 0;
    for (const auto& p : r.phases) sum += p.window_ns();
    ASSERT_EQ(sum, r.window.length_ns());
    nanoseconds at = r.window.start_ns;
    for (const auto& stretch : r.stretches) {
      ASSERT_EQ(stretch.range.start_ns, at);
      at = stretch.range.end_ns;
    }
    ASSERT_EQ(at, r.window.end_ns);
  }
}

}  // namespace
}  // namespace ridge::trace
