// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/launch_replay.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include <fixtures/scene.hpp>

namespace ridge::trace {
namespace {

constexpr nanoseconds step_ns = 1'000'000;

// 50 launches, one each 20 us, of kernels of `length`; nothing waits.
trace eager(nanoseconds length, bool frames = false) {
  fixtures::scene s;
  nanoseconds free = 0;
  for (int i = 0; i < 50; ++i) {
    const nanoseconds at = i * 20'000;
    for (int f = 0; frames && f < 30; ++f) s.python("f.py(1): f", at + f * 100, 50);
    const auto start = std::max(free, at + 6'000);
    s.kernel("k", start, length, 7, {.call_ns = at + 4'000, .call_length_ns = 2'000});
    free = start + length;
  }
  return s.build();
}

host_outlook look(const trace& t, const host_line_options& options = {}) {
  const auto waits = host_waits_of(t);
  return outlook_of(host_line_of(t, 0, {0, step_ns}, waits.waits, options), step_ns);
}

constexpr host_line_options free_of_cost{
    .costs = {.frame_ns = 0, .op_ns = 0, .shaped_op_ns = 0, .call_ns = 0}};

TEST(launch_replay, finds_launches_that_the_device_waits_for_and_none_where_it_is_busy) {
  const auto small = look(eager(5'000), free_of_cost), large = look(eager(40'000), free_of_cost);
  EXPECT_NEAR(static_cast<double>(small.window_ns), 1e6, 1e3);
  EXPECT_NEAR(static_cast<double>(small.preparation_ns), 50 * 14'000, 2e4);  // 20 us less kernel and handover
  EXPECT_EQ(large.preparation_ns, 0);
}

TEST(launch_replay, leaves_out_what_recording_cost) {
  const auto t = eager(5'000, true);
  const auto believed = look(t, {.costs = {.frame_ns = 300, .op_ns = 0, .shaped_op_ns = 0, .call_ns = 0}});
  EXPECT_NEAR(static_cast<double>(believed.profiler_ns), 50 * 9'000, 2e4);
  EXPECT_EQ(believed.window_ns + believed.profiler_ns, step_ns);
  EXPECT_EQ(look(eager(40'000, true)).profiler_ns, 0);  // the device hides it
}

TEST(launch_replay, believes_no_cost_that_the_recording_contradicts) {
  // 30 frames of 3.5 us would take 105 us of every 20.
  const auto believed = look(eager(5'000, true));
  EXPECT_NEAR(static_cast<double>(believed.window_ns), 1e6 / 3, 2e4);
  EXPECT_GT(believed.preparation_ns, 0);
  EXPECT_EQ(look(eager(5'000, true), {.most_cost_share = 0}).profiler_ns, 0);
}

TEST(launch_replay, tells_waits_from_launches) {
  fixtures::scene s;
  nanoseconds at = 0;
  for (int i = 0; i < 10; ++i) {  // work of 80 us, a wait for it, 20 us of the host
    s.kernel("k", at + 6'000, 80'000, 7, {.call_ns = at + 2'000, .call_length_ns = 2'000});
    s.api("cudaStreamSynchronize", at + 5'000, 82'000);
    at += 100'000;
  }
  const auto t = s.build();
  const auto waits = host_waits_of(t);
  const auto line = host_line_of(t, 0, {0, at}, waits.waits, free_of_cost);
  const auto seen = outlook_of(line, at);
  EXPECT_NEAR(static_cast<double>(seen.waits_ns), 10 * 20'000, 3e4);  // and the time to wake up
}

TEST(host_line, finds_where_the_host_was_and_what_it_did_there) {
  fixtures::scene s;
  s.python("train.py(1): main", 0, 12'000'000);
  for (int i = 0; i < 20; ++i)
    s.kernel("k", i * 20'000 + 6'000, 10'000, 7, {.call_ns = i * 20'000, .call_length_ns = 2'000});
  s.python("store.py(5): fetch", 500'000, 9'000'000);
  s.python("<built-in function sleep>", 600'000, 8'800'000);
  s.kernel("k", 9'510'000, 10'000, 7, {.call_ns = 9'504'000, .call_length_ns = 2'000});
  const auto t = s.build();
  const auto line = host_line_of(t, 0, {0, 9'600'000}, {});
  const auto at = std::ranges::find_if(line.points, &line_point::is_elsewhere);
  ASSERT_NE(at, line.points.end());
  EXPECT_EQ(at->elsewhere, idle_cause::off_cpu);
  EXPECT_EQ(t.name_of(at->blamed), "<built-in function sleep>");
  EXPECT_NEAR(static_cast<double>(outlook_of(line, 9'600'000).elsewhere_ns), 9.0e6, 2e5);
}

// Samples of the thread, `in_decode` of ten in decode() and the others in checksum(), both called by load().
name_id function_of_absence(int in_decode, trace& kept) {
  fixtures::scene s;
  for (int i = 0; i < 20; ++i)
    s.kernel("k", i * 20'000 + 6'000, 10'000, 7, {.call_ns = i * 20'000, .call_length_ns = 2'000});
  s.kernel("k", 9'510'000, 10'000, 7, {.call_ns = 9'504'000, .call_length_ns = 2'000});
  auto& b = s.builder();
  const auto main = b.frame(none, b.intern("main()"), 0), load = b.frame(main, b.intern("load()"), 0);
  const auto decode = b.frame(load, b.intern("decode()"), 0),
             checksum = b.frame(load, b.intern("checksum()"), 0);
  const auto thread = b.track_of(track_kind::thread, b.process(1), 1),
             other = b.track_of(track_kind::thread, b.process(1), 2);
  for (int i = 0; i < 10; ++i) {
    b.add(stack_sample{
        .time_ns = 1'000'000 + i * 800'000, .stack = i < in_decode ? decode : checksum, .track = thread});
    b.add(stack_sample{.time_ns = 1'000'000 + i * 800'000, .weight = 99, .stack = main, .track = other});
  }
  kept = s.build();
  const auto line = host_line_of(kept, 0, {0, 9'600'000}, {});
  const auto at =
      std::ranges::find_if(line.points, [](const line_point& p) { return p.free_ns > 5'000'000; });
  EXPECT_NE(at, line.points.end());
  return at == line.points.end() ? name_id{0} : at->function;
}

TEST(host_line, names_the_deepest_function_that_most_samples_are_in) {
  trace t;
  const auto mostly_decode = function_of_absence(8, t);
  EXPECT_EQ(t.names[mostly_decode], "decode()");
  const auto half = function_of_absence(5, t);
  EXPECT_EQ(t.names[half], "load()");
}

TEST(host_line, of_a_device_that_nothing_launched_on_is_empty) {
  fixtures::scene s;
  s.kernel("k", 0, 1'000);
  const auto t = s.build();
  const auto line = host_line_of(t, 0, {0, 1'000}, {});
  EXPECT_TRUE(line.works.empty());
  EXPECT_FALSE(outlook_of(line, 1'000).known);
}

}  // namespace
}  // namespace ridge::trace
