// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include <ridge/base/temporary_folder.hpp>
#include <ridge/store/store.hpp>
#include <ridge/tui/services.hpp>

namespace ridge::backends::store_sqlite {
std::unique_ptr<ridge::store::store> make(const ridge::store::options& given);
}  // namespace ridge::backends::store_sqlite

namespace ridge::tui::tests {

// Two runs of one workload with three variants, one of them with a name that attacks terminals.
[[nodiscard]] model::run example_run(const std::string& id, const std::string& started, double faster);

// A store that holds the two runs, and services that lend it.
class example {
 public:
  example();
  [[nodiscard]] services lent() const;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }
  [[nodiscard]] ridge::store::store& store() { return *store_; }

 private:
  scratch_folder folder_{"ridge-tui"};
  std::shared_ptr<ridge::store::store> store_;
};

}  // namespace ridge::tui::tests
