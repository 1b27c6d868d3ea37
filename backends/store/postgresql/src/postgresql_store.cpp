// SPDX-License-Identifier: Apache-2.0
#include "postgresql_store.hpp"

#include <memory>

#include "migrate.hpp"

namespace ridge::backends::store_postgresql {

postgresql_store::postgresql_store(const ridge::store::options& given) : database_(given.location) {
  migrate(database_);
}

// Makes a store; the module of this backend names this factory.
std::unique_ptr<ridge::store::store> make(const ridge::store::options& given);
std::unique_ptr<ridge::store::store> make(const ridge::store::options& given) {
  return std::make_unique<postgresql_store>(given);
}

}  // namespace ridge::backends::store_postgresql
