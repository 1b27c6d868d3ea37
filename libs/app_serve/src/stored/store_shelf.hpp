// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <ridge/store/store.hpp>

namespace ridge::app_serve {

// Opens the same store for each thread that asks: a store is not for several threads at once.
class store_shelf final {
 public:
  using opener = std::function<std::unique_ptr<store::store>()>;

  // `path` is the store's file; empty where it is none, so that nothing tells when it changes.
  store_shelf(opener open, std::string path) : open_(std::move(open)), path_(std::move(path)) {}

  // A store that goes back to the shelf with this object.
  class lease final {
   public:
    lease(store_shelf& shelf, std::unique_ptr<store::store> store)
        : shelf_(&shelf), store_(std::move(store)) {}
    ~lease();
    lease(lease&& other) noexcept : shelf_(other.shelf_), store_(std::move(other.store_)) {}
    lease& operator=(lease&&) = delete;
    store::store& operator*() const { return *store_; }
    store::store* operator->() const { return store_.get(); }

   private:
    store_shelf* shelf_;
    std::unique_ptr<store::store> store_;
  };

  // Returns a store that nobody else has. Throws store_failure where none can be opened.
  [[nodiscard]] lease borrow();

  // Returns a text that differs once the store has changed; empty where that is not known.
  [[nodiscard]] std::string revision() const;

  // Returns the bytes of the store's files; 0 where they are not known.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  opener open_;
  std::string path_;
  std::mutex mutex_{};
  std::vector<std::unique_ptr<store::store>> free_{};
};

}  // namespace ridge::app_serve
