// SPDX-License-Identifier: Apache-2.0
#include <ridge/store/conformance/store_conformance.hpp>

#include "connection.hpp"
#include "postgresql_server.hpp"

namespace ridge::backends::store_postgresql {
std::unique_ptr<ridge::store::store> make(const ridge::store::options& given);
}  // namespace ridge::backends::store_postgresql

namespace ridge::store {
namespace {

using tests::postgresql_server;

// Each test begins with a database without the schema; a second open() of the same name is a second session.
std::unique_ptr<store> open(const std::string& name) {
  static std::string last;
  const auto& url = postgresql_server::running().url();
  if (last != name) {
    backends::store_postgresql::connection database(url);
    database.write([](auto& statements) { statements.run("DROP SCHEMA IF EXISTS ridge CASCADE"); });
  }
  last = name;
  return backends::store_postgresql::make({.location = url});
}

std::string lacking() {
  return postgresql_server::running().url().empty() ? "no PostgreSQL server can be started here" : "";
}

INSTANTIATE_TEST_SUITE_P(postgresql, store_conformance,
                         testing::Values(store_factory{.open = open, .lacking = lacking}));

}  // namespace
}  // namespace ridge::store
