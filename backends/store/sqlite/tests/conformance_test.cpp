// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include <unistd.h>

#include <ridge/store/conformance/store_conformance.hpp>

namespace ridge::backends::store_sqlite {
std::unique_ptr<ridge::store::store> make(const ridge::store::options& given);
}  // namespace ridge::backends::store_sqlite

namespace ridge::store {
namespace {

// Uses a new folder for each process and test; a second open() of the same name opens the same file.
std::unique_ptr<store> open(const std::string& name) {
  static std::string last;
  auto file = name;
  std::ranges::replace(file, '/', '_');
  const auto path = std::filesystem::temp_directory_path() /
                    ("ridge_conformance_" + std::to_string(getpid())) / (file + ".db");
  if (last != name) std::filesystem::remove_all(path.parent_path());
  last = name;
  return backends::store_sqlite::make({.location = path});
}

INSTANTIATE_TEST_SUITE_P(sqlite, store_conformance, testing::Values(store_factory{.open = open}));

}  // namespace
}  // namespace ridge::store
