// SPDX-License-Identifier: Apache-2.0
#include "cache/trace_cache.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include <ridge/base/read_file.hpp>

#include "cache/cache_layout.hpp"
#include "fixtures/scene.hpp"
#include "fixtures/scratch_folder.hpp"

namespace ridge::trace {
namespace {

namespace fs = std::filesystem;

// A row in every table, no field at its default.
trace full_trace() {
  fixtures::scene s;
  s.op("aten::mm", 0, 900, {.sequence = 4, .forward_thread = 9, .input_dims = 1})
      .annotation("step", 0, 1000)
      .kernel("gemm", 500, 300, 7, {100, 50}, {.grid = {4, 2, 1}, .occupancy = 0.5F})
      .copy(copy_kind::host_to_device, 4096, 900, 100, 8);
  auto& b = s.builder();
  b.add({.start_ns = 10, .track = b.track_of(track_kind::device, 0, 0, 0), .kind = category::synchronization},
        sync_detail{.kind = sync_kind::stream, .stream = 7});
  static_cast<void>(b.add(collective{.in_elements = 64, .operation = s.name("allreduce")}));
  b.add(memory_event{.time_ns = 5, .address = 77, .bytes = -12});
  b.add(flow{.id = 3, .from_ns = 1, .to_ns = 2, .from_track = 0, .to_track = 1});
  b.add(counter_value{.time_ns = 4, .value = 2.5, .series = b.series(s.name("SM Active"), 1)});
  b.add(stack_sample{.time_ns = 6, .weight = 2, .stack = b.frame(none, s.name("main"), s.name("a.out"))});
  const auto kernel =
      b.add(profiled_kernel{.id = 8, .name = s.name("gemm"), .grid = {1, 2, 3}, .block = {4, 5, 6}});
  b.add(kernel_metric{.value = 1.5, .kernel = kernel, .metric = s.name("dram__bytes.sum")});
  auto& f = b.facts();
  f.source = {.path = "p", .format = "made_up", .host = "h", .content_bytes = 10, .rank = 3, .world_size = 8};
  f.epoch_ns = 1'700'000'000'000'000'123;
  f.quality.add(flaw::bad_text, 17, "event 4");
  f.devices.push_back({.id = 0, .name = "H200", .sms = 132, .clock_hz = 1.98e9});
  f.groups.push_back({.name = "0", .description = "default", .ranks = {0, 1, 2}});
  f.processes[0].name = "python3";
  f.tracks[0].name = "main";
  return s.build();
}

template <class T>
std::string bytes_of(std::span<const T> rows) {
  return {reinterpret_cast<const char*>(rows.data()), rows.size_bytes()};
}

std::vector<std::string> spans_of(trace& t) {
  std::vector<std::string> all;
  each_span(t, [&](auto& rows) { all.push_back(bytes_of(rows)); });
  return all;
}

class trace_cache_test : public testing::Test {
 protected:
  [[nodiscard]] fs::path kept_file() const {
    for (const auto& f : fs::directory_iterator(cache_folder)) return f.path();
    return {};
  }
  fixtures::scratch_folder folder{};
  fs::path cache_folder = folder.path() / "cache" / "traces";
  trace_cache cache{cache_folder, "1.0"};
  input_member input{.path = folder.write("a.json", "{}")};
  trace made = full_trace();
};

TEST_F(trace_cache_test, gives_back_every_span_and_every_fact) {
  ASSERT_FALSE(cache.find(input));
  cache.keep(input, made);
  auto found = cache.find(input);
  ASSERT_TRUE(found);
  EXPECT_EQ(spans_of(*found), spans_of(made));
  for (const auto& bytes : spans_of(made)) EXPECT_FALSE(bytes.empty());
  EXPECT_TRUE(found->source.from_cache);
  EXPECT_EQ(found->source.path, input.path);
  EXPECT_EQ(found->source.host, "h");
  EXPECT_EQ(found->source.rank, 3);
  EXPECT_EQ(found->epoch_ns, made.epoch_ns);
  EXPECT_EQ(found->quality.defects.at(0).text, "event 4");
  EXPECT_EQ(found->quality.defects.at(0).offsets, std::vector<std::uint64_t>{17});
  EXPECT_EQ(found->groups.at(0).ranks, (std::vector{0, 1, 2}));
  EXPECT_EQ(found->facts_of(0)->clock_hz, 1.98e9);
  EXPECT_EQ(found->processes.at(0).name, "python3");
  EXPECT_EQ(found->tracks.at(0).name, "main");
  EXPECT_EQ(found->tracks.at(1).count, made.tracks.at(1).count);
  EXPECT_EQ(found->profiled_kernels.at(0).block[2], 6U);
  EXPECT_EQ(found->counters.at(0).device, 1);
  EXPECT_EQ(found->names[found->works[0].name], "gemm");
}

TEST_F(trace_cache_test, survives_the_removal_of_its_file_while_it_is_shown) {
  cache.keep(input, made);
  auto found = cache.find(input);
  ASSERT_TRUE(found);
  fs::remove_all(cache_folder);
  EXPECT_EQ(spans_of(*found), spans_of(made));
}

TEST_F(trace_cache_test, knows_another_input_member_and_program_by_their_keys) {
  cache.keep(input, made);
  EXPECT_FALSE(cache.find({.path = input.path, .member = "rank1.json"}));
  EXPECT_FALSE(trace_cache(cache_folder, "1.1").find(input));
  EXPECT_FALSE(cache.find({.path = folder.write("b.json", "{}")}));
  EXPECT_TRUE(cache.find(input));
  folder.write("a.json", "{ }");
  EXPECT_FALSE(cache.find(input));
}

TEST_F(trace_cache_test, takes_no_file_of_which_one_byte_changed_or_the_end_is_missing) {
  cache.keep(input, made);
  const auto path = kept_file();
  const auto whole = read_file(path).value();
  for (std::size_t at = 0; at < whole.size(); at += 61) {
    auto bad = whole;
    bad[at] ^= 1;
    std::ofstream(path, std::ios::binary) << bad;
    ASSERT_FALSE(cache.find(input)) << "byte " << at;
  }
  for (const auto size : {std::size_t{0}, std::size_t{63}, whole.size() / 2, whole.size() - 1}) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, size);
    ASSERT_FALSE(cache.find(input)) << size << " bytes";
  }
  cache.keep(input, made);
  EXPECT_TRUE(cache.find(input));
}

