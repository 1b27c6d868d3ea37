// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/count_changes.hpp>
#include <ridge/trace/trace_diff.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include <fixtures/scene.hpp>

namespace ridge::trace {
namespace {

using fixtures::scene;

struct side {
  trace source;
  std::vector<work_class> classes = classes_of(source, communication_names::built_in());
  std::vector<time_range> steps{};
  [[nodiscard]] diff_side view() const { return {.source = &source, .classes = classes, .steps = steps}; }
};

const diff_row& diff_row_named(const trace_diff& d, std::string_view name) {
  return *std::ranges::find(d.rows, name, &diff_row::name);
}

void expect_adds_up(const trace_diff& d) {
  diff_time states{}, rows[diff_state_count]{};
  for (const auto& s : d.states) states = {states.before_ns + s.before_ns, states.after_ns + s.after_ns};
  EXPECT_EQ(states.before_ns, d.total.before_ns);
  EXPECT_EQ(states.after_ns, d.total.after_ns);
  for (const auto& r : d.rows) {
    auto& sum = rows[static_cast<std::size_t>(r.state)];
    sum = {sum.before_ns + r.time.before_ns, sum.after_ns + r.time.after_ns};
    EXPECT_EQ(r.calls_ns + r.speed_ns, r.time.delta_ns());
  }
  for (int s = 0; s < diff_state_count - 1; ++s) {
    EXPECT_EQ(rows[s].before_ns, d.states.at(static_cast<std::size_t>(s)).before_ns);
    EXPECT_EQ(rows[s].after_ns, d.states.at(static_cast<std::size_t>(s)).after_ns);
  }
  EXPECT_EQ(d.remainder_ns, 0);
}

TEST(trace_diff, splits_a_window_into_states_and_states_into_kernels) {
  // compute 0..100 and 200..220; communication 80..150, so exposed 100..150; idle 150..200.
  const side before{
      scene().kernel("gemm", 0, 100).kernel("ncclAllReduce", 80, 70, 9).kernel("add", 200, 20).build()};
  // gemm slower by 30, add gone, relu new, no communication; idle 130..140.
  const side after{scene().kernel("gemm", 0, 130).kernel("relu", 140, 15).build()};
  const auto d = diff_of(before.view(), after.view());
  EXPECT_EQ(d.total.before_ns, 220);
  EXPECT_EQ(d.total.delta_ns(), -65);
  EXPECT_EQ(d.state(diff_state::compute).before_ns, 120);
  EXPECT_EQ(d.state(diff_state::compute).after_ns, 145);
  EXPECT_EQ(d.state(diff_state::exposed_communication).before_ns, 50);
  EXPECT_EQ(d.state(diff_state::idle).delta_ns(), -40);
  EXPECT_EQ(diff_row_named(d, "gemm").cause, diff_cause::slower);
  EXPECT_EQ(diff_row_named(d, "add").cause, diff_cause::removed);
  EXPECT_EQ(diff_row_named(d, "relu").cause, diff_cause::added);
  EXPECT_EQ(diff_row_named(d, "ncclAllReduce").busy.before_ns, 70);
  EXPECT_EQ(diff_row_named(d, "ncclAllReduce").time.before_ns, 50);
  EXPECT_EQ(d.rows.front().name, "ncclAllReduce");
  expect_adds_up(d);
}

TEST(trace_diff, tells_more_calls_from_slower_calls) {
  const side before{scene().kernel("k", 0, 10).kernel("k", 10, 10).build()};
  const side after{scene().kernel("k", 0, 11).kernel("k", 11, 11).kernel("k", 22, 11).build()};
  const auto d = diff_of(before.view(), after.view());
  const auto& k = d.rows.front();
  EXPECT_EQ(k.calls_ns, 10);  // a third call at 10 ns
  EXPECT_EQ(k.speed_ns, 3);   // three calls, 1 ns slower each
  EXPECT_EQ(k.cause, diff_cause::more_calls);
}

TEST(trace_diff, counts_a_step_where_both_sides_have_steps) {
  const side before{.source = scene().kernel("k", 0, 40).kernel("k", 100, 40).build(),
                    .steps = {{0, 100}, {100, 200}}};
  const side after{.source = scene().kernel("k", 0, 41).kernel("k", 100, 41).kernel("k", 200, 42).build(),
                   .steps = {{0, 100}, {100, 200}, {200, 300}}};
  const auto d = diff_of(before.view(), after.view());
  EXPECT_TRUE(d.per_step);
  EXPECT_EQ(d.total.before_ns, 100);
  EXPECT_EQ(d.total.delta_ns(), 0);
  EXPECT_EQ(d.rows.front().time.before_ns, 40);
  EXPECT_EQ(d.rows.front().time.after_ns, 41);  // 124 / 3
  EXPECT_EQ(d.rows.front().calls_ns, 0);        // one call a step on both sides
  EXPECT_EQ(d.state(diff_state::idle).after_ns, 59);
  EXPECT_EQ(d.rows.front().calls.after, 3);
  expect_adds_up(d);
}

TEST(trace_diff, gives_time_that_two_kernels_share_to_the_first) {
  const side before{scene().kernel("a", 0, 10, 7).kernel("b", 5, 10, 9).build()};
  const auto d = diff_of(before.view(), before.view());
  EXPECT_EQ(diff_row_named(d, "a").time.before_ns, 10);
  EXPECT_EQ(diff_row_named(d, "b").time.before_ns, 5);
  EXPECT_EQ(diff_row_named(d, "b").cause, diff_cause::unchanged);
}

TEST(trace_diff, of_a_side_without_device_work_is_all_removed) {
  const side before{scene().kernel("a", 0, 10).build()}, after{scene().op("x", 0, 10).build()};
  const auto d = diff_of(before.view(), after.view());
  EXPECT_EQ(d.total.after_ns, 0);
  EXPECT_EQ(d.rows.front().cause, diff_cause::removed);
  expect_adds_up(d);
}

TEST(trace_diff, counts_names_on_both_sides) {
  const side before{scene().op("mm", 0, 10).op("add", 10, 5).build()};
  const side after{scene().op("mm", 0, 10).op("add", 10, 5).op("add", 20, 5).op("add", 30, 5).build()};
  const auto changes = count_changes(before.view(), after.view(), counted::ops);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].name, "add");
  EXPECT_EQ(changes[0].count.after, 3);
  EXPECT_EQ(changes[0].busy.after_ns, 15);
  EXPECT_EQ(changes[1].count.before, 1);
}

