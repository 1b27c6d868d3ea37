// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "made_up.hpp"

namespace ridge::backends::trace_chrome_json {
namespace {

constexpr auto frames =
    R"("stackFrames":{"2":{"name":"inner","category":"libx.so","parent":"1"},"1":{"name":"main \"quoted\"","category":"app"}})";
constexpr auto samples =
    R"("samples":[{"pid":7,"tid":8,"ts":10.5,"sf":"2","weight":3},{"pid":7,"tid":8,"ts":9,"sf":1},{"tid":8,"name":"no time"},{"pid":7,"tid":9,"ts":11,"sf":"none"}])";
constexpr auto events =
    R"("traceEvents":[{"ph":"M","name":"thread_name","pid":7,"tid":8,"args":{"name":"worker"}}])";

std::string stack_of(const trace::trace& t, const trace::stack_sample& s) {
  std::string text;
  for (auto at = s.stack; at != trace::none; at = t.stacks[at].caller)
    text +=
        std::string(t.names[t.stacks[at].function]) + "@" + std::string(t.names[t.stacks[at].module]) + " ";
  return text;
}

void expect_samples(const std::string& text) {
  const auto t = read(text);
  ASSERT_EQ(t.samples.size(), 3U);
  EXPECT_EQ(t.samples[0].time_ns, 9'000);
  EXPECT_EQ(t.samples[0].weight, 1U);
  EXPECT_EQ(stack_of(t, t.samples[0]), "main \"quoted\"@app ");
  EXPECT_EQ(t.samples[1].time_ns, 10'500);
  EXPECT_EQ(t.samples[1].weight, 3U);
  EXPECT_EQ(stack_of(t, t.samples[1]), "inner@libx.so main \"quoted\"@app ");
  EXPECT_EQ(t.samples[2].stack, trace::none);
  EXPECT_EQ(t.stacks.size(), 2U);
  const auto& track = t.tracks[t.samples[1].track];
  EXPECT_EQ(track.thread, 8);
  EXPECT_EQ(track.name, "worker");
  EXPECT_EQ(t.processes[track.process].id, 7);
}

TEST(stack_samples, members_may_stand_in_any_order) {
  const std::string f = frames, s = samples, e = events;
  expect_samples("{" + f + "," + s + "," + e + "}");
  expect_samples("{" + e + "," + s + "," + f + "}");
  expect_samples("{" + s + "," + e + "," + f + "}");
}

TEST(stack_samples, a_circle_of_callers_ends) {
  const auto t = read(
      R"({"stackFrames":{"1":{"name":"a","parent":"2"},"2":{"name":"b","parent":"1"},"3":{"name":"c","parent":"3"}},
                         "samples":[{"pid":1,"tid":1,"ts":1,"sf":"1"},{"pid":1,"tid":1,"ts":2,"sf":"3"}],"traceEvents":[]})");
  ASSERT_EQ(t.samples.size(), 2U);
  EXPECT_EQ(stack_of(t, t.samples[0]), "a@ b@ ");
  EXPECT_EQ(stack_of(t, t.samples[1]), "c@ ");
}

TEST(stack_samples, strange_values_are_passed_over) {
  for (const auto* odd :
       {"\"samples\":3", "\"samples\":[1,\"x\",[],{}]", "\"samples\":{}", "\"stackFrames\":[1]",
        "\"stackFrames\":{\"1\":2}", "\"samples\":[{\"ts\":1,\"sf\":{}}]"})
    EXPECT_LE(read("{" + std::string(odd) + ",\"traceEvents\":[]}").samples.size(), 1U) << odd;
}

TEST(stack_samples, off_cpu_events_are_waits_of_the_system) {
  const auto t =
      read_events(R"({"ph":"X","cat":"off_cpu","name":"waiting","pid":1,"tid":1,"ts":1,"dur":60})");
  ASSERT_EQ(t.events.size(), 1U);
  EXPECT_EQ(t.events.kind[0], trace::category::os_call);
}

TEST(stack_samples, work_may_name_the_process_that_launched_it) {
  const auto call = [](int process, const char* name) {
    return R"({"ph":"X","cat":"cuda_runtime","name":")" + std::string(name) + R"(","pid":)" +
           std::to_string(process) + R"(,"tid":1,"ts":1,"dur":1,"args":{"correlation":5}})";
  };
  const auto t = read_events(
      call(40, "first") + "," + call(41, "second") +
      R"(,{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":3,"dur":1,"args":{"device":0,"stream":7,"correlation":5,"process":41}})");
  ASSERT_EQ(t.works.size(), 1U);
  ASSERT_NE(t.works[0].launch, trace::none);
  EXPECT_EQ(t.name_of(t.works[0].launch), "second");
}

TEST(stack_samples, records_that_the_profiler_lost_are_told) {
  EXPECT_EQ(read(R"({"lostRecords":12,"traceEvents":[]})").quality.count(trace::flaw::dropped_records), 12U);
  EXPECT_EQ(read(R"({"lostRecords":0,"traceEvents":[]})").quality.count(trace::flaw::dropped_records), 0U);
}

}  // namespace
}  // namespace ridge::backends::trace_chrome_json
