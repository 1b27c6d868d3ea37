// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <ridge/base/read_file.hpp>
#include <ridge/model/json.hpp>
#include <ridge/store/store.hpp>

namespace ridge::backends::store_sqlite {
std::unique_ptr<ridge::store::store> make(const ridge::store::options& given);
}  // namespace ridge::backends::store_sqlite

namespace ridge::results::tests {

[[nodiscard]] inline std::filesystem::path source_folder() { return std::getenv("RIDGE_SOURCE_DIR"); }

// The runs of /results that the example store holds: a CPU and two GPUs, several problems of one experiment,
// energy on the GPUs alone.
constexpr const char* example_runs[] = {
    "amd-epyc-x2/2026-11-23.json",
    "intel-xeon-x16-nvidia-h100-80gb/2026-11-27-3.json",
    "intel-xeon-x16-nvidia-h100-80gb/2026-11-27-8.json",
    "intel-xeon-x16-nvidia-h100-80gb/2026-11-27-9.json",
    "intel-xeon-x16-nvidia-h200/2026-11-23.json",
};

inline void import_run(store::store& store, const std::filesystem::path& file) {
  const auto text = read_file(file);
  ASSERT_TRUE(text) << file;
  auto run = model::run_from_json(*text);
  ASSERT_TRUE(run) << file;
  store.begin(*run);
  for (const auto& family : run->families) store.commit(run->id, family);
  store.finish(*run);
}

// A store that holds nothing, in memory.
[[nodiscard]] inline std::unique_ptr<store::store> empty_store() {
  return backends::store_sqlite::make({.location = ":memory:"});
}

// A store of the example runs, made once for all tests of the program. Tests must not write to it.
[[nodiscard]] inline store::store& example_store() {
  static const auto made = [] {
    auto store = empty_store();
    for (const auto* run : example_runs) import_run(*store, source_folder() / "results" / run);
    return store;
  }();
  return *made;
}

}  // namespace ridge::results::tests
