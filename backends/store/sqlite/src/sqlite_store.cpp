// SPDX-License-Identifier: Apache-2.0
#include "sqlite_store.hpp"

#include <memory>

#include "migrate.hpp"

namespace ridge::backends::store_sqlite {

sqlite_store::sqlite_store(const ridge::store::options& given) : db_(given.location, given.for_reading) {
  migrate(db_);
}

// Makes a store; the generated list of backends names this factory.
std::unique_ptr<ridge::store::store> make(const ridge::store::options& given);
std::unique_ptr<ridge::store::store> make(const ridge::store::options& given) {
  return std::make_unique<sqlite_store>(given);
}

}  // namespace ridge::backends::store_sqlite
