// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/results_store.hpp>

#include <algorithm>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include <ridge/app/backends.hpp>
#include <ridge/app/modules.hpp>
#include <ridge/base/text.hpp>
#include <ridge/store/location.hpp>
#include <ridge/store/store_failure.hpp>

namespace ridge::app {

namespace {

// A server's backend needs its client library: it is a module, which is opened when a URL asks for it.
std::unique_ptr<store::store> opened_at(const std::string& location, bool for_reading) {
  const store::options options{.location = location, .for_reading = for_reading};
  auto scheme = std::string(store::scheme_of(location));
  if (scheme.empty())
    return find_factory<std::unique_ptr<store::store>(const store::options&)>(store_backends(),
                                                                              "sqlite")(options);
  if (scheme == "postgres") scheme = "postgresql";
  const auto module = store_beside_program(scheme);
  if (!module)
    throw unavailable(
        fmt::format("cannot open the store {}: {}", store::place_of(location), module.why().message),
        module.why().remedy);
  return (*module)->open(options);
}

}  // namespace

std::string store_location(const context& program) {
  auto location = program.store.empty() ? store::default_location() : program.store;
  if (location.empty())
    throw unavailable("a place for results: neither HOME nor XDG_DATA_HOME is set",
                      "give one with --store PATH or RIDGE_STORE");
  return location;
}

std::string store_place(const context& program) { return store::place_of(store_location(program)); }

std::unique_ptr<store::store> open_store(const context& program) {
  return open_store_at(store_location(program));
}

std::unique_ptr<store::store> store_if_possible(const context& program, bool wanted) {
  if (!wanted) return nullptr;
  try {
    return open_store(program);
  } catch (const failure& why) {
    program.tell(fmt::format("{} results will be printed but not stored: {}\n",
                             paint(program.err, report::tone::doubtful, "ridge:"), why.why().text()));
    return nullptr;
  }
}

std::unique_ptr<store::store> open_store_at(const std::string& location) {
  return opened_at(location, false);
}

result<std::shared_ptr<store::store>> open_existing_store(const std::string& location) {
  try {
    std::error_code ignored;
    if (store::scheme_of(location).empty() && !std::filesystem::exists(location, ignored))
      return error{"nothing is stored yet", fmt::format("`ridge run` will create {}", location)};
    return std::shared_ptr<store::store>(opened_at(location, true));
  } catch (const failure& why) {
    return why.why();
  }
}

result<std::shared_ptr<store::store>> open_store_for_reading(const context& program) {
  try {
    return open_existing_store(store_location(program));
  } catch (const failure& why) {
    return why.why();
  }
}

// Tables print the end of an id, since its beginning is the time and equal for all runs of a day. So an id
// that begins no run may end one.
constexpr std::size_t most_named = 9;

result<model::run> load_run(store::store& store, const std::string& id) {
  auto found = store.load(id);
  if (found) return found;
  std::vector<std::string> ending;
  for (const auto& entry : store.runs({.limit = 10000})) {
    if (!id.empty() && entry.id.ends_with(id)) ending.push_back(entry.id);
  }
  if (ending.empty()) return found;
  if (ending.size() == 1) return store.load(ending.front());
  ending.resize(std::min(ending.size(), most_named));
  return error{fmt::format("'{}' could be {}", id, join(ending, ", ")), "give more of the id"};
}

}  // namespace ridge::app
