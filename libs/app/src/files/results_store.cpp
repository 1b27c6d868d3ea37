// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/results_store.hpp>

#include <filesystem>

#include <fmt/format.h>

#include <ridge/app/backends.hpp>
#include <ridge/store/location.hpp>
#include <ridge/store/store_failure.hpp>

namespace ridge::app {

std::string store_location(const context& program) {
  return program.store.empty() ? store::default_location() : program.store;
}

std::unique_ptr<store::store> open_store(const context& program) {
  return open_store_at(store_location(program));
}

std::unique_ptr<store::store> open_store_at(const std::string& location) {
  if (location.find("://") != std::string::npos) {
    throw unavailable(fmt::format("no backend of this build opens the store {}", location),
                      "give --store the path of an SQLite file");
  }
  return find_factory<std::unique_ptr<store::store>(const store::options&)>(store_backends(),
                                                                            "sqlite")({.location = location});
}

result<std::shared_ptr<store::store>> open_store_for_reading(const context& program) {
  const auto location = store_location(program);
  std::error_code ignored;
  if (location.find("://") == std::string::npos && !std::filesystem::exists(location, ignored))
    return error{"nothing is stored yet", fmt::format("`ridge run` will create {}", location)};
  try {
    return std::shared_ptr<store::store>(open_store(program));
  } catch (const failure& why) {
    return why.why();
  }
}

// Tables print the end of an id, since its beginning is the time and equal for all runs of a day. So an id
// that begins no run may end one.
result<model::run> load_run(store::store& store, const std::string& id) {
  auto found = store.load(id);
  if (found) return found;
  for (const auto& entry : store.runs({.limit = 10000})) {
    if (entry.id.ends_with(id)) return store.load(entry.id);
  }
  return found;
}

}  // namespace ridge::app
