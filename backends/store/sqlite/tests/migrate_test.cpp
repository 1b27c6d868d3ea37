// SPDX-License-Identifier: Apache-2.0
#include "migrate.hpp"

#include <cstdlib>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <migrations.hpp>
#include <ridge/base/read_file.hpp>

#include "sqlite_store.hpp"
#include "test_folder.hpp"

namespace ridge::backends::store_sqlite {
namespace {

using store::store_failure;
using store::trouble;

std::string fixture(int version) {
  const auto path = fmt::format("{}/backends/store/sqlite/tests/fixtures/schema_{}.sql",
                                std::getenv("RIDGE_SOURCE_DIR"), version);
  return read_file(path).value();
}

// Returns tables, columns and indices as text that does not depend on how they were created.
std::string shape(database& connection) {
  statement rows(connection, R"(
    SELECT m.name || '.' || i.name || ' ' || i.type || ' ' || i."notnull" FROM sqlite_schema m, pragma_table_info(m.name) i
    WHERE m.type = 'table' UNION SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY 1)");
  std::string all;
  while (rows.step()) all += std::string(rows.text(0)) + '\n';
  return all;
}

class migration : public in_a_folder {};

TEST_F(migration, numbers_in_file_names_are_the_versions_they_lead_to) {
  int version = 0;
  for (const auto& m : migrations()) EXPECT_EQ(m.name.substr(0, 5), fmt::format("{:04}_", ++version));
}

TEST_F(migration, every_older_schema_becomes_todays) {
  database fresh(file("fresh.db"));
  migrate(fresh);
  for (int version = 1; version < schema_version(); ++version) {
    database old(file(fmt::format("{}.db", version)));
    old.run(fixture(version));
    migrate(old);
    EXPECT_EQ(shape(old), shape(fresh)) << "from schema " << version;
  }
}

TEST_F(migration, fixtures_are_what_that_version_made) {
  for (int version = 1; version < schema_version(); ++version) {
    database kept(file(fmt::format("kept{}.db", version)));
    kept.run(fixture(version));
    database made(file(fmt::format("made{}.db", version)));
    migrate(made, version);
    EXPECT_EQ(shape(kept), shape(made)) << version;
  }
}

TEST_F(migration, results_of_every_older_schema_read_back_whole) {
  for (int version = 1; version < schema_version(); ++version) {
    const auto path = file(fmt::format("{}.db", version));
    database(path).run(fixture(version));
    sqlite_store store({.location = path});
    const auto held = store.counts();
    EXPECT_EQ(held.runs, 2u);
    EXPECT_EQ(held.samples, 6u);
    const auto run = store.load("01JD0000000000000000000001");
    ASSERT_TRUE(run.ok()) << run.why().text();
    EXPECT_EQ(run->wall_s, 1.5);
    EXPECT_EQ(run->environment.facts.at(0).second, "performance");
    EXPECT_EQ(run->peak.find("cpu.triad")->value, 2e10);
    EXPECT_EQ(run->families.at(0).measurements.at(1).samples.at(0).value.at(2), 1.1e-3);
    EXPECT_EQ(store.load("01JD0000000000000000000002")->peak.find("cpu.triad")->value, 2.5e10);
    EXPECT_EQ(store.history({.experiment = "ch01.*"}).size(), 2u);
    const auto latest = store.latest({});
    ASSERT_EQ(latest.size(), 1u) << "one workload, measured twice";
    EXPECT_EQ(latest.at(0).workload.families, 2u);
    EXPECT_EQ(latest.at(0).run, "01JD0000000000000000000002");
    ASSERT_EQ(latest.at(0).measurements.size(), run->families.at(0).measurements.size());
    EXPECT_EQ(latest.at(0).measurements.at(1).series.points, 2u);
    EXPECT_EQ(store.points({.series = latest.at(0).measurements.at(1).series.id}).at(0).samples,
              run->families.at(0).measurements.at(1).samples.at(0).value.size());
  }
}

TEST_F(migration, equal_environments_become_one_document) {
  database old(file());
  old.run(fixture(1));
  migrate(old);
  statement documents(old, "SELECT COUNT(*) FROM document");
  ASSERT_TRUE(documents.step());
  EXPECT_EQ(documents.whole(0), 3) << "one environment, two peaks";
}

TEST_F(migration, one_that_fails_leaves_the_old_schema_as_it_was) {
  database old(file());
  old.run(fixture(1));
  const auto before = shape(old);
  old.run("CREATE TABLE document (x)");
  EXPECT_THROW(migrate(old), store_failure);
  old.run("DROP TABLE document");
  EXPECT_EQ(shape(old), before);
  EXPECT_NO_THROW(migrate(old));
}

TEST_F(migration, a_newer_schema_is_refused_by_number) {
  {
    database newer(file());
    migrate(newer);
    newer.run("PRAGMA user_version = 99");
  }
  try {
    const sqlite_store opened({.location = file()});
    FAIL();
  } catch (const store_failure& e) {
    EXPECT_EQ(e.kind(), trouble::newer_schema);
    EXPECT_NE(e.why().message.find("schema 99"), std::string::npos);
    EXPECT_NE(e.why().message.find(file()), std::string::npos);
  }
}

TEST_F(migration, a_database_of_something_else_is_left_alone) {
  database(file()).run("CREATE TABLE theirs (x)");
  try {
    const sqlite_store opened({.location = file()});
    FAIL();
  } catch (const store_failure& e) {
    EXPECT_EQ(e.kind(), trouble::corrupt);
  }
  database after(file());
  EXPECT_EQ(shape(after), "theirs.x  0\n");
}

}  // namespace
}  // namespace ridge::backends::store_sqlite
