// SPDX-License-Identifier: Apache-2.0
#include "migrate.hpp"

#include <fmt/format.h>

#include <migrations.hpp>

namespace ridge::backends::store_postgresql {
namespace {

using store::store_failure;
using store::trouble;

constexpr int no_schema = -1;

// Returns the version of the schema, or no_schema. The catalogue is read by every role; the table of the
// version only by one that may use the schema.
int version_of(session& statements, const std::string& place) {
  const auto found = statements.ask(
      "SELECT count(*) FILTER (WHERE relname = 'schema_version'), count(*) FROM pg_catalog.pg_class c "
      "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'ridge'");
  if (found.at(0).whole(0) > 0)
    return static_cast<int>(statements.ask("SELECT version FROM ridge.schema_version").at(0).whole(0));
  if (found.at(0).whole(1) == 0) return no_schema;
  throw store_failure(trouble::corrupt,
                      {fmt::format("{} has a schema \"ridge\" that is not one of ridge", place),
                       "give another database with --store"});
}

void refuse_newer(int found, const std::string& place) {
  if (found <= schema_version()) return;
  throw store_failure(
      trouble::newer_schema,
      {fmt::format("{} has schema {}, this ridge knows {} at most", place, found, schema_version()),
       "use the newer ridge that wrote it, or another database with --store"});
}

// CREATE SCHEMA needs a right to the database even where there is one; an empty one may be given to a role
// without it.
void make_schema(session& statements) {
  const auto there = statements.ask("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'ridge'");
  if (there.size() == 0) statements.run("CREATE SCHEMA ridge");
}

}  // namespace

int schema_version() { return static_cast<int>(migrations().size()); }

void migrate(connection& database) {
  int version = no_schema;
  database.read([&](session& statements) { version = version_of(statements, database.place()); });
  refuse_newer(version, database.place());
  if (version == schema_version()) return;
  database.write([&](session& statements) {
    statements.run("SELECT pg_advisory_xact_lock(1380533319)");  // "RIDG"
    version = version_of(statements, database.place());
    refuse_newer(version, database.place());
    if (version == no_schema) make_schema(statements);
    for (int next = std::max(version, 0); next < schema_version(); ++next) {
      statements.run(std::string(migrations()[static_cast<std::size_t>(next)].text));
      statements.run(fmt::format("UPDATE schema_version SET version = {}", next + 1));
    }
  });
}

}  // namespace ridge::backends::store_postgresql
