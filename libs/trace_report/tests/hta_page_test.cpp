// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fixtures/scene.hpp>
#include <ridge/trace_report/pages.hpp>

namespace ridge::trace_report {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using trace::category;
using trace::fixtures::scene;

document page_of(const trace::trace& t) { return hta_page(*scope_of(t, {}), true); }

// A short kernel, one whose call takes over 50 us, and one that begins over 100 us after its call.
trace::trace launching() {
  scene s;
  s.kernel("short", 30'000, 5'000, 7, {.call_ns = 10'000, .call_length_ns = 10'000});
  s.kernel("slow call", 110'000, 90'000, 7, {.call_ns = 40'000, .call_length_ns = 60'000});
  s.kernel("late", 400'000, 50'000, 7, {.call_ns = 120'000, .call_length_ns = 5'000});
  return s.build();
}

TEST(hta_page, counts_short_kernels_and_outliers_of_launches) {
  const auto page = json::parse(json_of(page_of(launching())));
  const auto& counts = page.at("launch_statistics");
  EXPECT_EQ(counts.at("launches"), 3);
  EXPECT_EQ(counts.at("short_kernels"), 1);
  EXPECT_EQ(counts.at("runtime_outliers"), 1);
  EXPECT_EQ(counts.at("launch_delay_outliers"), 1);
  ASSERT_EQ(page.at("launches").size(), 3U);
  EXPECT_EQ(page.at("launches").at(2).at("launch_delay"), 275);
}

TEST(hta_page, sums_annotations_of_the_device_by_name) {
  scene s;
  s.kernel("gemm", 0, 100'000, 7);
  auto& b = s.builder();
  const auto annotate = [&](const char* name, trace::nanoseconds start, trace::nanoseconds length) {
    b.add({.start_ns = start,
           .duration_ns = length,
           .name = b.intern(name),
           .track = b.track_of(trace::track_kind::stream, b.process(1), 7, 0),
           .kind = category::device_annotation});
  };
  annotate("forward", 0, 10'000);
  annotate("backward", 10'000, 50'000);
  annotate("forward", 60'000, 30'000);
  s.annotation("forward", 0, 999'000);  // the host's own does not count
  const auto rows = json::parse(json_of(page_of(s.build()))).at("annotations");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows.at(0).at("name"), "backward");
  EXPECT_EQ(rows.at(1).at("count"), 2);
  EXPECT_EQ(rows.at(1).at("sum (us)"), 40);
  EXPECT_EQ(rows.at(1).at("max (us)"), 30);
  EXPECT_EQ(rows.at(1).at("min (us)"), 10);
  EXPECT_EQ(rows.at(1).at("mean (us)"), 20);
}

TEST(hta_page, claims_no_equality_where_hta_counts_nothing) {
  const auto text = text_of(page_of(scene().op("aten::add", 0, 10).build()));
  EXPECT_THAT(text, HasSubstr("nothing can be compared"));
  EXPECT_THAT(text, Not(HasSubstr("are the exact ones")));
  scene even;
  even.kernel("gemm", 0, 100'000, 7);
  EXPECT_THAT(text_of(page_of(even.build())), HasSubstr("are the exact ones"));
}

}  // namespace
}  // namespace ridge::trace_report
