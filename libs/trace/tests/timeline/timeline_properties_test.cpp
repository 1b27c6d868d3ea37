// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <gmock/gmock.h>

#include <ridge/trace/device_partition.hpp>
#include <ridge/trace/overlap.hpp>

#include "fixtures/scene.hpp"

// What must hold for any trace: made-up ones of a few works on small times, by seed.
namespace ridge::trace {
namespace {

struct work_piece {
  work_class kind = work_class::compute;
  nanoseconds start = 0, length = 0;
  std::int32_t stream = 0;
};

std::vector<work_piece> pieces(std::mt19937& draw, nanoseconds within = 200) {
  std::vector<work_piece> out(1 + draw() % 14);
  for (auto& p : out) {
    p = {static_cast<work_class>(draw() % 4), static_cast<nanoseconds>(draw()) % within,
         static_cast<nanoseconds>(draw() % 40), static_cast<std::int32_t>(draw() % 3)};
  }
  return out;
}

void add_piece(fixtures::scene& scene, const work_piece& p) {
  if (p.kind == work_class::copy)
    return void(scene.copy(copy_kind::host_to_device, 1, p.start, p.length, p.stream));
  if (p.kind != work_class::fill)
    return void(scene.kernel(p.kind == work_class::compute ? "gemm" : "nccl", p.start, p.length, p.stream));
  auto& b = scene.builder();
  b.add({.start_ns = p.start,
         .duration_ns = p.length,
         .name = b.intern("Memset"),
         .track = b.track_of(track_kind::stream, b.process(1), p.stream, 0),
         .kind = category::fill},
        device_work{.stream = p.stream});
}

trace trace_of(std::span<const work_piece> all) {
  fixtures::scene in;
  for (const auto& p : all) add_piece(in, p);
  return in.build();
}

device_partition partition(const trace& t, std::optional<time_range> window = {}) {
  return partition_devices(t, classes_of(t, communication_names::built_in()), window).front();
}

device_partition partition(std::span<const work_piece> all, std::optional<time_range> window = {}) {
  return partition(trace_of(all), window);
}

// The same by asking, for each nanosecond, what runs.
device_partition by_counting(std::span<const work_piece> all, time_range window) {
  device_partition out{.window = window};
  for (auto at = window.start_ns; at < window.end_ns; ++at) {
    bool runs[4]{};
    for (const auto& p : all) {
      if (at >= p.start && at < p.start + p.length) runs[static_cast<int>(p.kind)] = true;
    }
    const auto [kernels, communication, copies, fills] = runs;
    const bool compute = kernels || fills;
    out.compute_ns += compute;
    out.fill_only_ns += fills && !kernels;
    out.communication_ns += communication;
    out.copy_ns += copies;
    out.communication_under_compute_ns += compute && communication;
    out.exposed_communication_ns += communication && !compute;
    out.exposed_copy_ns += copies && !communication && !compute;
    out.idle_ns += !compute && !communication && !copies;
  }
  return out;
}

void expect_sums(const device_partition& p) {
  EXPECT_EQ(p.compute_ns + p.exposed_communication_ns + p.exposed_copy_ns + p.idle_ns, p.window.length_ns());
  EXPECT_EQ(p.communication_ns, p.exposed_communication_ns + p.communication_under_compute_ns);
  EXPECT_LE(p.exposed_copy_ns, p.copy_ns);
  EXPECT_LE(p.fill_only_ns, p.compute_ns);
}

TEST(timeline_properties, the_sweep_agrees_with_asking_every_nanosecond) {
  std::mt19937 draw(11);
  for (int round = 0; round < 600; ++round) {
    const auto all = pieces(draw);
    const time_range window{static_cast<nanoseconds>(draw() % 120),
                            60 + static_cast<nanoseconds>(draw() % 200)};
    auto found = partition(all, window);
    expect_sums(found);
    found.works = 0;
    ASSERT_EQ(found, by_counting(all, window)) << "round " << round;
  }
}

TEST(timeline_properties, a_union_is_at_most_the_sum_and_adding_work_never_shortens_it) {
  std::mt19937 draw(12);
  const time_range window{0, 300};
  for (int round = 0; round < 400; ++round) {
    auto all = pieces(draw);
    nanoseconds sum = 0;
    for (const auto& p : all) sum += p.length;
    const auto before = partition(all, window).busy_ns();
    EXPECT_LE(before, sum);
    all.push_back(pieces(draw).front());
    EXPECT_GE(partition(all, window).busy_ns(), before);
  }
}

TEST(timeline_properties, longer_times_by_a_factor_give_results_longer_by_it) {
  std::mt19937 draw(13);
  for (int round = 0; round < 200; ++round) {
    auto all = pieces(draw);
    const auto once = partition(all);
    for (auto& p : all) p.start *= 1000, p.length *= 1000;
    const auto thousandfold = partition(all);
    EXPECT_EQ(thousandfold.compute_ns, once.compute_ns * 1000);
    EXPECT_EQ(thousandfold.exposed_communication_ns, once.exposed_communication_ns * 1000);
    EXPECT_EQ(thousandfold.exposed_copy_ns, once.exposed_copy_ns * 1000);
    EXPECT_EQ(thousandfold.idle_ns, once.idle_ns * 1000);
  }
}

TEST(timeline_properties, the_order_in_which_events_come_changes_nothing) {
  std::mt19937 draw(14);
  for (int round = 0; round < 200; ++round) {
    auto all = pieces(draw);
    const auto t = trace_of(all);
    std::ranges::shuffle(all, draw);
    const auto shuffled = trace_of(all);
    ASSERT_EQ(partition(t), partition(shuffled));
    const auto a = overlaps_of(t, classes_of(t, communication_names::built_in())).front();
    const auto b = overlaps_of(shuffled, classes_of(shuffled, communication_names::built_in())).front();
    ASSERT_EQ(a.both_ns, b.both_ns);
    ASSERT_EQ(a.twice_ns, b.twice_ns);
  }
}

TEST(timeline_properties, windows_side_by_side_add_up) {
  std::mt19937 draw(15);
  for (int round = 0; round < 300; ++round) {
    const auto t = trace_of(pieces(draw));
    const auto cut = static_cast<nanoseconds>(draw() % 260);
    const time_range windows[]{{0, cut}, {cut, 260}};
    const auto parts = partition_windows(t, classes_of(t, communication_names::built_in()), 0, windows);
    const auto whole = partition(t, time_range{0, 260});
    EXPECT_EQ(parts[0].compute_ns + parts[1].compute_ns, whole.compute_ns);
    EXPECT_EQ(parts[0].exposed_communication_ns + parts[1].exposed_communication_ns,
              whole.exposed_communication_ns);
    EXPECT_EQ(parts[0].exposed_copy_ns + parts[1].exposed_copy_ns, whole.exposed_copy_ns);
    EXPECT_EQ(parts[0].idle_ns + parts[1].idle_ns, whole.idle_ns);
    EXPECT_GE(parts[0].works + parts[1].works, whole.works);  // work across the cut is in both
  }
}

TEST(timeline_properties, overlaps_are_symmetric_and_within_the_time_of_each) {
  std::mt19937 draw(16);
  for (int round = 0; round < 300; ++round) {
    const auto t = trace_of(pieces(draw));
    const auto m = overlaps_of(t, classes_of(t, communication_names::built_in())).front();
    for (std::size_t a = 0; a < work_class_count; ++a) {
      EXPECT_LE(m.alone_ns[a], m.both_ns[a][a]);
      EXPECT_LE(m.twice_ns[a], m.both_ns[a][a]);
      for (std::size_t b = 0; b < work_class_count; ++b) {
        EXPECT_EQ(m.both_ns[a][b], m.both_ns[b][a]);
        EXPECT_LE(m.both_ns[a][b], m.both_ns[a][a]);
      }
    }
  }
}

}  // namespace
}  // namespace ridge::trace
