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
  op_tree ops = op_tree_of(source);
  scope_tree modules = scopes_of(source, ops, scope_kind::modules);
  [[nodiscard]] diff_side view() const {
    return {.source = &source,
            .classes = classes,
            .all_devices = true,
            .ops = &ops,
            .modules = &modules,
            .steps = steps};
  }
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
  for (int s = 0; s < diff_state_count; ++s) {
    EXPECT_EQ(rows[s].before_ns, d.states.at(static_cast<std::size_t>(s)).before_ns);
    EXPECT_EQ(rows[s].after_ns, d.states.at(static_cast<std::size_t>(s)).after_ns);
  }
  EXPECT_EQ(d.remainder_ns, 0);
  diff_time devices{}, tree{}, roots{};
  for (const auto& device : d.devices) {
    diff_time of_states{};
    for (const auto& s : device.states)
      of_states = {of_states.before_ns + s.before_ns, of_states.after_ns + s.after_ns};
    EXPECT_EQ(of_states.before_ns, device.total.before_ns);
    EXPECT_EQ(of_states.after_ns, device.total.after_ns);
    devices = {devices.before_ns + device.total.before_ns, devices.after_ns + device.total.after_ns};
  }
  for (const auto& node : d.tree) {
    tree = {tree.before_ns + node.own.before_ns, tree.after_ns + node.own.after_ns};
    if (node.parent == none)
      roots = {roots.before_ns + node.whole.before_ns, roots.after_ns + node.whole.after_ns};
  }
  for (const auto& sum : {devices, tree, roots}) {
    EXPECT_EQ(sum.before_ns, d.total.before_ns);
    EXPECT_EQ(sum.after_ns, d.total.after_ns);
  }
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
  EXPECT_EQ(diff_row_named(d, "k").time.before_ns, 40);
  EXPECT_EQ(diff_row_named(d, "k").time.after_ns, 41);  // 124 / 3
  EXPECT_EQ(diff_row_named(d, "k").calls_ns, 0);        // one call a step on both sides
  EXPECT_EQ(d.state(diff_state::idle).after_ns, 59);
  EXPECT_EQ(diff_row_named(d, "k").calls.after, 3);
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