TEST_F(trace_cache_test, removes_what_was_used_longest_ago) {
  cache.keep(input, made);
  const auto each = fs::file_size(kept_file());
  const trace_cache small(cache_folder, "1.0", each * 2);
  const input_member second{.path = folder.write("b.json", "{}")},
      third{.path = folder.write("c.json", "{}")};
  const auto age = [&](const fs::path& f, int hours) {
    fs::last_write_time(f, fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  age(kept_file(), 9);
  small.keep(second, made);
  for (const auto& f : fs::directory_iterator(cache_folder)) age(f.path(), 5);
  ASSERT_TRUE(small.find(input));  // now used last
  small.keep(third, made);
  EXPECT_TRUE(small.find(input));
  EXPECT_FALSE(small.find(second));
  EXPECT_TRUE(small.find(third));
}

TEST_F(trace_cache_test, removes_what_a_process_left_half_written_an_hour_ago) {
  fs::create_directories(cache_folder);
  const auto old = cache_folder / "new.abcdef", fresh = cache_folder / "new.ghijkl",
             other = cache_folder / "notes";
  for (const auto& f : {old, fresh, other}) std::ofstream(f) << "x";
  for (const auto& f : {old, other})
    fs::last_write_time(f, fs::file_time_type::clock::now() - std::chrono::hours(2));
  cache.keep(input, made);
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh));
  EXPECT_TRUE(fs::exists(other));
}

TEST_F(trace_cache_test, is_not_in_the_way_where_it_cannot_be_written) {
  const trace_cache blocked(fs::path(input.path) / "below_a_file", "1.0");
  blocked.keep(input, made);
  EXPECT_FALSE(blocked.find(input));
  EXPECT_FALSE(trace_cache({}, "1.0").find(input));
}

}  // namespace
}  // namespace ridge::trace
