// SPDX-License-Identifier: Apache-2.0
#include "migrate.hpp"

#include <fmt/format.h>

#include <migrations.hpp>

namespace ridge::backends::store_sqlite {
namespace {

using store::store_failure;
using store::trouble;

constexpr std::int64_t application_id = 1380533319;  // "RIDG", set by the first migration

std::int64_t number(database& in, std::string_view sql) {
  statement query(in, sql);
  query.step();
  return query.whole(0);
}

int version(database& in) { return static_cast<int>(number(in, "PRAGMA user_version")); }

// In this order: another process may make the store between the two queries, tables and id in one
// transaction.
void refuse_strangers(database& in) {
  if (number(in, "SELECT COUNT(*) FROM sqlite_schema") == 0) return;
  if (number(in, "PRAGMA application_id") == application_id) return;
  throw store_failure(trouble::corrupt, {fmt::format("{} is a database, but not one of ridge", in.path()),
                                         "give another place with --store PATH"});
}

void refuse_newer(database& in, int found) {
  if (found <= schema_version()) return;
  throw store_failure(
      trouble::newer_schema,
      {fmt::format("{} has schema {}, this ridge knows {} at most", in.path(), found, schema_version()),
       "use the newer ridge that wrote it, or another place with --store PATH"});
}

}  // namespace

int schema_version() { return static_cast<int>(migrations().size()); }

void migrate(database& in, int target) {
  refuse_strangers(in);
  refuse_newer(in, version(in));
  if (version(in) == target) return;
  transaction all(in);
  for (int at = version(in); at < target; ++at) {
    in.run(std::string(migrations()[static_cast<std::size_t>(at)].text));
    in.run(fmt::format("PRAGMA user_version = {}", at + 1));
  }
  all.commit();
}

}  // namespace ridge::backends::store_sqlite