TEST(trace_diff, idle_time_has_rows_by_cause) {
  const side before{
      scene().kernel("a", 0, 100'000, 7, {0, 10}).kernel("b", 100'000, 5'000, 7, {20, 10}).build()};
  // The second launch comes 50 us late, from Python.
  const side after{scene()
                       .kernel("a", 0, 100'000, 7, {0, 10})
                       .python("train.py(3): log", 20, 149'000)
                       .kernel("b", 160'000, 5'000, 7, {150'000, 10})
                       .build()};
  const auto d = diff_of(before.view(), after.view());
  const auto& late = diff_row_named(d, "python");
  EXPECT_EQ(late.state, diff_state::idle);
  EXPECT_EQ(late.cause, diff_cause::more_idle);
  EXPECT_EQ(d.rows.front().state, diff_state::idle);
  EXPECT_GT(late.time.delta_ns(), 45'000);
  expect_adds_up(d);
}

TEST(trace_diff, looks_at_all_devices) {
  const side before{scene().kernel("k", 0, 100).kernel("k", 0, 100, 8, {}, {.device = 1}).build()};
  const side after{scene().kernel("k", 0, 100).kernel("k", 0, 170, 8, {}, {.device = 1}).build()};
  const auto d = diff_of(before.view(), after.view());
  EXPECT_EQ(d.total.delta_ns(), 70);
  ASSERT_EQ(d.devices.size(), 2U);
  EXPECT_EQ(d.devices[1].after, 1);
  EXPECT_EQ(d.devices[1].total.delta_ns(), 70);
  EXPECT_EQ(diff_row_named(d, "k").calls.before, 2);
  expect_adds_up(d);
  auto first = before.view(), second = after.view();
  first.all_devices = second.all_devices = false;
  EXPECT_EQ(diff_of(first, second).total.delta_ns(), 0);
}

TEST(trace_diff, kernels_that_another_library_names_otherwise_are_one_row) {
  const auto made = [](std::string_view product, std::string_view sum, nanoseconds length) {
    scene s;
    s.op("aten::mm", 0, 50).op("aten::add", 60, 20);
    s.kernel(product, 1000, length, 7, {10, 2}).kernel(product, 2000, length, 7, {20, 2});
    s.kernel("split_k_reduce", 3000, 5, 7, {30, 2}).kernel(sum, 4000, 10, 7, {65, 2});
    return side{s.build()};
  };
  const auto before = made("sgemm_128x64", "add_v1", 100), after = made("cutlass_gemm", "add_v1", 70);
  const auto d = diff_of(before.view(), after.view());
  const auto& row = diff_row_named(d, "sgemm_128x64");
  EXPECT_EQ(row.cause, diff_cause::renamed);
  EXPECT_EQ(row.new_name, "cutlass_gemm");
  EXPECT_EQ(row.time.delta_ns(), -60);
  EXPECT_EQ(row.calls.after, 2);
  EXPECT_EQ(std::ranges::count(d.rows, "cutlass_gemm", &diff_row::name), 0);
  EXPECT_EQ(diff_row_named(d, "split_k_reduce").cause, diff_cause::unchanged);
  expect_adds_up(d);
}

TEST(trace_diff, says_which_module_changed) {
  const auto made = [](nanoseconds second) {
    scene s;
    s.python("nn.Module: Net_0", 0, 100).python("nn.Module: A_0", 5, 20).python("nn.Module: B_0", 30, 20);
    s.kernel("k", 1000, 50, 7, {10, 2}).kernel("k", 1050, second, 7, {35, 2});
    return side{s.build()};
  };
  const auto before = made(50), after = made(90);
  const auto d = diff_of(before.view(), after.view());
  const auto node = [&](std::string_view name) { return *std::ranges::find(d.tree, name, &diff_node::name); };
  EXPECT_EQ(node("Net_0").whole.delta_ns(), 40);
  EXPECT_EQ(node("A_0").whole.delta_ns(), 0);
  EXPECT_EQ(node("B_0").whole.delta_ns(), 40);
  expect_adds_up(d);
}

side random_side(unsigned seed) {
  std::mt19937 dice(seed);
  scene s;
  constexpr const char* names[]{"a", "b", "ncclX", "c"};
  constexpr const char* ops[]{"aten::mm", "aten::add", "aten::mul"};
  constexpr const char* modules[]{"nn.Module: Net_0", "nn.Module: A_0", "nn.Module: B_1"};
  for (int i = 0; i < 20; ++i) s.op(ops[dice() % 3], i * 50, 5 + static_cast<nanoseconds>(dice() % 40));
  for (int i = 0; i < 6; ++i)
    s.python(modules[dice() % 3], i * 160, 20 + static_cast<nanoseconds>(dice() % 130));
  nanoseconds last = 0;
  for (int i = 0; i < 40; ++i) {
    const auto start = static_cast<nanoseconds>(dice() % 1000),
               length = static_cast<nanoseconds>(dice() % 40), scale = nanoseconds{seed % 2 == 0 ? 1 : 5000};
    const device_work where{.device = static_cast<std::int32_t>(dice() % (1 + seed % 4))};
    const fixtures::launched call{start, dice() % 3 == 0 ? 0 : 2};
    if (i % 6 == 5)
      s.copy(copy_kind::host_to_device, 1, start * scale, length * scale, 3, call, where);
    else
      s.kernel(names[dice() % 4], start * scale, length * scale, static_cast<int>(dice() % 3), call, where);
    last = std::max(last, (start + length) * scale);
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

INSTANTIATE_TEST_SUITE_P(seeds, any_pair, testing::Range(1u, 201u));

}  // namespace
}  // namespace ridge::trace
