// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ridge/trace/collectives.hpp>

#include "fixtures/scene.hpp"

namespace ridge::trace {
namespace {

const auto built_in_names = communication_names::built_in();

struct recorded_part {
  std::string_view operation = "allreduce";
  std::string_view group = "0";
  std::int64_t sequence = -1;
  std::uint32_t group_size = 0;
};

void add_recorded(fixtures::scene& scene, const recorded_part& t, nanoseconds start, nanoseconds length) {
  const auto row = scene.builder().add(collective{.sequence = t.sequence,
                                                  .operation = scene.name(t.operation),
                                                  .group = scene.name(t.group),
                                                  .group_size = t.group_size});
  scene.kernel("ncclDevKernel_Generic", start, length, 9, {}, {.collective = row});
}

matched_collectives matched(std::vector<fixtures::scene>& scenes, bool ranked = true) {
  std::vector<trace> traces;
  for (auto& s : scenes) {
    if (ranked) s.builder().facts().source.rank = static_cast<int>(traces.size());
    traces.push_back(s.build());
  }
  return match_collectives(traces, built_in_names);
}

std::size_t with_parts(const matched_collectives& m, std::size_t parts) {
  std::size_t count = 0;
  for (const auto& i : m.instances) count += i.parts.size() == parts;
  return count;
}

TEST(collectives, numbers_join_what_order_would_not) {
  std::vector<fixtures::scene> scenes(2);
  add_recorded(scenes[0], {.sequence = 1}, 0, 10);
  add_recorded(scenes[0], {.sequence = 2}, 20, 10);
  add_recorded(scenes[1], {.sequence = 2}, 20, 10);  // recording began later
  add_recorded(scenes[1], {.sequence = 3}, 40, 10);
  const auto m = matched(scenes);
  EXPECT_EQ(m.instances.size(), 3U);
  EXPECT_EQ(with_parts(m, 2), 1U);
  EXPECT_EQ(m.unmatched, 2U);
  EXPECT_EQ(m.instances[0].matched, matched_by::nothing);
  EXPECT_EQ(m.instances[1].sequence, 2);
}

TEST(collectives, groups_stand_apart) {
  std::vector<fixtures::scene> scenes(4);
  for (std::size_t r = 0; r < 4; ++r)
    for (int k = 0; k < 5; ++k)
      add_recorded(scenes[r], {.group = r < 2 ? "left" : "right", .sequence = k, .group_size = 2}, 100 * k,
                   10);
  const auto m = matched(scenes);
  EXPECT_EQ(m.instances.size(), 10U);
  EXPECT_EQ(with_parts(m, 2), 10U);
  for (const auto& i : m.instances) {
    EXPECT_EQ(i.complete(), true);
    EXPECT_EQ(i.parts[0].participant / 2, i.parts[1].participant / 2);
  }
}

TEST(collectives, kinds_of_one_number_stand_apart) {
  std::vector<fixtures::scene> scenes(2);
  for (auto& s : scenes) {
    add_recorded(s, {.operation = "allreduce", .sequence = 4}, 0, 10);
    add_recorded(s, {.operation = "send", .sequence = 4, .group_size = 2}, 20, 10);
  }
  const auto m = matched(scenes);
  EXPECT_EQ(m.instances.size(), 2U);
  EXPECT_EQ(with_parts(m, 2), 2U);
}

// In a larger group the n-th send of a rank need not meet the n-th receive of another.
TEST(collectives, sends_between_many_stand_alone) {
  std::vector<fixtures::scene> scenes(4);
  for (auto& s : scenes) add_recorded(s, {.operation = "send", .sequence = 4, .group_size = 4}, 0, 10);
  const auto m = matched(scenes);
  EXPECT_EQ(with_parts(m, 1), 4U);
  EXPECT_EQ(m.unmatched, 4U);
}

// Ends lie unevenly, so that one place alone fits: rank 1 lacks the first two and the last.
TEST(collectives, a_shorter_recording_is_placed_where_its_ends_fit) {
  std::vector<fixtures::scene> scenes(2);
  const nanoseconds ends[] = {1'000, 2'300, 3'100, 5'900, 6'400, 9'000, 9'500, 12'000};
  for (int k = 0; k < 8; ++k) scenes[0].kernel("ncclAllReduce", ends[k] - 200, 200);
  for (int k = 2; k < 7; ++k) scenes[1].kernel("ncclAllReduce", ends[k] - 150 + 1'000'000, 150 + k % 2);
  const auto m = matched(scenes);
  EXPECT_TRUE(m.shifted);
  EXPECT_EQ(with_parts(m, 2), 5U);
  EXPECT_EQ(m.unmatched, 3U);
  EXPECT_EQ(m.instances[1].parts.size(), 1U);
  ASSERT_EQ(m.instances[2].parts.size(), 2U);
  EXPECT_EQ(m.instances[2].parts[1].end_ns, 1'003'100);
}

// Both ranks hold five of nine, not the same five: order would join strangers.
TEST(collectives, samples_of_equal_length_are_joined_by_their_ends) {
  std::vector<fixtures::scene> scenes(2);
  const nanoseconds ends[] = {1'000'000, 2'300'000, 3'100'000,  5'900'000, 6'400'000,
                              9'000'000, 9'500'000, 12'000'000, 13'700'000};
  for (int k : {0, 1, 3, 6, 8}) scenes[0].kernel("ncclAllReduce", ends[k] - 200, 200);
  for (int k : {0, 2, 3, 6, 8}) scenes[1].kernel("ncclAllReduce", ends[k] - 150 + 70'000, 150);
  const auto m = matched(scenes);
  EXPECT_TRUE(m.shifted);
  EXPECT_EQ(with_parts(m, 2), 4U);
  EXPECT_EQ(m.unmatched, 2U);
  for (const auto& i : m.instances) {
    if (i.parts.size() < 2) continue;
    EXPECT_EQ(i.parts[1].end_ns - i.parts[0].end_ns, 70'000);
  }
}

// A steady beat fits at every place: which of the eight the five were cannot be told.
TEST(collectives, a_steady_beat_does_not_tell_which_are_missing) {
  std::vector<fixtures::scene> scenes(2);
  for (int k = 0; k < 8; ++k) scenes[0].kernel("ncclAllReduce", 1'000 * k, 200);
  for (int k = 0; k < 5; ++k) scenes[1].kernel("ncclAllReduce", 1'000 * k + 3, 200);
  EXPECT_EQ(matched(scenes).unmatched, 13U);
}

// The root of a broadcast ends early and unevenly.
TEST(collectives, roots_are_joined_by_order) {
  std::vector<fixtures::scene> scenes(2);
  for (int k = 0; k < 6; ++k) {
    scenes[0].kernel("ncclBroadcast", 1'000 * k, 100 + 700 * (k % 2));
    scenes[1].kernel("ncclBroadcast", 1'000 * k, 900);
  }
  EXPECT_EQ(with_parts(matched(scenes), 2), 6U);
}

TEST(collectives, two_of_many_cannot_be_placed) {
  std::vector<fixtures::scene> scenes(2);
  for (int k = 0; k < 8; ++k) scenes[0].kernel("ncclAllReduce", 1'000 * k, 200);
  for (int k = 0; k < 2; ++k) scenes[1].kernel("ncclAllReduce", 1'000 * k, 200);
  const auto m = matched(scenes);
  EXPECT_EQ(m.unmatched, 10U);
}

TEST(collectives, two_profiles_of_a_rank_are_not_two_ranks) {
  std::vector<fixtures::scene> scenes(4);
  std::vector<trace> traces;
  for (int i = 0; i < 4; ++i) {
    auto& s = scenes[static_cast<std::size_t>(i)];
    const nanoseconds later = i < 2 ? 1'000'000 : 0;  // the later profile stands first
    for (int k = 0; k < 3; ++k) s.kernel("ncclAllReduce", later + 1'000 * k, 200);
    s.builder().facts().source.rank = i % 2;
    traces.push_back(s.build());
  }
  const auto m = match_collectives(traces, built_in_names);
  EXPECT_EQ(m.instances.size(), 6U);
  EXPECT_EQ(with_parts(m, 2), 6U);
  EXPECT_EQ(m.participants[0].cohort, 1U);
  EXPECT_EQ(m.participants[0].label, "rank 0 (profile 2)");
  EXPECT_EQ(m.participants[2].label, "rank 0");
}

TEST(collectives, devices_of_one_trace_take_part_each) {
  std::vector<fixtures::scene> scenes(1);
  for (std::int32_t d : {0, 1})
    for (int k = 0; k < 3; ++k) scenes[0].kernel("ncclAllReduce", 1'000 * k, 200, 9, {}, {.device = d});
  const auto m = matched(scenes, false);
  ASSERT_EQ(m.participants.size(), 2U);
  EXPECT_EQ(m.participants[1].label, "device 1");
  EXPECT_EQ(with_parts(m, 2), 3U);
}

// The framework's range around the launch says what a kernel that sends and receives is for.
TEST(collectives, the_range_around_a_launch_tells_the_kind) {
  std::vector<fixtures::scene> scenes(1);
  auto& s = scenes[0];
  s.annotation("step", 0, 10'000).annotation("nccl:all_to_all", 100, 500);
  s.kernel("ncclKernel_SendRecv_RING", 1'000, 200, 9, {.call_ns = 300, .call_length_ns = 20});
  s.kernel("ncclKernel_SendRecv_RING", 2'000, 200, 9, {.call_ns = 700, .call_length_ns = 20});
  const auto m = matched(scenes);
  EXPECT_EQ(m.instances[0].kind, collective_kind::all_to_all);
  EXPECT_EQ(m.instances[1].kind, collective_kind::send_receive);
}

TEST(collectives, knows_the_size_of_types) {
  EXPECT_EQ(bytes_of_dtype("BFloat16"), 2);
  EXPECT_EQ(bytes_of_dtype("c10::Half"), 2);
  EXPECT_EQ(bytes_of_dtype("Float8_e4m3fn"), 1);
  EXPECT_EQ(bytes_of_dtype("Long"), 8);
  EXPECT_FALSE(bytes_of_dtype("Quint4x2"));
}

}  // namespace
}  // namespace ridge::trace
