// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <fixtures/scene.hpp>
#include <ridge/trace/data_quality.hpp>

namespace ridge::trace {
namespace {

using fixtures::scene;

TEST(data_quality, counts_what_a_trace_holds) {
  scene s;
  s.op("aten::mm", 0, 50, {.input_dims = s.name("[[4, 4], [4, 4]]")})
      .op("aten::empty", 60, 5, {.input_dims = s.name("[]")});
  s.kernel("k", 100, 10, 7, {.call_ns = 10, .call_length_ns = 5}, {.grid = {1, 1, 1}})
      .kernel("unlaunched", 120, 10);
  s.copy(copy_kind::host_to_device, 64, 140, 10).python("f.py(1): f", 0, 80).annotation("step", 0, 90);
  s.api("cudaGraphLaunch", 70, 5);
  const auto q = data_quality_of(s.build());
  EXPECT_EQ(q.has.works, 3u);
  EXPECT_EQ(q.has.launched_works, 1u);
  EXPECT_EQ(q.has.kernels, 2u);
  EXPECT_EQ(q.has.shaped_kernels, 1u);
  EXPECT_EQ(q.has.sized_copies, 1u);
  EXPECT_EQ(q.has.ops, 2u);
  EXPECT_EQ(q.has.shaped_ops, 1u);
  EXPECT_EQ(q.has.python_frames, 1u);
  EXPECT_EQ(q.has.graph_launches, 1u);
  EXPECT_FALSE(q.tells_launches());  // of one in three
  EXPECT_EQ(q.window, (time_range{0, 150}));
}

TEST(data_quality, counts_only_the_profilers_own_work_as_overhead) {
  scene s;
  s.event(category::overhead, "Buffer flush (Profiler)", 0, 10)
      .event(category::overhead, "Buffer Flush", 5, 10, 2);
  s.event(category::overhead, "Command buffer full (CUDA)", 20, 50)
      .event(category::overhead, "Lazy function loading", 80, 20);
  const auto q = data_quality_of(s.build());
  EXPECT_EQ(q.overhead_ns, 15);  // a union over threads
  EXPECT_DOUBLE_EQ(q.overhead_share(), .15);
}

TEST(data_quality, multiplies_doubts_and_names_them) {
  scene s;
  auto& facts = s.builder().facts();
  facts.quality.add(flaw::truncated);
  facts.quality.add(flaw::dropped_records, 0, {}, 12);
  for (int i = 0; i < 60; ++i) s.kernel("k", i * 10, 10);
  const auto q = data_quality_of(s.build());
  ASSERT_EQ(q.doubts.size(), 2u);
  EXPECT_DOUBLE_EQ(q.factor, .8 * .7);
  EXPECT_THAT(q.doubts[1].reason, ::testing::HasSubstr("12"));
}

TEST(data_quality, doubts_nothing_about_an_empty_trace) {
  const auto q = data_quality_of(scene().build());
  EXPECT_EQ(q.factor, 1);
  EXPECT_EQ(q.overhead_share(), 0);
  EXPECT_FALSE(q.tells_launches());
}

}  // namespace
}  // namespace ridge::trace