side random_side(unsigned seed) {
  std::mt19937 dice(seed);
  scene s;
  constexpr const char* names[]{"a", "b", "ncclX", "c"};
  nanoseconds last = 0;
  for (int i = 0; i < 40; ++i) {
    const auto start = static_cast<nanoseconds>(dice() % 1000),
               length = static_cast<nanoseconds>(dice() % 40);
    if (i % 6 == 5)
      s.copy(copy_kind::host_to_device, 1, start, length, 3);
    else
      s.kernel(names[dice() % 4], start, length, static_cast<int>(dice() % 3));
    last = std::max(last, start + length);
  }
  side made{.source = s.build()};
  const auto steps = static_cast<int>(1 + dice() % 5);
  for (int i = 0; i < steps && seed % 3 != 0; ++i)
    made.steps.push_back({last * i / steps, last * (i + 1) / steps - static_cast<nanoseconds>(dice() % 7)});
  return made;
}

class any_pair : public testing::TestWithParam<unsigned> {};

TEST_P(any_pair, causes_add_up_to_the_difference) {
  const auto before = random_side(GetParam() * 2), after = random_side(GetParam() * 2 + 1);
  expect_adds_up(diff_of(before.view(), after.view()));
}

INSTANTIATE_TEST_SUITE_P(seeds, any_pair, testing::Range(1u, 41u));

}  // namespace
}  // namespace ridge::trace
