// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "made_up.hpp"

namespace ridge::backends::trace_chrome_json {
namespace {

using trace::flaw;

std::string event(int i) {
  return R"({"ph":"X","cat":"cpu_op","name":"op)" + std::to_string(i) + R"(","pid":1,"tid":1,"ts":)" +
         std::to_string(10 * i) + R"(,"dur":5,"args":{"External id":)" + std::to_string(i + 1) + "}}";
}

TEST(damage, stray_quotes_cost_only_their_event) {
  const auto bad = R"({"ph":"X","cat":"cpu_op","name":"say "hi" now","pid":1,"tid":1,"ts":3,"dur":1})";
  const std::string before = "{\"traceEvents\":[" + event(0) + ",";
  const auto t = read(before + bad + "," + event(1) + "]}");
  EXPECT_EQ(t.events.size(), 2U);
  ASSERT_EQ(t.quality.count(flaw::unreadable_event), 1U);
  EXPECT_EQ(t.quality.defects[0].offsets[0], before.size());
}

TEST(damage, an_odd_quote_in_args_costs_only_its_event) {
  const auto bad =
      R"({"ph":"X","cat":"python_function","name":"p","pid":1,"tid":1,"ts":3,"dur":1,"args":{"x":"5" tall"}})";
  const auto t = read_events(event(0) + "," + bad + "," + event(1) + "," + event(2));
  EXPECT_EQ(t.events.size(), 3U);
  EXPECT_EQ(t.quality.count(flaw::unreadable_event), 1U);
}

TEST(damage, garbage_between_events_is_skipped) {
  const auto t = read_events(event(0) + ",###\x01 nonsense," + event(1) + ",,\n" + event(2) + ",");
  EXPECT_EQ(t.events.size(), 3U);
  EXPECT_EQ(t.quality.count(flaw::unreadable_event), 1U);
}

TEST(damage, args_of_a_damaged_event_are_no_event) {
  const auto bad = R"({"ph":"M" "name":"process_name" oops,"args":{"name":"python3"}})";
  const auto t = read_events(event(0) + "," + bad + "," + event(1));
  EXPECT_EQ(t.events.size(), 2U);
  EXPECT_EQ(t.quality.count(flaw::unreadable_event), 1U);
}

TEST(damage, every_cut_keeps_the_whole_events) {
  const auto text = "{\"traceEvents\":[" + event(0) + "," + event(1) + "],\"traceName\":\"x\"}";
  const auto first_end = text.find("}}") + 2, second_end = text.find("}}", first_end) + 2;
  for (auto size = text.find('[') + 1; size < text.size(); ++size) {
    const auto t = read(text.substr(0, size));
    EXPECT_EQ(t.events.size(), size < first_end ? 0U : size < second_end ? 1U : 2U) << size;
    ASSERT_EQ(t.quality.count(flaw::truncated), 1U) << size;
    EXPECT_EQ(t.quality.defects.back().offsets[0], size);
  }
}

TEST(damage, missing_and_negative_durations_are_zero) {
  const auto t = read_events(R"({"ph":"X","name":"a","ts":1},{"ph":"X","name":"b","ts":2,"dur":-3})");
  EXPECT_EQ(t.events.duration_ns[0], 0);
  EXPECT_EQ(t.events.duration_ns[1], 0);
  EXPECT_EQ(t.quality.count(flaw::missing_duration), 1U);
  EXPECT_EQ(t.quality.count(flaw::negative_duration), 1U);
}

TEST(damage, events_without_a_time_are_left_out) {
  const auto t =
      read_events(R"({"ph":"X","name":"a","dur":1},{"ph":"X","name":"b","ts":NaN,"dur":1},)"
                  R"({"ph":"X","name":"c","ts":8e18,"dur":1},{"ph":"X","name":"d","ts":1,"dur":8e18})");
  ASSERT_EQ(t.events.size(), 1U);
  EXPECT_EQ(t.name_of(0), "d");
  EXPECT_EQ(t.events.duration_ns[0], 0);
  EXPECT_EQ(t.quality.count(flaw::unreadable_event), 3U);
}

TEST(damage, what_follows_the_document_is_counted) {
  const auto t = read("{\"traceEvents\":[" + event(0) + "]} }trailing");
  EXPECT_EQ(t.events.size(), 1U);
  EXPECT_EQ(t.quality.count(flaw::trailing_bytes), 1U);
}

TEST(damage, content_beyond_the_limit_is_not_read) {
  std::string text = "[";
  for (int i = 0; i < 200'000; ++i) text += event(i) + ",";
  trace::read_limits limits;
  limits.content_bytes = std::uint64_t{6} << 20;
  const auto made = chrome_json().read(*trace::source_of(text), {}, limits);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->quality.count(flaw::over_limit), 1U);
  EXPECT_GT(made->events.size(), 10'000U);
  EXPECT_LT(made->events.size(), 100'000U);
}

TEST(damage, memory_beyond_the_limit_is_not_taken) {
  std::string text = "[";
  for (int i = 0; i < 200'000; ++i) text += event(i) + ",";
  trace::read_limits limits;
  limits.memory_bytes = std::uint64_t{4} << 20;
  const auto made = chrome_json().read(*trace::source_of(text), {}, limits);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->quality.count(flaw::over_limit), 1U);
  EXPECT_LT(made->events.size(), 190'000U);
}

TEST(damage, no_trace_is_an_error_that_says_what_it_is) {
  const std::pair<const char*, const char*> cases[]{
      {"", "empty"},         {" \n", "empty"},       {"{", "traceEvents"},
      {"{}", "traceEvents"}, {"<html>", "not JSON"}, {"{\"traceEvents\":3}", "traceEvents"}};
  for (const auto& [text, part] : cases) {
    const auto made = chrome_json().read(*trace::source_of(text), {}, {});
    ASSERT_FALSE(made.ok()) << text;
    EXPECT_THAT(made.why().message, testing::HasSubstr(part)) << text;
    EXPECT_FALSE(made.why().remedy.empty());
  }
}

TEST(damage, recognises_only_traces) {
  for (const auto* yes : {"[{\"ph\":\"X\"", "\xef\xbb\xbf\n{\"traceEvents\":[",
                          " {\"schemaVersion\": 1, \"deviceProperties\": ["})
    EXPECT_TRUE(chrome_json().recognises(yes)) << yes;
  for (const auto* no :
       {"", "<html>", "version https://git-lfs", "{\"rocprofiler-sdk-tool\": [", "\"ID\",\"Process ID\""})
    EXPECT_FALSE(chrome_json().recognises(no)) << no;
}

}  // namespace
}  // namespace ridge::backends::trace_chrome_json
