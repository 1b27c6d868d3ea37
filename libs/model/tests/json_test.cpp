// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/json.hpp>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "full_run.hpp"

namespace ridge::model {
namespace {

std::string refusal(std::string_view text) {
  const auto read = run_from_json(text);
  return read ? "accepted" : read.why().text();
}

TEST(json, a_run_reads_back_as_it_was_written) {
  const auto text = to_json(tests::full_run());
  const auto back = run_from_json(text);
  ASSERT_TRUE(back.ok()) << back.why().text();
  EXPECT_EQ(to_json(*back), text);
  const auto& f = back->families.at(0);
  EXPECT_EQ(f.seed, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(f.problem, tests::full_run().families[0].problem);
  EXPECT_EQ(f.measurements[0].metrics[0].ci.hi, 0.30000000000000004);
  EXPECT_EQ(f.measurements[0].bytes_per_s, 5e-324);
  EXPECT_EQ(f.measurements[0].idea, "neighbours; 日本 µ");
  EXPECT_TRUE(std::isnan(f.measurements[0].samples[0].value[1]));
  EXPECT_EQ(f.measurements[0].samples[0].block[1], 4294967295u);
  EXPECT_EQ(f.comparisons[0].checks[0].evidence, "halves\ndiffer");
}

TEST(json, a_packed_run_keeps_nine_digits_of_a_sample_and_all_of_the_rest) {
  auto whole = tests::full_run();
  whole.families[0].measurements[0].samples[0].value[0] = 0.12345678987654321;
  const auto back = run_from_json(packed_json(whole));
  ASSERT_TRUE(back.ok()) << back.why().text();
  auto& sample = whole.families[0].measurements[0].samples[0].value[0];
  EXPECT_EQ(back->families[0].measurements[0].samples[0].value[0], 0.12345679);
  sample = 0.12345679;
  EXPECT_EQ(to_json(*back), to_json(whole));
}

TEST(json, every_field_of_the_full_run_differs_from_its_default) {
  run plain;
  plain.families.emplace_back().measurements.emplace_back();
  const auto full = nlohmann::json::parse(to_json(tests::full_run()));
  const auto bare = nlohmann::json::parse(to_json(plain));
  for (const auto& [name, value] : full["families"][0]["measurements"][0].items()) {
    EXPECT_NE(value, bare["families"][0]["measurements"][0][name]) << name;
  }
  for (const auto& [name, value] : full["families"][0].items()) {
    EXPECT_NE(value, bare["families"][0][name]) << name;
  }
}

TEST(json, numbers_json_lacks_become_null) {
  auto r = tests::full_run();
  r.wall_s = std::numeric_limits<double>::infinity();
  const auto doc = nlohmann::json::parse(to_json(r));
  EXPECT_TRUE(doc["wall_s"].is_null());
  EXPECT_TRUE(doc["families"][0]["measurements"][0]["quantiles"][0]["ci"]["hi"].is_null());
}

TEST(json, bytes_that_are_no_utf8_do_not_spoil_the_text) {
  run r;
  r.environment.host = "a\xff\x01\xc3(\xed\xa0\x80";
  const auto back = run_from_json(to_json(r));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->environment.host, "a\xef\xbf\xbd\x01\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(json, unknown_fields_are_ignored_and_absent_ones_keep_their_defaults) {
  const auto back = run_from_json(R"({"schema": "ridge.run/1", "colour": {"deep": [1]}, "seed": 3})");
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->seed, 3u);
  EXPECT_EQ(back->level, 0.95);
}

TEST(json, refusals_name_the_place) {
  EXPECT_NE(refusal(R"({"schema":"ridge.run/1","families":[{"rounds":-1}]})")
                .find("/families/0/rounds: a whole number"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"schema":"ridge.run/1","families":[{"measurements":[{"role":"best"}]}]})")
                .find("/families/0/measurements/0/role: 'best'"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"schema":"ridge.run/1","environment":{"facts":{"a/b":1}}})")
                .find("/environment/facts/a~1b"),
            std::string::npos);
  EXPECT_NE(refusal("{\"schema\":\n \"ridge.run/1\",}").find("line 2, column"), std::string::npos);
  EXPECT_NE(refusal(R"({"schema":"ridge.run/2"})").find("newer ridge"), std::string::npos);
  EXPECT_NE(refusal(R"({"schema":"ridge.peak/1"})").find("'ridge.run/1' expected"), std::string::npos);
  EXPECT_NE(refusal("[]").find("an object expected"), std::string::npos);
  EXPECT_NE(refusal("").find("line 1, column 1"), std::string::npos);
  EXPECT_NE(refusal(R"({"schema":"ridge.run/1","wall_s":1e999})").find("too large"), std::string::npos);
}

