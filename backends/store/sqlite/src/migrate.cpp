// SPDX-License-Identifier: Apache-2.0
#include "migrate.hpp"

#include <fmt/format.h>

#include <migrations.hpp>

#include "history_rows.hpp"

namespace ridge::backends::store_sqlite {
namespace {

using store::store_failure;
using store::trouble;

constexpr int with_history_rows = 3;                 // the schema whose rows the program enters
constexpr std::int64_t application_id = 1380533319;  // "RIDG", set by the first migration

std::int64_t number(database& connection, std::string_view sql) {
  statement query(connection, sql);
  query.step();
  return query.whole(0);
}

int version(database& connection) { return static_cast<int>(number(connection, "PRAGMA user_version")); }

// The order matters: another process may create the store between the two queries, tables and id in one
// transaction.
void refuse_strangers(database& connection) {
  if (number(connection, "SELECT COUNT(*) FROM sqlite_schema") == 0) return;
  if (number(connection, "PRAGMA application_id") == application_id) return;
  throw store_failure(trouble::corrupt,
                      {fmt::format("{} is a database, but not one of ridge", connection.path()),
                       "give another place with --store PATH"});
}

void refuse_newer(database& connection, int found) {
  if (found <= schema_version()) return;
  throw store_failure(trouble::newer_schema,
                      {fmt::format("{} has schema {}, this ridge knows {} at most", connection.path(), found,
                                   schema_version()),
                       "use the newer ridge that wrote it, or another place with --store PATH"});
}

}  // namespace

int schema_version() { return static_cast<int>(migrations().size()); }

void migrate(database& connection, int target) {
  refuse_strangers(connection);
  refuse_newer(connection, version(connection));
  if (version(connection) == target) return;
  if (connection.is_read_only())
    throw store_failure(trouble::read_only,
                        {fmt::format("{} has schema {}, which this ridge reads only after an upgrade to {}",
                                     connection.path(), version(connection), target),
                         "copy it to where it can be written, and give the copy with --store PATH"});
  transaction all(connection);
  for (int at = version(connection); at < target; ++at) {
    connection.run(std::string(migrations()[static_cast<std::size_t>(at)].text));
    if (at + 1 == with_history_rows) fill_history_rows(connection);
    connection.run(fmt::format("PRAGMA user_version = {}", at + 1));
  }
  all.commit();
}

}  // namespace ridge::backends::store_sqlite
