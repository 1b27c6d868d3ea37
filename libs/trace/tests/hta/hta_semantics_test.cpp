// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ridge/trace/hta_differences.hpp>
#include <ridge/trace/hta_semantics.hpp>

#include "fixtures/scene.hpp"
#include "hta/hta_kernel_type.hpp"

namespace ridge::trace {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const hta_difference& difference(const std::vector<hta_difference>& all, std::string_view figure) {
  return *std::ranges::find(all, figure, &hta_difference::figure);
}

std::vector<hta_difference> differences(const trace& t, const hta_options& options = {}) {
  return hta_differences(t, classes_of(t, communication_names::built_in()), options);
}

TEST(hta_semantics, shrinks_works_to_whole_microseconds) {
  const auto t = fixtures::scene().kernel("a", 1'400, 9'200).kernel("b", 10'900, 900).build();
  const auto f = hta_figures_of(t).temporal;  // 2 to 10 us, 11 to 11 us
  EXPECT_EQ(f.kernel_ns, 9'000);
  EXPECT_EQ(f.idle_ns, 1'000);
  EXPECT_EQ(f.compute_ns, 8'000);
  const auto all = differences(t);
  const auto& idle = difference(all, "idle");
  EXPECT_EQ(idle.exact_ns, 300);
  ASSERT_EQ(idle.causes.size(), 1U);
  EXPECT_EQ(idle.causes[0].adds_ns, 700);
  EXPECT_THAT(idle.causes[0].description, HasSubstr("2 works"));
  EXPECT_EQ(difference(all, "window").causes[0].adds_ns, -1'400);
}

TEST(hta_semantics, without_rounding_agrees_where_times_are_small) {
  const auto t = fixtures::scene().kernel("a", 1'400, 9'200).kernel("b", 10'900, 900).build();
  for (const auto& d : differences(t, {.round_to_us = false})) {
    EXPECT_EQ(d.exact_ns, d.hta_ns) << d.figure;
    EXPECT_TRUE(d.causes.empty());
  }
}

TEST(hta_semantics, tells_kernels_by_its_own_patterns) {
  EXPECT_EQ(hta_type_of("ncclDevKernel_AllReduce"), hta_kernel_type::communication);
  EXPECT_EQ(hta_type_of("void ncclKernel_x"), hta_kernel_type::communication);
  EXPECT_EQ(hta_type_of("hipMemcpyKernel"), hta_kernel_type::communication);
  EXPECT_EQ(hta_type_of("rcclAllReduce"), hta_kernel_type::computation);
  EXPECT_EQ(hta_type_of("Memcpy DtoH (Device -> Pageable)"), hta_kernel_type::memory);
  EXPECT_EQ(hta_type_of("SyncBatchNormForward"), hta_kernel_type::other);
  EXPECT_EQ(hta_type_of("cudaFooLaunchKernel"), hta_kernel_type::other);
  EXPECT_EQ(hta_type_of("fillMemset"), hta_kernel_type::other);
  EXPECT_EQ(hta_type_of("sgemm"), hta_kernel_type::computation);
}

TEST(hta_semantics, names_each_cause_of_a_difference) {
  fixtures::scene in;
  in.kernel("gemm", 0, 10'000).kernel("SyncBatchNorm", 10'000, 4'000);
  auto& b = in.builder();
  b.add({.start_ns = 20'000,
         .duration_ns = 3'000,
         .name = b.intern("Memset"),
         .track = b.track_of(track_kind::stream, b.process(1), 7, 0),
         .kind = category::fill},
        device_work{.stream = 7});
  op_detail triton;
  triton.stream = 0;
  in.op("triton_add", 30'000, 5'000, triton);
  const auto all = differences(in.build());
  const auto& compute = difference(all, "compute");
  EXPECT_EQ(compute.exact_ns, 17'000);
  EXPECT_EQ(compute.hta_ns, 15'000);
  std::vector<nanoseconds> adds;
  for (const auto& c : compute.causes) adds.push_back(c.adds_ns);
  EXPECT_THAT(adds, ElementsAre(5'000, -3'000, -4'000));  // the operator, the fill, "Sync"
  EXPECT_EQ(difference(all, "window").causes[0].adds_ns, 12'000);
}

trace two_steps() {
  fixtures::scene in;
  in.annotation("ProfilerStep#1", 0, 100'000).annotation("ProfilerStep#2", 100'000, 100'000);
  in.kernel("a", 20'000, 10'000, 7, {10'000, 5'000}).kernel("a", 40'000, 20'000, 7, {32'000, 4'000});
  in.kernel("orphan", 70'000, 10'000).kernel("b", 120'000, 30'000, 7, {110'000, 5'000});
  return in.build();
}

TEST(hta_semantics, leaves_out_the_last_step_and_what_nothing_launched) {
  const auto t = two_steps();
  const auto f = hta_figures_of(t);
  EXPECT_EQ(f.works, 2U);
  EXPECT_EQ(f.temporal.kernel_ns, 40'000);
  EXPECT_EQ(hta_figures_of(t, {.include_last_step = true}).works, 3U);
  const auto all = differences(t);
  const auto& compute = difference(all, "compute");
  ASSERT_EQ(compute.causes.size(), 2U);
  EXPECT_EQ(compute.causes[0].adds_ns, -10'000);  // without a launch
  EXPECT_EQ(compute.causes[1].adds_ns, -30'000);  // of the last step
}

TEST(hta_semantics, keeps_everything_of_a_trace_with_one_step) {
  const auto t = fixtures::scene().annotation("ProfilerStep#1", 0, 10).kernel("a", 20'000, 1'000).build();
  EXPECT_EQ(hta_figures_of(t).works, 1U);
}

TEST(hta_semantics, tells_why_streams_idle_and_how_long_their_queues_are) {
  fixtures::scene in;
  in.kernel("a", 10'000, 10'000, 7, {0, 5'000});
  in.kernel("b", 21'000, 9'000, 7, {6'000, 4'000});    // 1 us after a: kernel_wait
  in.kernel("c", 50'000, 10'000, 7, {40'000, 4'000});  // called after b ended: host_wait
  in.kernel("d", 95'000, 5'000, 7, {45'000, 2'000});   // called in time, yet 35 us later: other
  const auto f = hta_figures_of(in.build());
  ASSERT_EQ(f.idle.size(), 3U);
  EXPECT_EQ(f.idle[0].sum_ns, 20'000);
  EXPECT_EQ(f.idle[1].sum_ns, 1'000);
  EXPECT_EQ(f.idle[2].sum_ns, 35'000);
  EXPECT_DOUBLE_EQ(*f.idle[2].share, 35.0 / 56);
  ASSERT_EQ(f.queues.size(), 1U);
  EXPECT_EQ(f.queues[0].length.count, 8U);
  EXPECT_EQ(f.queues[0].length.max, 2);
  EXPECT_EQ(f.queues[0].length.mean, 1.0);  // 1 2 1 0 1 2 1 0
  EXPECT_EQ(f.launches[0].delay_ns, 5'000);
  EXPECT_FALSE(f.launches[0].is_short());
}

TEST(hta_semantics, folds_names_past_the_tenth_into_others) {
  fixtures::scene in;
  for (int i = 0; i < 12; ++i) in.kernel("k" + std::to_string(i), i * 100'000, (12 - i) * 1'000);
  const auto f = hta_figures_of(in.build());
  EXPECT_LT(f.kernels.size(), 12U);
  const auto others = std::ranges::find(f.kernels, "others", &hta_kernel_time::name);
  ASSERT_NE(others, f.kernels.end());
  double sum = 0;
  for (const auto& k : f.kernels) sum += k.sum_ns;
  EXPECT_EQ(sum, 78'000);
}

}  // namespace
}  // namespace ridge::trace
