// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <string>
#include <utility>

#include <gmock/gmock.h>

#include <ridge/trace/hta_programs.hpp>

#include "fixtures/scene.hpp"

namespace ridge::trace {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(hta_annotations, tells_a_trace_without_any_from_one_whose_last_step_holds_all) {
  fixtures::scene in;
  EXPECT_FALSE(hta_annotations(fixtures::scene().op("aten::mm", 0, 10).build(), {.of_device = false}));
  in.annotation("ProfilerStep#1", 0, 10'000).annotation("ProfilerStep#2", 10'000, 10'000);
  in.annotation("forward", 12'000, 2'000);
  const auto t = in.build();
  const auto kept = hta_annotations(t, {.of_device = false});
  ASSERT_TRUE(kept);
  ASSERT_EQ(kept->size(), 1U);
  EXPECT_EQ(kept->front().name, "ProfilerStep#1");
  EXPECT_EQ(hta_annotations(t, {.of_device = false}, {.include_last_step = true})->size(), 3U);
}

TEST(hta_annotations, folds_all_but_the_first_and_the_kept) {
  fixtures::scene in;
  for (int i = 0; i < 6; ++i) in.annotation("part " + std::to_string(i), i * 100'000, (i + 1) * 1'000);
  const auto rows = *hta_annotations(
      in.build(), {.of_device = false, .names_shown = 2, .sums_shown = 0.9, .kept_parts = {"part 0"}});
  std::vector<std::string> names;
  for (const auto& row : rows) names.push_back(row.name);
  EXPECT_THAT(names, ElementsAre("others", "part 0", "part 4", "part 5"));
  EXPECT_EQ(rows[0].sum_ns, 9'000);  // 4, 3 and 2 us
}

TEST(hta_annotated_works, gives_each_work_the_shortest_annotation_of_its_stream_that_it_overlaps) {
  fixtures::scene in;
  EXPECT_FALSE(hta_annotated_works(fixtures::scene().kernel("k", 0, 10).build()));
  auto& b = in.builder();
  const auto annotate = [&](std::string_view name, nanoseconds start, nanoseconds length,
                            std::int64_t stream) {
    b.add({.start_ns = start,
           .duration_ns = length,
           .name = b.intern(name),
           .track = b.track_of(track_kind::stream, b.process(1), stream, 0),
           .kind = category::device_annotation});
  };
  annotate("inner", 20'000, 10'000, 7);
  annotate("outer", 10'000, 90'000, 7);
  annotate("other stream", 0, 500'000, 9);
  in.kernel("long before", 0, 60'000)
      .kernel("within both", 22'000, 1'000)
      .kernel("within outer", 40'000, 1'000);
  in.kernel("touches the end", 100'000, 1'000).kernel("elsewhere", 50'000, 1'000, 8);
  const auto t = in.build();
  std::map<std::string, std::string> told;
  const auto works = hta_annotated_works(t);
  ASSERT_TRUE(works);
  for (const auto& w : *works)
    told[std::string(t.names[t.works[w.work].name])] =
        w.annotation == none ? "" : std::string(t.name_of(w.annotation));
  EXPECT_THAT(told, ElementsAre(std::pair("elsewhere", ""), std::pair("long before", "inner"),
                                std::pair("touches the end", ""), std::pair("within both", "inner"),
                                std::pair("within outer", "outer")));
}

TEST(hta_steps, numbers_only_what_is_kept) {
  fixtures::scene in;
  in.annotation("ProfilerStep#9", 0, 10'000).annotation("ProfilerStep # 10", 10'000, 10'000);
  in.annotation("ProfilerStep#11", 20'000, 10'000).annotation("ProfilerStepper", 1'000, 10);
  const auto t = in.build();
  EXPECT_THAT(hta_profiler_steps(t), ElementsAre(9, 10));
  EXPECT_THAT(hta_profiler_steps(t, {.include_last_step = true}), ElementsAre(9, 10, 11));
}

TEST(hta_steps, with_the_last_one_keep_what_follows_where_the_clock_began_before) {
  const auto annotations = [](nanoseconds begin) {
    fixtures::scene in;
    in.annotation("ProfilerStep#1", begin, 10'000).annotation("ProfilerStep#2", begin + 10'000, 10'000);
    in.annotation("after", begin + 30'000, 1'000);
    return hta_annotations(in.build(), {.of_device = false}, {.include_last_step = true})->size();
  };
  EXPECT_EQ(annotations(0), 2U);
  EXPECT_EQ(annotations(1'000'000), 3U);
}

// A rank whose all-reduce begins `late` after the others and ends with theirs, in two steps that count.
trace rank_that_is_late(nanoseconds late) {
  fixtures::scene in;
  for (int step = 1; step <= 3; ++step) {
    const auto start = step * 1'000'000;
    in.annotation("ProfilerStep#" + std::to_string(step), start, 1'000'000);
    in.kernel("ncclKernel_AllReduce", start + 100'000 + late, 300'000 - late, 20, {start + 10'000, 5'000});
    in.kernel("ncclKernel_tiny", start + 500'000, 5'000 + late / 20, 20, {start + 20'000, 5'000});
  }
  return in.build();
}

TEST(hta_stragglers, are_the_ranks_that_begin_the_most_varied_kernel_last) {
  const auto a = rank_that_is_late(0), b = rank_that_is_late(90'000), c = rank_that_is_late(40'000);
  const trace* const ranks[]{&a, &b, &c};
  EXPECT_THAT(*hta_stragglers(ranks), ElementsAre(1, 2));
  EXPECT_THAT(*hta_stragglers(ranks, {.candidates = 1}), ElementsAre(1));
  EXPECT_THAT(*hta_stragglers(ranks, {.steps = {2}, .candidates = 9}), ElementsAre(0, 1, 2));
}

TEST(hta_stragglers, says_why_there_are_none) {
  const auto a = rank_that_is_late(0);
  const trace* const alone[]{&a};
  EXPECT_THAT(hta_stragglers(alone).why().text(), HasSubstr("of two ranks"));
  EXPECT_THAT(hta_stragglers(alone, {.steps = {3}}).why().text(), HasSubstr("steps 1 to 2"));
  const auto none = fixtures::scene().op("aten::mm", 0, 10).build();
  const trace* const without[]{&none};
  EXPECT_THAT(hta_stragglers(without).why().text(), HasSubstr("no ProfilerStep"));
}

TEST(hta_sequences, are_those_of_the_outermost_operators) {
  fixtures::scene in;
  for (int i = 0; i < 3; ++i) {
    const nanoseconds at = i * 100'000;
    in.op("aten::linear", at, 50'000).op("aten::linear_inner", at + 1'000, 40'000);
    in.kernel(i == 2 ? "other" : "gemm", at + 60'000, 10'000, 7, {at + 2'000, 5'000});
    in.kernel("bias", at + 75'000, 5'000, 7, {at + 10'000, 5'000});
  }
  in.kernel("outside", 400'000, 5'000, 7, {350'000, 5'000});
  const auto t = in.build();
  const auto found = hta_sequences(t, "linear", 2);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].pattern, "aten::linear|gemm|bias");
  EXPECT_EQ(found[0].count, 2U);
  EXPECT_EQ(found[0].gpu_ns, 30'000);
  EXPECT_EQ(found[0].cpu_ns, 100'000);
  EXPECT_EQ(found[1].pattern, "aten::linear|other|bias");
  EXPECT_THAT(hta_sequences(t, "linear", 3), IsEmpty());
  EXPECT_THAT(hta_sequences(t, "no such operator", 1), IsEmpty());
}

TEST(hta_launches, tell_copies_and_accelerators_apart) {
  fixtures::scene in;
  in.kernel("gemm", 10'000, 5'000, 7, {0, 1'000});
  in.kernel("job", 30'000, 5'000, 7, {20'000, 1'000, "runFunction - job_prep_and_submit_for_execution"});
  in.copy(copy_kind::host_to_device, 100, 50'000, 5'000, 7, {40'000, 1'000, "cudaMemcpyAsync"});
  const auto launches = hta_figures_of(in.build()).launches;
  ASSERT_EQ(launches.size(), 3U);
  EXPECT_FALSE(launches[0].of_memory || launches[0].of_mtia);
  EXPECT_TRUE(launches[1].of_mtia);
  EXPECT_TRUE(launches[2].of_memory);
}

}  // namespace
}  // namespace ridge::trace
