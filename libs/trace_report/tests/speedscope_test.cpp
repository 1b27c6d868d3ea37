// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fixtures/scene.hpp>
#include <ridge/trace/flame_text.hpp>
#include <ridge/trace_report/speedscope.hpp>

namespace ridge::trace_report {
namespace {

using nlohmann::json;
using trace::fixtures::scene;

TEST(speedscope, a_tree_becomes_weighted_stacks) {
  const auto file = json::parse(
      speedscope_of(trace::flame_of_collapsed("main;\"a\"\xff 20\nmain;b 70\nmain 10\n"), "a <title>"));
  EXPECT_EQ(file["$schema"], "https://www.speedscope.app/file-format-schema.json");
  const auto& profile = file["profiles"][0];
  EXPECT_EQ(profile["type"], "sampled");
  EXPECT_EQ(profile["unit"], "nanoseconds");
  EXPECT_EQ(profile["endValue"], 100);
  std::map<std::string, int> weights;
  for (std::size_t i = 0; i < profile["samples"].size(); ++i) {
    std::string path;
    for (const auto& frame : profile["samples"][i])
      path += file["shared"]["frames"][frame.get<std::size_t>()]["name"].get<std::string>() + ";";
    weights[path] = profile["weights"][i];
  }
  EXPECT_EQ(weights,
            (std::map<std::string, int>{{"main;", 10}, {"main;\"a\"\xEF\xBF\xBD;", 20}, {"main;b;", 70}}));
}

TEST(speedscope, threads_become_events_that_nest) {
  const auto t =
      scene().op("outer", 100, 50).op("inner", 110, 60).op("after", 170, 10).op("other", 0, 9, {}, 2).build();
  const auto file = json::parse(speedscope_of(t, "t"));
  ASSERT_EQ(file["profiles"].size(), 2u);
  for (const auto& profile : file["profiles"]) {
    EXPECT_EQ(profile["type"], "evented");
    std::vector<int> open;
    std::int64_t last = profile["startValue"];
    for (const auto& e : profile["events"]) {
      EXPECT_GE(e["at"].get<std::int64_t>(), last);
      last = e["at"];
      if (e["type"] == "O") {
        open.push_back(e["frame"]);
      } else {
        ASSERT_FALSE(open.empty());
        EXPECT_EQ(e["frame"], open.back());
        open.pop_back();
      }
    }
    EXPECT_TRUE(open.empty());
    EXPECT_EQ(profile["endValue"], last);
  }
  EXPECT_EQ(file["profiles"][0]["events"].size(), 6u);
  EXPECT_EQ(file["profiles"][0]["events"][2]["at"], 150);  // inner ends with outer
}

TEST(speedscope, a_window_cuts) {
  const auto t = scene().op("outer", 100, 50).op("late", 160, 50).build();
  const auto file = json::parse(speedscope_of(t, "t", trace::time_range{120, 140}));
  const auto& profile = file["profiles"][0];
  EXPECT_EQ(profile["startValue"], 120);
  EXPECT_EQ(profile["endValue"], 140);
  EXPECT_EQ(profile["events"].size(), 2u);
}

}  // namespace
}  // namespace ridge::trace_report
