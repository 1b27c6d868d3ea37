// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <ridge/store/store.hpp>

namespace ridge::results {

// A store in a temporary folder that holds the results of one GPU that are kept in results/.
class example_store {
 public:
  struct nothing {};
  static constexpr nothing with_nothing{};

  example_store();
  explicit example_store(nothing);
  ~example_store();
  example_store(const example_store&) = delete;
  example_store& operator=(const example_store&) = delete;

  [[nodiscard]] store::store& get() { return *store_; }

 private:
  struct folder;
  std::unique_ptr<folder> folder_;
  std::unique_ptr<store::store> store_;
};

}  // namespace ridge::results
