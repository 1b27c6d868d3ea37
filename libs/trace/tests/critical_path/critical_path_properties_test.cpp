// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/critical_path.hpp>

#include <gtest/gtest.h>

#include <random>

#include <fixtures/scene.hpp>

namespace ridge::trace {
namespace {

using fixtures::scene;
using pc = path_class;

path_graph random_path_graph(const trace& t, const path_options& options = {}) {
  return {t, classes_of(t, communication_names::built_in()), options};
}

void expect_tiles(const critical_path& path) {
  auto at = path.window.start_ns;
  nanoseconds sum = 0;
  for (const auto& s : path.segments) {
    ASSERT_EQ(s.range.start_ns, at);
    ASSERT_GT(s.range.end_ns, s.range.start_ns);
    at = s.range.end_ns;
  }
  EXPECT_EQ(at, path.window.end_ns);
  for (const auto ns : path.by_class) sum += ns;
  EXPECT_EQ(sum, path.window.length_ns());
}

trace random_path_trace(unsigned seed) {
  std::mt19937 dice(seed);
  const auto up_to = [&](int n) { return static_cast<nanoseconds>(dice() % static_cast<unsigned>(n)); };
  scene s;
  nanoseconds host = 0, free[3]{};
  for (int i = 0; i < 60; ++i) {
    host += up_to(30);
    const auto stream = static_cast<int>(up_to(3));
    const auto call = 1 + up_to(8);
    const auto start = std::max(host + up_to(40), free[stream]), length = up_to(60);
    s.op("op" + std::to_string(i % 5), host, call + up_to(20));
    s.kernel(i % 7 == 0 ? "nccl" : "k" + std::to_string(i % 4), start, length, stream,
             {.call_ns = host, .call_length_ns = call});
    free[stream] = start + length + up_to(3) - 1;
    host += call;
    if (i % 9 == 8) {
      const auto ends = std::max({host, free[0], free[1], free[2]}) + up_to(10);
      s.api("cudaDeviceSynchronize", host, ends - host);
      host = ends;
    }
  }
  return s.build();
}

class any_trace : public testing::TestWithParam<unsigned> {};

TEST_P(any_trace, path_tiles_its_window_and_the_replay_gives_the_recorded_length) {
  const auto t = random_path_trace(GetParam());
  for (const auto& options : {path_options{}, path_options{.window = time_range{100, 700}}}) {
    const auto graph = random_path_graph(t, options);
    const auto path = graph.path();
    expect_tiles(path);
    EXPECT_EQ(graph.what_if({}).length_ns, path.window.length_ns());
    const auto slack = graph.slack();
    for (const auto& s : path.segments) {
      if (s.work != none && s.is == pc::compute) {
        EXPECT_EQ(slack.works[s.work], 0);
      }
    }
  }
}

TEST_P(any_trace, gains_of_a_free_class_are_at_most_its_time_on_the_path_and_grow_with_the_change) {
  const auto t = random_path_trace(GetParam());
  const auto graph = random_path_graph(t);
  const auto path = graph.path();
  for (const auto is : {pc::compute, pc::communication, pc::op, pc::launch_delay}) {
    const path_change free{.piece_class = is}, half{.piece_class = is, .per_mille = 500};
    const auto gain = graph.what_if({&free, 1}).gain_ns;
    EXPECT_LE(gain, path.total(is));
    EXPECT_GE(gain, 0);
    EXPECT_LE(graph.what_if({&half, 1}).gain_ns, gain);
  }
}

INSTANTIATE_TEST_SUITE_P(seeds, any_trace, testing::Range(1u, 21u));

}  // namespace
}  // namespace ridge::trace
