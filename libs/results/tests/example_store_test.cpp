// SPDX-License-Identifier: Apache-2.0
#include "example_store.hpp"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include <ridge/base/read_file.hpp>
#include <ridge/base/temporary_folder.hpp>
#include <ridge/model/json.hpp>

namespace ridge::backends::store_sqlite {
std::unique_ptr<ridge::store::store> make(const ridge::store::options& given);
}  // namespace ridge::backends::store_sqlite

namespace ridge::results {

struct example_store::folder {
  scratch_folder place{"ridge-results"};
};

example_store::example_store(nothing) : folder_(std::make_unique<folder>()) {
  store_ = backends::store_sqlite::make({.location = (folder_->place.path() / "results.db").string()});
}

example_store::example_store() : example_store(with_nothing) {
  const auto kept =
      std::filesystem::path(std::getenv("RIDGE_SOURCE_DIR")) / "results/intel-xeon-x16-nvidia-h100-80gb";
  for (int i = 0; i < 10; ++i) {
    const auto text = read_file(kept / fmt::format("2026-11-27-{}.json", i));
    const auto run = model::run_from_json(text.value());
    store_->begin(run.value());
    for (const auto& family : run->families) store_->commit(run->id, family);
    store_->finish(*run);
  }
}

example_store::~example_store() = default;

}  // namespace ridge::results
