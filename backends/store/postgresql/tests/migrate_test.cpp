// SPDX-License-Identifier: Apache-2.0
#include "migrate.hpp"

#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <migrations.hpp>

#include "postgresql_store.hpp"
#include "test_database.hpp"

namespace ridge::backends::store_postgresql {
namespace {

using store::store_failure;
using store::trouble;

class migration : public in_a_database {};

TEST_F(migration, numbers_in_file_names_are_the_versions_they_lead_to) {
  int version = 0;
  for (const auto& m : migrations()) EXPECT_EQ(m.name.substr(0, 5), fmt::format("{:04}_", ++version));
}

TEST_F(migration, a_second_one_changes_nothing) {
  connection database(url());
  migrate(database);
  migrate(database);
  EXPECT_EQ(database.ask("SELECT count(*), max(version) FROM schema_version").at(0).whole(0), 1);
}

TEST_F(migration, a_newer_schema_is_refused_by_number) {
  {
    connection newer(url());
    migrate(newer);
    newer.write([](session& s) { s.run("UPDATE schema_version SET version = 99"); });
  }
  std::string text;
  EXPECT_EQ(met([&] { postgresql_store({.location = url()}); }, &text), trouble::newer_schema);
  EXPECT_NE(text.find("schema 99"), std::string::npos);
  EXPECT_NE(text.find("postgresql:///ridge"), std::string::npos);
}

TEST_F(migration, a_schema_of_something_else_is_left_alone) {
  connection theirs(url());
  theirs.write([](session& s) { s.run("CREATE SCHEMA ridge; CREATE TABLE ridge.theirs (x int)"); });
  EXPECT_EQ(met([&] { postgresql_store({.location = url()}); }), trouble::corrupt);
  EXPECT_EQ(theirs
                .ask("SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
                     "WHERE n.nspname = 'ridge'")
                .at(0)
                .whole(0),
            1);
}

TEST_F(migration, one_that_fails_leaves_nothing_behind) {
  connection database(url());
  database.write([](session& s) {
    s.run("CREATE ROLE little LOGIN; CREATE SCHEMA ridge; GRANT USAGE ON SCHEMA ridge TO little");
  });
  EXPECT_EQ(met([&] { postgresql_store({.location = url_as("little")}); }), trouble::read_only);
  EXPECT_EQ(met([&] { postgresql_store({.location = url()}); }), std::nullopt);
  database.write([](session& s) { s.run("DROP OWNED BY little; DROP ROLE little"); });
}

}  // namespace
}  // namespace ridge::backends::store_postgresql
