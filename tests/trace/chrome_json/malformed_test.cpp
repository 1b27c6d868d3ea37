// SPDX-License-Identifier: Apache-2.0
// What malformed/EXPECT.json says of each damaged input, as far as reading is concerned.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <ridge/trace/importer.hpp>
#include <ridge/trace/open.hpp>

#include "fixtures/backend_importers.hpp"
#include "fixtures/data.hpp"
#include "fixtures/reference_reader.hpp"

namespace ridge::trace {
namespace {

using testing::HasSubstr;

class malformed : public testing::Test {
 protected:
  void SetUp() override {
    if (path_of("EXPECT.json").empty()) GTEST_SKIP() << fixtures::no_data;
  }

  static std::string path_of(const std::string& name) {
    return fixtures::data_file("traces/malformed/" + name);
  }

  static const importer& json() { return backends::trace_chrome_json::chrome_json(); }

  static trace read(const std::string& text) {
    auto made = json().read(*source_of(text), {}, {});
    EXPECT_TRUE(made.ok()) << (made ? "" : made.why().text());
    return made ? std::move(made).value() : trace{};
  }
  static trace read_file(const std::string& name) { return read(fixtures::text_of(path_of(name))); }

  static std::string refusal(const std::string& name) {
    const auto made = json().read(*source_of(fixtures::text_of(path_of(name))), {}, {});
    EXPECT_FALSE(made.ok());
    return made ? "" : made.why().message;
  }

