// SPDX-License-Identifier: Apache-2.0
// Members of lists that readers choose.
#include <gmock/gmock.h>

#include "served_store.hpp"

namespace ridge::app_serve {
namespace {

using testing::HasSubstr;

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
    EXPECT_EQ(one.get(pattern + "?fields=nothing.at.all").status, 400) << pattern;
    const auto& first = shape.at("properties").at("items").at("items").at("properties").begin().key();
    EXPECT_EQ(one.get(pattern + "?fields=" + first).status, 200) << pattern << " " << first;
  }
  EXPECT_GE(lists, 7);
}

}  // namespace
}  // namespace ridge::app_serve
