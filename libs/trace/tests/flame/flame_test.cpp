// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/flame.hpp>
#include <ridge/trace/flame_text.hpp>

#include <gtest/gtest.h>

#include <fixtures/scene.hpp>

namespace ridge::trace {
namespace {

using fixtures::scene;

TEST(flame, nests_host_events_and_gives_each_what_no_child_covers) {
  const auto t = scene()
                     .python("train.py: step", 0, 100)
                     .op("aten::linear", 10, 50)
                     .op("aten::mm", 20, 30)
                     .api("cudaLaunchKernel", 25, 5)
                     .op("aten::mm", 70, 10)
                     .build();
  const auto tree = flame_of_host(t);
  EXPECT_EQ(collapsed(tree),
            "thread 1;train.py: step 40\n"
            "thread 1;train.py: step;aten::linear 20\n"
            "thread 1;train.py: step;aten::linear;aten::mm 25\n"
            "thread 1;train.py: step;aten::linear;aten::mm;cudaLaunchKernel 5\n"
            "thread 1;train.py: step;aten::mm 10\n");
  EXPECT_EQ(tree.total(), 100);
}

TEST(flame, takes_only_a_window_and_merges_steps) {
  const auto t = scene().annotation("ProfilerStep#1", 0, 10).annotation("ProfilerStep#2", 10, 10).build();
  EXPECT_EQ(collapsed(flame_of_host(t)), "thread 1;ProfilerStep 20\n");
  EXPECT_EQ(collapsed(flame_of_host(t, {.window = time_range{5, 12}})), "thread 1;ProfilerStep 7\n");
}

TEST(flame, puts_device_work_below_the_events_around_its_launch) {
  scene s;
  s.annotation("forward", 0, 100).op("aten::mm", 10, 20);
  s.kernel("gemm", 50, 40, 7, {.call_ns = 12, .call_length_ns = 3});
  s.kernel("gemm", 95, 30, 7, {.call_ns = 16, .call_length_ns = 3});
  s.kernel("orphan", 130, 7);
  const auto t = s.build();
  EXPECT_EQ(collapsed(flame_of_device(t)), "forward;aten::mm;gemm 70\n(launch not recorded);orphan 7\n");
  EXPECT_EQ(collapsed(flame_of_device(t, {.window = time_range{60, 100}})), "forward;aten::mm;gemm 35\n");
}

TEST(flame, adds_up_samples_by_stack) {
  scene s;
  auto& to = s.builder();
  const auto main = to.frame(none, s.name("main"), 0);
  const auto work = to.frame(main, s.name("work"), 0);
  const auto hidden = to.frame(main, 0, s.name("libc.so"));
  to.add(stack_sample{.time_ns = 1, .weight = 3, .stack = work});
  to.add(stack_sample{.time_ns = 2, .weight = 4, .stack = work});
  to.add(stack_sample{.time_ns = 3, .weight = 5, .stack = main});
  to.add(stack_sample{.time_ns = 4, .weight = 1, .stack = hidden});
  const auto t = s.build();
  EXPECT_EQ(collapsed(flame_of_samples(t)), "main 5\nmain;work 7\nmain;[libc.so] 1\n");
  EXPECT_EQ(flame_of_samples(t, {.window = time_range{2, 4}}).total(), 9);
}

TEST(flame, reads_back_what_it_writes) {
  flame_builder to;
  const auto a = to.child(0, "a;b"), c = to.child(a, "c d");
  to.add(a, 2);
  to.add(c, 3);
  const auto text = collapsed(std::move(to).finish());
  EXPECT_EQ(text, "a:b 2\na:b;c d 3\n");
  EXPECT_EQ(collapsed(flame_of_collapsed(text)), text);
  EXPECT_EQ(flame_of_collapsed("no weight here\n\na;b x\nk 5").total(), 5);
}

TEST(flame, lays_two_trees_on_one_shape) {
  const auto before = flame_of_collapsed("a 1\na;b 2\n"), after = flame_of_collapsed("a;b 5\na;c 7\n");
  const auto diff = flame_diff(before, after);
  EXPECT_EQ(collapsed(diff), "a 1 0\na;b 2 5\na;c 0 7\n");
  EXPECT_EQ(diff.front().total_before, 3);
  EXPECT_EQ(diff.front().total_after, 12);
}

}  // namespace
}  // namespace ridge::trace