TEST(json, a_run_that_could_be_read_in_two_ways_is_refused) {
  EXPECT_NE(
      refusal(R"({"schema":"ridge.run/1","id":"01A","families":[],"id":"01B"})").find("two members \"id\""),
      std::string::npos);
  EXPECT_NE(refusal(R"({"schema":"ridge.run/1","environment":{"facts":{"gpu":"a","gpu":"b"}}})")
                .find("two members \"gpu\""),
            std::string::npos);
  EXPECT_TRUE(run_from_json(R"({"schema":"ridge.run/1","peak":{"x":1},"environment":{"x":1}})").ok());
}

TEST(json, a_run_that_costs_its_reader_much_is_refused) {
  for (const std::string open : {"[", "{\"x\":"}) {
    std::string deep = R"({"schema":"ridge.run/1","x":)";
    for (int i = 0; i < 100; ++i) deep += open;
    EXPECT_NE(refusal(deep).find("nested more than 64 levels"), std::string::npos) << open;
  }
  std::string wide = R"({"schema":"ridge.run/1")";
  for (int i = 0; i < 2000; ++i) wide += ",\"m" + std::to_string(i) + "\":0";
  EXPECT_NE(refusal(wide + "}").find("more than 1000 members"), std::string::npos);
}

TEST(json, columns_of_a_series_must_be_equally_long) {
  EXPECT_NE(
      refusal(
          R"({"schema":"ridge.run/1","families":[{"measurements":[{"samples":[{"value":[1,2],"block":[1]}]}]}]})")
          .find("/families/0/measurements/0/samples/0: block"),
      std::string::npos);
}

TEST(json, a_comparison_line_is_flat_and_one_line) {
  auto r = tests::full_run();
  r.families[0].measurements[0].variant = "strided";
  const auto line = comparison_json(r, r.families[0], r.families[0].comparisons[0]);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto doc = nlohmann::json::parse(line);
  EXPECT_EQ(doc["schema"], "ridge.comparison/1");
  EXPECT_EQ(doc["run"], r.id);
  EXPECT_EQ(doc["problem"], "n=2^40 beta=2 dtype=fp32 a/b~=-3");
  EXPECT_EQ(doc["lo"], 1.779);
  EXPECT_EQ(doc["arms"][0]["variant"], "strided");
  EXPECT_EQ(doc["arms"][0]["median"], 0.1);
  EXPECT_EQ(doc["arms"][0]["memory"], 1e6);
  EXPECT_TRUE(doc["arms"][1]["median"].is_null()) << "the candidate was not measured";
  EXPECT_EQ(doc["verdict"], "DIFFERENT_BUT_SMALL");
}

TEST(json, samples_can_be_left_out) {
  const auto text = family_json(tests::full_run().families[0], samples::left_out);
  const auto back = family_from_json(text);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->measurements[0].samples[0].metric.name, "goodput");
  EXPECT_TRUE(back->measurements[0].samples[0].value.empty());
}

TEST(json, peak_environment_and_checks_read_back) {
  const auto r = tests::full_run();
  EXPECT_EQ(peak_json(*peak_from_json(peak_json(r.peak))), peak_json(r.peak));
  EXPECT_EQ(environment_json(*environment_from_json(environment_json(r.environment))),
            environment_json(r.environment));
  const auto& checks = r.families[0].checks;
  const auto& axes = r.families[0].problem;
  EXPECT_EQ(*axes_from_json(axes_json(axes)), axes);
  EXPECT_EQ(checks_json(*checks_from_json(checks_json(checks))), checks_json(checks));
}

TEST(json, history_says_what_the_store_holds) {
  const auto r = tests::full_run();
  const stored_comparison one{r.id, r.started, "m", row(r.families[0], r.families[0].comparisons[0])};
  const auto doc = nlohmann::json::parse(history_json(std::span(&one, 1), {.runs = 5, .samples = 7}));
  EXPECT_EQ(doc["schema"], "ridge.history/1");
  EXPECT_EQ(doc["held"]["runs"], 5);
  EXPECT_EQ(doc["comparisons"][0]["machine"], "m");
  EXPECT_EQ(doc["comparisons"][0]["ratio"], 1.783);
}

}  // namespace
}  // namespace ridge::model
