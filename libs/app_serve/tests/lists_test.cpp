// SPDX-License-Identifier: Apache-2.0
// Lists: members that readers choose, the order and pages of series; samples of several runs, and what
// /compare says of samples.
#include <algorithm>

#include <gmock/gmock.h>

#include "served_store.hpp"

namespace ridge::app_serve {
namespace {

using testing::HasSubstr;

// The reference run with samples of each metric, as a run keeps them that is asked to.
model::run sampled_run() {
  auto run = reference_run();
  for (auto& family : run.families) {
    for (auto& seen : family.measurements) {
      seen.samples.clear();
      for (const auto& one : seen.metrics) {
        model::series samples{.metric = one.metric};
        for (std::uint32_t round = 0; round < 40; ++round) {
          samples.value.push_back(one.median * (1 + 0.001 * ((round * 17) % 40)));
          samples.block.push_back(round);
          samples.position.push_back(0);
          samples.marked.push_back(0);
        }
        seen.samples.push_back(std::move(samples));
      }
    }
  }
  return run;
}

model::run later_run(model::run run, double factor) {
  run.id = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ";
  run.started = "2027-01-01T00:00:00Z";
  for (auto& family : run.families)
    for (auto& seen : family.measurements)
      for (auto& one : seen.samples)
        for (auto& value : one.value) value *= factor;
  return run;
}

TEST(serve_fields, leave_those_members_that_were_asked_for) {
  served_store one;
  const auto all = one.get("/api/v1/workloads").json();
  const auto some = one.get("/api/v1/workloads?fields=id,%20title").json();
  ASSERT_EQ(some.at("items").size(), all.at("items").size());
  for (std::size_t i = 0; i < all.at("items").size(); ++i) {
    const auto& whole = all.at("items").at(i);
    EXPECT_EQ(some.at("items").at(i), nlohmann::json({{"id", whole.at("id")}, {"title", whole.at("title")}}));
  }
  EXPECT_EQ(one.get("/api/v1/workloads?fields=").json(), all) << "an empty field of a form";
  EXPECT_EQ(one.get("/api/v1/runs?limit=1&fields=id").json().at("items").at(0).size(), 1U);
}

TEST(serve_fields, reach_into_members) {
  served_store one;
  const auto all = one.get("/api/v1/benchmarks").json().at("items");
  const auto some = one.get("/api/v1/benchmarks?fields=run,measurements.variant,measurements.median,axes")
                        .json()
                        .at("items");
  ASSERT_EQ(some.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(some.at(i).size(), 3U);
    EXPECT_EQ(some.at(i).at("axes"), all.at(i).at("axes"));
    for (std::size_t m = 0; m < all.at(i).at("measurements").size(); ++m) {
      const auto& left = some.at(i).at("measurements").at(m);
      EXPECT_EQ(left.size(), 2U);
      EXPECT_EQ(left.at("median"), all.at(i).at("measurements").at(m).at("median")) << "to the last digit";
    }
  }
  EXPECT_EQ(one.get("/api/v1/workloads?fields=axes.n,axes.nothing").status, 200)
      << "axes hold what they hold";
}

TEST(serve_fields, that_are_unknown_are_refused_with_those_that_are_known) {
  served_store one;
  const auto wrong = one.get("/api/v1/runs?fields=id,startd");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_THAT(wrong.json().at("detail").get<std::string>(), HasSubstr("\"startd\""));
  EXPECT_THAT(wrong.json().at("remedy").get<std::string>(), HasSubstr("did you mean started?"));
  EXPECT_THAT(wrong.json().at("remedy").get<std::string>(), HasSubstr("comparisons"));
  for (const std::string fields :
       {"id.x", ",", "id,,machine", "measurements", "ID", ".", "id.", "%3Cb%3E", "id;x"})
    EXPECT_EQ(one.get("/api/v1/runs?fields=" + fields).status, 400) << fields;
}

TEST(serve_fields, are_offered_by_every_list) {
  served_store one;
  const auto paths = one.get("/openapi.json").json().at("paths");
  int lists = 0;
  for (const auto& [pattern, operations] : paths.items()) {
    if (!operations.contains("get")) continue;
    const auto& content = operations.at("get").at("responses").at("200").at("content");
    const auto& shape = content.begin().value().at("schema");
    if (!shape.contains("properties") || !shape.at("properties").contains("items")) continue;
    ++lists;
    if (pattern == "/api/v1/series/{id}/samples") {
      const auto target = "/api/v1/series/1/samples?runs=" + reference_run().id + "&fields=";
      EXPECT_EQ(one.get(target + "nothing").status, 400);
      EXPECT_EQ(one.get(target + "run").json().at("items"), nlohmann::json({{{"run", reference_run().id}}}));
      continue;
    }
    EXPECT_EQ(one.get(pattern + "?fields=nothing.at.all").status, 400) << pattern;
    const auto& first = shape.at("properties").at("items").at("items").at("properties").begin().key();
    EXPECT_EQ(one.get(pattern + "?fields=" + first).status, 200) << pattern << " " << first;
  }
  EXPECT_GE(lists, 7);
}

TEST(serve_series, are_sorted_as_asked_and_cut_into_pages_without_loss) {
  const auto run = reference_run();
  auto part = later_run(run, 1);
  part.families.front().measurements.pop_back();
  served_store one({run, part});
  const auto all = one.get("/api/v1/series").json();
  EXPECT_TRUE(all.at("next").is_null());
  const auto longest = one.get("/api/v1/series?sort=-points").json().at("items");
  ASSERT_EQ(longest.size(), all.at("items").size());
  EXPECT_EQ(longest.front().at("points"), 2);
  EXPECT_EQ(longest.back().at("points"), 1);
  EXPECT_TRUE(std::ranges::is_sorted(longest, std::ranges::greater{},
                                     [](const auto& s) { return s.at("points").template get<int>(); }));
  const auto shortest = one.get("/api/v1/series?sort=points&limit=1").json();
  ASSERT_EQ(shortest.at("items").size(), 1U);
  EXPECT_EQ(shortest.at("items").at(0).at("points"), 1);
  const auto variants = one.get("/api/v1/series?sort=variant").json().at("items");
  EXPECT_TRUE(std::ranges::is_sorted(
      variants, {}, [](const auto& s) { return s.at("variant").template get<std::string>(); }));
  std::vector<int> read;
  std::string cursor;
  do {
    const auto page =
        one.get("/api/v1/series?sort=-points&limit=3" + (cursor.empty() ? "" : "&cursor=" + cursor)).json();
    EXPECT_LE(page.at("items").size(), 3U);
    for (const auto& series : page.at("items")) read.push_back(series.at("id"));
    cursor = page.at("next").is_null() ? "" : page.at("next").get<std::string>();
  } while (!cursor.empty());
  std::vector<int> wanted;
  for (const auto& series : longest) wanted.push_back(series.at("id"));
  EXPECT_EQ(read, wanted) << "pages continue each other";
}

TEST(serve_series, refuse_an_order_that_there_is_not) {
  served_store one;
  for (const std::string query :
       {"sort=length", "sort=--points", "limit=0", "limit=1001", "limit=x", "cursor=x"}) {
    const auto answer = one.get("/api/v1/series?" + query);
    EXPECT_EQ(answer.status, 400) << query;
    EXPECT_THAT(answer.header, HasSubstr("Content-Type: application/problem+json")) << query;
  }
  EXPECT_THAT(one.get("/api/v1/series?sort=length").json().at("remedy"), HasSubstr("-points"));
  const auto document = one.get("/openapi.json").json();
  const auto& parameters = document.at("paths").at("/api/v1/series").at("get").at("parameters");
  const auto sort =
      std::ranges::find_if(parameters, [](const auto& parameter) { return parameter.at("name") == "sort"; });
  ASSERT_NE(sort, parameters.end());
  for (const auto& name : sort->at("schema").at("enum"))
    EXPECT_EQ(one.get("/api/v1/series?sort=" + name.get<std::string>()).status, 200) << name;
}

TEST(serve_series, give_the_samples_of_several_runs_in_one_answer) {
  const auto run = sampled_run();
  const auto later = later_run(run, 2);
  served_store one({run, later});
  int held = 0;
  const auto all = one.get("/api/v1/series").json();
  for (const auto& series : all.at("items")) {
    const auto target = "/api/v1/series/" + series.at("id").dump() + "/samples?runs=";
    const auto answer = one.get(target + later.id + "," + run.id).json();
    EXPECT_EQ(answer.at("metric"), series.at("metric"));
    ASSERT_EQ(answer.at("items").size(), 2U);
    EXPECT_EQ(answer.at("items").at(0).at("run"), later.id) << "in the order that was asked for";
    EXPECT_EQ(answer.at("items").at(1).at("started"), run.started);
    const auto& first = answer.at("items").at(0).at("value");
    const auto& second = answer.at("items").at(1).at("value");
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i)
      EXPECT_EQ(first.at(i).get<double>(), 2 * second.at(i).get<double>());
    held += second.empty() ? 0 : 1;
  }
  EXPECT_GT(held, 0);
  const std::string target = "/api/v1/series/1/samples";
  EXPECT_EQ(one.get(target).status, 400) << "no run is named";
  EXPECT_EQ(one.get(target + "?runs=nothing").status, 400);
  EXPECT_EQ(one.get(target + "?runs=a%25,*").status, 400);
  EXPECT_EQ(one.get("/api/v1/series/9999/samples?runs=" + run.id).status, 404);
  EXPECT_EQ(one.get(target + "?runs=" + run.id + "," + run.id).json().at("items").size(), 1U);
}

TEST(serve_compare, says_how_many_samples_there_are_and_how_often_noise_makes_the_difference) {
  const auto run = sampled_run();
  const auto slower = later_run(run, 3);
  served_store one({run, slower});
  const auto rows = one.get("/api/v1/compare?a=" + run.id + "&b=" + slower.id).json().at("rows");
  const auto same = one.get("/api/v1/compare?a=" + run.id + "&b=" + run.id).json().at("rows");
  ASSERT_EQ(rows.size(), same.size());
  int told = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows.at(i).at("a_samples"), rows.at(i).at("b_samples"));
    EXPECT_TRUE(rows.at(i).at("a_samples") != 0 || rows.at(i).at("p").is_null());
    if (rows.at(i).at("p").is_null()) continue;
    ++told;
    EXPECT_GE(rows.at(i).at("a_samples"), 8);
    EXPECT_LT(rows.at(i).at("p"), 0.01) << rows.at(i);
    EXPECT_GT(same.at(i).at("p"), 0.9) << "a run against itself";
  }
  EXPECT_GT(told, 0);
}

}  // namespace
}  // namespace ridge::app_serve
