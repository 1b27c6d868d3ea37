// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include <ridge/model/run.hpp>
#include <ridge/store/store_failure.hpp>

#include "connection.hpp"
#include "postgresql_server.hpp"

namespace ridge::backends::store_postgresql {

// Each test begins with a database without the schema.
class in_a_database : public testing::Test {
 protected:
  void SetUp() override {
    if (url().empty()) GTEST_SKIP() << "no PostgreSQL server can be started here";
    connection(url()).write([](session& s) { s.run("DROP SCHEMA IF EXISTS ridge CASCADE"); });
  }
  static store::tests::postgresql_server& server() { return store::tests::postgresql_server::running(); }
  static const std::string& url() { return server().url(); }
  // Returns the URL of the same database for another role.
  static std::string url_as(const std::string& role) {
    return url().substr(0, url().find("user=")) + "user=" + role;
  }
  // A family whose samples all are `mark`, so that a mixture would show.
  static model::family family_of(std::size_t samples, double mark = 1e-3) {
    const std::vector<model::estimate> seen{{.median = mark, .ci = {mark, mark}}};
    model::family f{.experiment = "ch01.x"};
    f.measurements = {{.variant = "a", .metrics = seen}, {.variant = "b", .metrics = seen}};
    f.measurements[1].samples.push_back({.value = std::vector<double>(samples, mark)});
    f.comparisons.push_back({.reference = "a", .candidate = "b"});
    return f;
  }
};

// Returns the trouble that `work` meets; nothing when it meets none.
inline std::optional<store::trouble> met(const std::function<void()>& work, std::string* text = nullptr) {
  try {
    work();
  } catch (const store::store_failure& e) {
    if (text) *text = e.why().text();
    return e.kind();
  }
  return std::nullopt;
}

}  // namespace ridge::backends::store_postgresql