  static trace opened(const std::string& name) {
    const std::array<const importer*, 1> importers{&json()};
    auto made = open(path_of(name), importers, {.cache = false});
    EXPECT_TRUE(made.ok()) << (made ? "" : made.why().text());
    return made && !made->traces.empty() ? std::move(made->traces.front()) : trace{};
  }
  static std::string unopened(const std::string& name) {
    const std::array<const importer*, 1> importers{&json()};
    const auto made = open(path_of(name), importers, {.cache = false});
    EXPECT_FALSE(made.ok());
    return made ? "" : made.why().text();
  }
};

TEST_F(malformed, cut_in_an_event_keeps_the_whole_ones) {
  const auto text = fixtures::text_of(path_of("trunc_mid_event.json"));
  const auto whole = text.substr(0, text.rfind("\n  },")) + "}]}";
  const auto t = read(text);
  EXPECT_EQ(t.events.size(), fixtures::reference_trace(whole).events.size());
  ASSERT_EQ(t.quality.count(flaw::truncated), 1U);
  EXPECT_EQ(t.quality.defects.front().offsets.front(), text.size());
}

TEST_F(malformed, cut_gzip_keeps_the_whole_events) {
  const auto t = opened("trunc_gzip.json.gz");
  EXPECT_GT(t.events.size(), 1000U);
  EXPECT_EQ(t.quality.count(flaw::truncated), 1U);
}

TEST_F(malformed, byte_order_mark_is_skipped) {
  const auto t = read_file("bom.json");
  const auto text = fixtures::text_of(path_of("bom.json"));
  EXPECT_EQ(t.events.size(), fixtures::reference_trace(text.substr(3)).events.size());
  EXPECT_TRUE(t.quality.defects.empty());
}

TEST_F(malformed, list_needs_no_end) {
  const auto t = read_file("array_no_close.json");
  EXPECT_EQ(t.works.size(), 100U);
  EXPECT_FALSE(t.quality.truncated());
}

TEST_F(malformed, raw_control_characters_are_accepted_and_counted) {
  const auto t = read_file("raw_control_char.json");
  EXPECT_EQ(t.quality.count(flaw::control_character), 6U);
  EXPECT_EQ(t.events.size(), read_file("bom.json").events.size());
  EXPECT_TRUE(t.names.find("aten\x01\n::expand"));
}

TEST_F(malformed, nan_and_infinity_are_absent) {
  const auto t = read_file("nan_inf.json");
  ASSERT_EQ(t.works.size(), 1U);
  EXPECT_TRUE(std::isnan(t.works[0].occupancy));
  EXPECT_EQ(t.works[0].correlation, 1U);
  EXPECT_EQ(t.quality.count(flaw::non_finite_number), 3U);
}

TEST_F(malformed, what_is_no_json_is_named) {
  EXPECT_THAT(refusal("empty.json"), HasSubstr("empty"));
  EXPECT_THAT(refusal("only_brace.json"), HasSubstr("no \"traceEvents\""));
  EXPECT_THAT(refusal("html_error_page.json"), HasSubstr("not JSON"));
  for (const auto* name : {"empty.json", "html_error_page.json", "git_lfs_pointer.json.gz"})
    EXPECT_FALSE(json().recognises(fixtures::text_of(path_of(name)))) << name;
  for (const auto* name : {"empty.json", "only_brace.json", "html_error_page.json"})
    EXPECT_FALSE(unopened(name).empty()) << name;
}

TEST_F(malformed, git_lfs_pointer_is_named) {
  EXPECT_THAT(unopened("git_lfs_pointer.json.gz"), HasSubstr("LFS"));
}

TEST_F(malformed, kernels_before_their_launch_are_counted) {
  const auto t = read_file("kernel_before_launch.json");
  EXPECT_EQ(t.works.size(), 20U);
  EXPECT_EQ(t.quality.count(flaw::launched_after_start), 20U);
}

TEST_F(malformed, overflowing_duration_is_flagged) {
  const auto t = read_file("dur_overflow_same_stream.json");
  ASSERT_EQ(t.works.size(), 101U);
  EXPECT_EQ(t.works[0].duration_ns(), 1'600'000'000);
  EXPECT_EQ(t.works[0].flags, flag_covers_successors);
  EXPECT_EQ(t.quality.count(flaw::overflowing_duration), 1U);
}

TEST_F(malformed, legal_overlap_drops_nothing) {
  const auto t = read_file("pdl_overlap.json");
  nanoseconds sum = 0;
  for (const auto& w : t.works) sum += w.duration_ns();
  EXPECT_EQ(t.works.size(), 10U);
  EXPECT_EQ(sum, 1'200'000);
  EXPECT_EQ(t.works.back().end_ns - t.works.front().start_ns, 1'020'000);
  EXPECT_EQ(t.works[0].flags, flag_overlaps_next);
  EXPECT_EQ(t.quality.count(flaw::overflowing_duration), 0U);
}

TEST_F(malformed, exponents_are_exact) {
  const auto t = read_file("exp_ts.json");
  ASSERT_EQ(t.works.size(), 1U);
  EXPECT_EQ(t.works[0].start_ns, 1'700'000'000'000'000'000);
  EXPECT_EQ(t.works[0].duration_ns(), 2000);
}

TEST_F(malformed, large_times_keep_their_nanoseconds) {
  const auto t = read_file("ts_9e15_frac.json");
  ASSERT_EQ(t.works.size(), 1U);
  EXPECT_EQ(t.works[0].start_ns, 1'700'000'000'000'000'123);
  EXPECT_EQ(t.works[0].duration_ns(), 1);
}

TEST_F(malformed, deep_args_are_skipped) {
  const auto t = read_file("deep_nest.json");
  ASSERT_EQ(t.events.size(), 1U);
  EXPECT_EQ(t.name_of(0), "a");
  EXPECT_TRUE(t.quality.defects.empty());
}

TEST_F(malformed, huge_name_is_kept) {
  const auto t = read_file("huge_name.json");
  ASSERT_EQ(t.works.size(), 1U);
  EXPECT_EQ(t.name_of(0).size(), 5'000'000U);
}

TEST_F(malformed, zip_bomb_is_streamed) {
  const auto t = opened("zip_bomb_100MB.json.gz");
  EXPECT_LT(t.events.size(), 10U);
}

}  // namespace
}  // namespace ridge::trace
