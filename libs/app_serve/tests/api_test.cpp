// SPDX-License-Identifier: Apache-2.0
// What the API says of a stored run, held against the run itself.
#include <algorithm>
#include <cmath>
#include <cstring>

#include <gmock/gmock.h>

#include "api/point_buckets.hpp"
#include "served_store.hpp"
#include "stored/store_watch.hpp"

namespace ridge::app_serve {
namespace {

using testing::HasSubstr;

// The same run as another day would give it: another id, every time longer by a tenth.
model::run slower_run(model::run run) {
  run.id = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ";
  run.started = "2027-01-01T00:00:00Z";
  run.environment.kernel = "Linux 9.9";
  for (auto& family : run.families) {
    for (auto& seen : family.measurements) {
      for (auto& one : seen.metrics) {
        one.median *= 1.1;
        one.ci = {one.ci.lo * 1.1, one.ci.hi * 1.1};
      }
    }
  }
  return run;
}

TEST(serve_api, lists_runs_page_by_page) {
  const auto run = reference_run();
  served_store one({run, slower_run(run)});
  const auto first = one.get("/api/v1/runs?limit=1").json();
  ASSERT_EQ(first.at("items").size(), 1U);
  EXPECT_EQ(first.at("items").at(0).at("id"), "7ZZZZZZZZZZZZZZZZZZZZZZZZZ") << "the newest first";
  const auto second = one.get("/api/v1/runs?limit=1&cursor=" + first.at("next").get<std::string>()).json();
  EXPECT_EQ(second.at("items").at(0).at("id"), run.id);
  EXPECT_EQ(second.at("items").at(0).at("families"), run.families.size());
  EXPECT_TRUE(second.at("next").is_null());
  EXPECT_EQ(one.get("/api/v1/runs?before=7ZZZZZZZZZZZZZZZZZZZZZZZZZ").json().at("items").size(), 1U);
  EXPECT_EQ(one.get("/api/v1/runs?experiment=nothing.*").json().at("items").size(), 0U);
  for (const std::string query : {"limit=0", "limit=1001", "cursor=x", "page=2"})
    EXPECT_EQ(one.get("/api/v1/runs?" + query).status, 400) << query;
}

TEST(serve_api, gives_a_run_its_environment_and_its_samples) {
  const auto run = reference_run();
  served_store one;
  const auto whole = one.get("/api/v1/runs/" + run.id).json();
  EXPECT_EQ(whole.at("schema"), "ridge.run/1");
  EXPECT_EQ(whole.at("families").size(), run.families.size());
  EXPECT_EQ(one.get("/api/v1/runs/" + run.id + "/environment").json().at("machine"), run.environment.machine);
  for (std::size_t f = 0; f < run.families.size(); ++f) {
    for (std::size_t m = 0; m < run.families[f].measurements.size(); ++m) {
      const auto& seen = run.families[f].measurements[m];
      if (seen.samples.empty()) continue;
      const auto target = "/api/v1/runs/" + run.id + "/samples?family=" + std::to_string(f) +
                          "&measurement=" + std::to_string(m);
      const auto document = one.get(target).json();
      EXPECT_EQ(document.at("variant"), seen.variant);
      EXPECT_EQ(document.at("series").at(0).at("value"), seen.samples.front().value);
      const auto bytes = one.get(target + "&format=f64").body;
      std::vector<double> values(bytes.size() / sizeof(double));
      std::memcpy(values.data(), bytes.data(), bytes.size());
      EXPECT_EQ(values, seen.samples.front().value);
    }
  }
  EXPECT_EQ(one.get("/api/v1/runs/" + run.id + "/samples?family=9999").status, 400);
  for (const std::string id : {"nothing", "%25", "*", "'%20OR%201=1--", "..%00"}) {
    const auto status = one.get("/api/v1/runs/" + id).status;
    EXPECT_TRUE(status == 404 || status == 400) << id << status;
  }
}

TEST(serve_api, follows_series_from_run_to_run) {
  const auto run = reference_run();
  served_store one({run, slower_run(run)});
  const auto workloads = one.get("/api/v1/workloads").json().at("items");
  ASSERT_GT(workloads.size(), 0U);
  const auto& workload = workloads.at(0);
  EXPECT_EQ(workload.at("families"), 2);
  const auto all = one.get("/api/v1/series").json().at("items");
  ASSERT_GT(all.size(), 0U);
  for (const auto& series : all) {
    const auto points = one.get("/api/v1/series/" + series.at("id").dump() + "/points").json();
    ASSERT_EQ(points.at("run").size(), 2U);
    EXPECT_EQ(points.at("run").at(0), run.id);
    EXPECT_NEAR(points.at("median").at(1).get<double>(), 1.1 * points.at("median").at(0).get<double>(),
                1e-9 * points.at("median").at(0).get<double>());
  }
  const auto variant = all.at(0).at("variant").get<std::string>();
  const auto of_variant = one.get("/api/v1/series?variant=" + variant).json();
  for (const auto& series : of_variant.at("items")) EXPECT_EQ(series.at("variant"), variant);
  EXPECT_EQ(one.get("/api/v1/series?backend=cpu").json().at("items").size(), 0U) << "this run is of a GPU";
  EXPECT_EQ(one.get("/api/v1/series?backend=gpu").status, 400);
  EXPECT_EQ(one.get("/api/v1/series/x/points").status, 404);
  EXPECT_EQ(one.get("/api/v1/series/1/points?px=0").status, 400);
  EXPECT_EQ(one.get("/api/v1/series/99999/points").status, 404);
}

TEST(serve_api, gives_one_series_with_its_workload) {
  served_store one;
  const auto all = one.get("/api/v1/series").json().at("items");
  const auto workloads = one.get("/api/v1/workloads").json().at("items");
  for (const auto& series : all) {
    const auto found = one.get("/api/v1/series/" + series.at("id").dump()).json();
    EXPECT_EQ(found.at("series"), series);
    EXPECT_EQ(found.at("workload").at("id"), series.at("workload"));
    EXPECT_TRUE(std::ranges::count(workloads, found.at("workload")) == 1);
  }
  for (const std::string id : {"99999", "x", "-1", "1x", "99999999999999999999", "1.0"}) {
    const auto none = one.get("/api/v1/series/" + id);
    EXPECT_EQ(none.status, 404) << id;
    EXPECT_THAT(none.json().at("detail"), HasSubstr("there is no series ")) << id;
  }
}

TEST(serve_api, finds_the_change_of_a_series_and_names_what_else_changed) {
  const auto reference = reference_run();
  std::vector<model::run> runs;
  for (int i = 0; i < 24; ++i) {
    auto run = reference;
    run.families.resize(1);
    run.id = "7" + std::string(23, '0') + static_cast<char>('0' + i / 10) + static_cast<char>('0' + i % 10);
    if (i >= 12) run.environment.kernel = "Linux 9.9";
    for (auto& seen : run.families.front().measurements)
      for (auto& one : seen.metrics) one.median *= (i >= 12 ? 1.2 : 1.0) + 0.0005 * (i % 5);
    runs.push_back(std::move(run));
  }
  served_store one(runs);
  const auto series = one.get("/api/v1/series").json().at("items").at(0);
  const auto points = one.get("/api/v1/series/" + series.at("id").dump() + "/points").json();
  ASSERT_EQ(points.at("changes").size(), 1U);
  const auto& change = points.at("changes").at(0);
  EXPECT_EQ(change.at("run"), runs.at(12).id);
  EXPECT_EQ(change.at("direction"), series.at("better") == "lower" ? "worse" : "better");
  EXPECT_EQ(change.at("environment").at(0).at("after"), "Linux 9.9");
  EXPECT_EQ(points.at("segments").size(), 2U);
  auto all = one.get("/api/v1/changes").json();
  EXPECT_EQ(all.at("schema"), "ridge.changes/1");
  for (int i = 0; i < 100 && all.at("not_searched") != 0; ++i)  // each request searches for a while
    all = one.get("/api/v1/changes").json();
  EXPECT_EQ(all.at("not_searched"), 0);
  const auto changed = one.get("/api/v1/changes?changed=true").json();
  const auto has_changed = [](const auto& item) {
    return !item.at("changes").empty() || !item.at("watching").is_null();
  };
  EXPECT_EQ(changed.at("items").size(), std::ranges::count_if(all.at("items"), has_changed));
  EXPECT_TRUE(std::ranges::all_of(changed.at("items"), has_changed));
  EXPECT_EQ(one.get("/api/v1/changes?newest=1").json().at("items").size(), 1U);
  EXPECT_EQ(one.get("/api/v1/changes?newest=x").status, 400);
  EXPECT_EQ(one.get("/api/v1/changes?newest=-1").status, 400);
  EXPECT_GT(all.at("items").size(), 0U);
}

TEST(serve_api, thins_points_out_and_keeps_every_peak) {
  std::vector<model::measured_point> points(100'000);
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].run = std::to_string(i);
    points[i].median = std::sin(static_cast<double>(i) / 500.0);
  }
  points[54'321].median = 100;
  points[12'345].median = -100;
  points[777].median = std::nan("");
  const auto made = thinned(points, 400);
  EXPECT_LE(made.size(), 802U);
  EXPECT_GT(made.size(), 400U);
  EXPECT_EQ(made.front().run, "0");
  EXPECT_EQ(made.back().run, "99999");
  EXPECT_TRUE(std::ranges::any_of(made, [](const auto& p) { return p.run == "54321"; }));
  EXPECT_TRUE(std::ranges::any_of(made, [](const auto& p) { return p.run == "12345"; }));
  EXPECT_TRUE(std::ranges::is_sorted(made, {}, [](const auto& p) { return std::stoul(p.run); }));
  EXPECT_EQ(thinned(std::vector(points.begin(), points.begin() + 800), 400).size(), 800U);
}

TEST(serve_api, compares_two_runs_without_a_verdict) {
  const auto run = reference_run();
  served_store one({run, slower_run(run)});
  const auto compared = one.get("/api/v1/compare?a=" + run.id + "&b=7ZZZZZZZZZZZZZZZZZZZZZZZZZ").json();
  ASSERT_GT(compared.at("rows").size(), 0U);
  for (const auto& row : compared.at("rows")) {
    const double expected = row.at("better") == "lower" ? 1 / 1.1 : 1.1;
    EXPECT_NEAR(row.at("ratio").get<double>(), expected, 1e-9) << row;
    EXPECT_LE(row.at("ratio_lo").get<double>(), row.at("ratio").get<double>());
    EXPECT_GE(row.at("ratio_hi").get<double>(), row.at("ratio").get<double>());
    EXPECT_EQ(row.at("paired"), false);
  }
  EXPECT_EQ(compared.at("environment"),
            nlohmann::json::parse(R"([{"fact":"kernel","a":")" + run.environment.kernel +
                                  R"(","b":"Linux 9.9"}])"));
  EXPECT_EQ(one.get("/api/v1/compare?a=" + run.id).status, 400);
  EXPECT_EQ(one.get("/api/v1/compare?a=" + run.id + "&b=nothing").status, 400);
}

TEST(serve_api, counts_what_is_stored_and_says_null_of_nothing) {
  const auto run = reference_run();
  served_store one;
  const auto summary = one.get("/api/v1/summary").json();
  EXPECT_EQ(summary.at("runs"), 1);
  EXPECT_EQ(summary.at("families"), run.families.size());
  EXPECT_EQ(summary.at("machines"), std::vector<std::string>{run.environment.machine});
  EXPECT_EQ(summary.at("newest").at("id"), run.id);
  EXPECT_EQ(one.get("/api/summary").json(), summary);
  const auto benchmarks = one.get("/api/benchmarks").json().at("items");
  ASSERT_GT(benchmarks.size(), 0U);
  for (const auto& seen : benchmarks.at(0).at("measurements"))
    EXPECT_TRUE(seen.at("energy_j").is_null() || seen.at("energy_j").get<double>() > 0);
  served_store nothing(std::vector<model::run>{});
  const auto empty = nothing.get("/api/v1/summary").json();
  EXPECT_EQ(empty.at("runs"), 0);
  EXPECT_TRUE(empty.at("newest").is_null());
  EXPECT_EQ(nothing.get("/api/v1/roofline").json().at("schema"), "ridge.roofline/1");
}

TEST(serve_api, offers_every_analysis_at_both_addresses) {
  served_store one;
  const auto list = one.get("/api/v1/analyses").json().at("items");
  ASSERT_GT(list.size(), 0U);
  for (const auto& analysis : list) {
    const auto name = analysis.at("name").get<std::string>();
    const auto target = "/api/v1/analyses/" + name + least_query(name);
    const auto answer = one.get(target);
    ASSERT_EQ(answer.status, 200) << name << answer.body;
    EXPECT_TRUE(answer.json().contains("layout")) << name;
    EXPECT_EQ(one.get("/api/analysis/" + name + least_query(name)).body, answer.body) << name;
    EXPECT_EQ(one.get(target + "&nothing=1").status, 400) << name;
    for (const auto& parameter : analysis.at("parameters")) {
      const auto key = parameter.at("key").get<std::string>();
      const auto kind = parameter.at("kind").get<std::string>();
      if (target.find(key) == std::string::npos) {
        EXPECT_EQ(one.get(target + "&" + key + "=").status, 200) << key << ": an empty field of a form";
      }
      if (kind == "text" || kind == "flag") continue;
      EXPECT_EQ(one.get("/api/v1/analyses/" + name + "?" + key + "=nan").status, 400) << name << " " << key;
    }
  }
}

TEST(serve_api, answers_anew_when_the_store_has_changed) {
  const auto run = reference_run();
  served_store one;
  EXPECT_EQ(one.get("/api/v1/summary").json().at("runs"), 1);
  EXPECT_EQ(one.get("/api/v1/summary").json().at("runs"), 1) << "from memory";
  keep(*one.stores().borrow(), slower_run(run));
  EXPECT_EQ(one.get("/api/v1/summary").json().at("runs"), 2);
}

TEST(serve_api, keeps_what_is_said_of_a_change) {
  const auto run = reference_run();
  served_store one({run, slower_run(run)});
  const auto series = one.get("/api/v1/series").json().at("items").at(0).at("id").dump();
  const auto target = "/api/v1/changes/" + series + "/7ZZZZZZZZZZZZZZZZZZZZZZZZZ";
  const auto kept =
      one.ask("PATCH", target, R"({"state":"expected","note":"<b>a new \u0022driver\u0022</b>"})");
  ASSERT_EQ(kept.status, 200) << kept.body;
  EXPECT_EQ(kept.json().at("note"), "<b>a new \"driver\"</b>");
  const auto points = one.get("/api/v1/series/" + series + "/points").json();
  ASSERT_EQ(points.at("notes").size(), 1U);
  EXPECT_EQ(points.at("notes").at(0).at("state"), "expected");
  const auto& hub = one.its().events();
  EXPECT_THAT(hub.after(hub.last_id() - 1, 10'000).text,
              HasSubstr("event: store\ndata: {\"what\":\"note\",\"series\":" + series));
  for (const std::string body : {"", "{}", "[]", R"({"state":"fine"})", R"({"state":"noise","note":7})",
                                 R"({"state":"noise","more":"x"})", R"({"state":)"})
    EXPECT_EQ(one.ask("PATCH", target, body.empty() ? " " : body).status, 400) << body;
  EXPECT_EQ(one.ask("PATCH", target, R"({"state":"noise","note":")" + std::string(3000, 'x') + "\"}").status,
            400);
  EXPECT_EQ(one.ask("PATCH", "/api/v1/changes/" + series + "/nothing", R"({"state":"noise"})").status, 404);
  EXPECT_EQ(one.ask("PATCH", "/api/v1/changes/9999/" + run.id, R"({"state":"noise"})").status, 404);
}

TEST(serve_api, tells_watchers_what_other_processes_store) {
  const auto run = reference_run();
  served_store one(std::vector<model::run>{});
  store_watch watch(one.stores(), one.its().events());
  const auto before = one.its().events().last_id();
  watch.look();
  EXPECT_EQ(one.its().events().last_id(), before) << "nothing has changed";
  auto header = run;
  header.families.clear();
  auto store = one.stores().borrow();
  store->begin(header);
  watch.look();
  EXPECT_THAT(one.its().events().after(before, 100'000).text,
              HasSubstr("\"state\":\"running\",\"families\":0"));
  store->commit(run.id, run.families.front());
  watch.look();
  const auto middle = one.its().events().last_id();
  EXPECT_THAT(one.its().events().after(before, 100'000).text,
              HasSubstr("event: result\ndata: {\"run\":\"" + run.id + "\",\"experiment\":\"" +
                        run.families.front().experiment));
  store->finish(run);
  watch.look();
  const auto text = one.its().events().after(middle, 100'000).text;
  EXPECT_THAT(text, HasSubstr("\"state\":\"finished\""));
  EXPECT_THAT(text, HasSubstr("event: store\n"));
  const auto last = one.its().events().last_id();
  watch.look();
  EXPECT_EQ(one.its().events().last_id(), last);
}

TEST(serve_api, tells_watchers_of_an_old_run_that_is_imported) {
  std::vector<model::run> many;
  for (int i = 10; i < 40; ++i) {
    many.push_back(reference_run());
    many.back().families.resize(1);
    many.back().id = "02A" + std::to_string(i);
  }
  served_store one(many);
  store_watch watch(one.stores(), one.its().events());
  const auto before = one.its().events().last_id();
  auto old = many.front();
  old.id = "01A";  // before more runs than the watch looks at
  keep(*one.stores().borrow(), old);
  watch.look();
  EXPECT_THAT(one.its().events().after(before, 100'000).text, HasSubstr(R"({"what":"runs","runs":31)"));
}

}  // namespace
}  // namespace ridge::app_serve
