// SPDX-License-Identifier: Apache-2.0
// What is fetched as a file: charts and tables of points.
#include <algorithm>
#include <map>

#include <gmock/gmock.h>

#include <ridge/base/text.hpp>
#include <ridge/results/analysis.hpp>

#include "served_store.hpp"

namespace ridge::app_serve {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

model::run hostile_run() {
  auto run = reference_run();
  run.families.resize(1);
  run.id = "01HOSTILE";
  auto& family = run.families.front();
  family.experiment = "<script>alert(1)</script>";
  family.measurements[0].variant = "a,\"b\"\r\n=c]]><b>&";
  return run;
}

TEST(serve_files, draw_what_the_report_draws_of_an_analysis) {
  served_store one;
  int drawn = 0;
  for (const auto& analysis : results::analyses()) {
    const std::string name(analysis.name);
    const auto store = one.stores().borrow();
    const auto found =
        results::answer_of(name, *store,
                           name == "whatif" ? std::map<std::string, std::string>{{"vram", "24"}}
                                            : std::map<std::string, std::string>{});
    ASSERT_TRUE(found.ok()) << name;
    const std::string target = "/api/v1/render?analysis=" + name + (name == "whatif" ? "&vram=24" : "");
    for (std::size_t i = 0; i < found->charts.size(); ++i) {
      const auto svg = report::chart_svg(found->charts[i]);
      const auto answer = one.get(target + "&format=svg&chart=" + std::to_string(i));
      EXPECT_EQ(answer.status, svg.empty() ? 400 : 200) << target << answer.body;
      if (svg.empty()) continue;
      EXPECT_EQ(answer.body, svg) << target;
      ++drawn;
    }
    EXPECT_EQ(one.get(target + "&chart=" + std::to_string(found->charts.size())).status, 400) << name;
    for (const auto& p : analysis.parameters)
      EXPECT_TRUE(p.key != "analysis" && p.key != "chart" && p.key != "series" && p.key != "format")
          << name << ": these are parameters of /render";
  }
  EXPECT_GT(drawn, 0);
  for (const std::string query :
       {"", "?analysis=nothing", "?analysis=pareto&chart=x", "?analysis=pareto&chart=-1", "?chart=series",
        "?chart=series&series=999", "?chart=series&series=x", "?analysis=pareto&format=png", "?nothing=1",
        "?analysis=pareto&vram=24"})
    EXPECT_EQ(one.get("/api/v1/render" + query).status, 400) << query;
}

TEST(serve_files, draw_a_series_in_which_names_are_texts) {
  served_store one({hostile_run()});
  const auto series = one.get("/api/v1/series").json().at("items");
  ASSERT_GT(series.size(), 0U);
  for (const auto& item : series) {
    const auto answer = one.get("/api/v1/render?chart=series&series=" + item.at("id").dump());
    ASSERT_EQ(answer.status, 200) << answer.body;
    EXPECT_THAT(answer.header, HasSubstr("Content-Type: image/svg+xml\r\n"));
    EXPECT_THAT(answer.header,
                HasSubstr("Content-Disposition: attachment; filename=\"ridge-chart.svg\"\r\n"));
    EXPECT_THAT(answer.header, HasSubstr("X-Content-Type-Options: nosniff\r\n"));
    const auto policy = answer.header.find("Content-Security-Policy: ");
    EXPECT_THAT(answer.header.substr(policy, answer.header.find("\r\n", policy) - policy),
                HasSubstr("; sandbox"));
    EXPECT_EQ(answer.header.find("Content-Security-Policy: ", policy + 1), std::string::npos) << "one alone";
    EXPECT_THAT(answer.body, StartsWith("<svg"));
    EXPECT_THAT(answer.body, Not(HasSubstr("<script")));
    EXPECT_THAT(answer.body, Not(HasSubstr("<b>")));
    EXPECT_THAT(answer.body, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"));
  }
}

TEST(serve_files, hold_every_point_of_the_series_that_were_chosen) {
  const auto run = reference_run();
  served_store one({run, hostile_run()});
  const auto series = one.get("/api/v1/series").json().at("items");
  std::size_t points = 0;
  for (const auto& item : series) points += item.at("points").get<std::size_t>();
  const auto lines = one.get("/api/v1/export.ndjson");
  EXPECT_THAT(lines.header, HasSubstr("Content-Type: application/x-ndjson\r\n"));
  std::size_t seen = 0;
  for (const auto line : split(lines.body, '\n')) {
    if (line.empty()) continue;
    const auto row = nlohmann::json::parse(line);
    const auto whole = one.get("/api/v1/series/" + row.at("series").dump() + "/points").json();
    EXPECT_EQ(row.at("median"), whole.at("median").at(0));
    EXPECT_EQ(row.at("run"), whole.at("run").at(0));
    ++seen;
  }
  EXPECT_EQ(seen, points);
  const auto table = one.get("/api/v1/export.csv");
  EXPECT_THAT(table.header, HasSubstr("Content-Type: text/csv; charset=utf-8\r\n"));
  EXPECT_THAT(table.header, HasSubstr("attachment; filename=\"ridge-series.csv\""));
  EXPECT_THAT(table.body, StartsWith("series,machine,experiment,problem,"));
  EXPECT_THAT(table.body, HasSubstr("\"a,\"\"b\"\"\r\n=c]]><b>&\"")) << "a name with everything is one cell";
  const auto first = series.at(0).at("id").dump();
  const auto of_one = one.get("/api/v1/export.ndjson?series=" + first).body;
  EXPECT_EQ(std::ranges::count(of_one, '\n'), series.at(0).at("points").get<std::ptrdiff_t>());
  EXPECT_EQ(one.get("/api/v1/export.csv?experiment=nothing.*").body,
            table.body.substr(0, table.body.find('\n') + 1));
  EXPECT_EQ(one.get("/api/v1/export.csv?series=x").status, 400);
}

TEST(serve_files, refuse_a_series_that_there_is_none_of) {
  served_store one;
  for (const std::string id : {"-1", "999999", "9223372036854775808", "x"})
    EXPECT_EQ(one.get("/api/v1/export.csv?series=" + id).status, 400) << id;
}

}  // namespace
}  // namespace ridge::app_serve
