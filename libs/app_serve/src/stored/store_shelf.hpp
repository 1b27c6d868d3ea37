// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <ridge/base/error.hpp>
#include <ridge/store/store.hpp>
#include <ridge/store/store_failure.hpp>

namespace ridge::app_serve {

// Opens the same store for each thread that asks: a store is not for several threads at once.
class store_shelf final {
 public:
  using opener = std::function<std::unique_ptr<store::store>()>;

  using listener = std::function<void(const error& why)>;

  // `path` is the store's file; empty where it is none, so that nothing tells when it changes. `failed` is
  // told why the store failed, of one cause once a minute.
  store_shelf(opener open, std::string path, listener failed = {})
      : open_(std::move(open)), path_(std::move(path)), failed_(std::move(failed)) {}

  // A store that goes back to the shelf with this object.
  class lease final {
   public:
    lease(store_shelf& shelf, std::unique_ptr<store::store> store, std::string file)
        : shelf_(&shelf), store_(std::move(store)), file_(std::move(file)) {}
    ~lease();
    lease(lease&& other) noexcept
        : shelf_(other.shelf_), store_(std::move(other.store_)), file_(std::move(other.file_)) {}
    lease& operator=(lease&&) = delete;
    store::store& operator*() const { return *store_; }
    store::store* operator->() const { return store_.get(); }

   private:
    store_shelf* shelf_;
    std::unique_ptr<store::store> store_;
    std::string file_;
  };

  // Returns a store that nobody else has. Where another file has taken the place of the store's, or none is
  // there, the stores that are open are closed: what they are given would be lost. Throws store_failure where
  // none can be opened.
  [[nodiscard]] lease borrow();

  // Tells why the store failed, and returns what a client may know of that: no place on this machine.
  [[nodiscard]] error told(const store::store_failure& why);

  // Returns a text that differs once the store has changed; empty where that is not known.
  [[nodiscard]] std::string revision() const;

  // Returns the bytes of the store's files; 0 where they are not known.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  [[nodiscard]] std::string file() const;

  opener open_;
  std::string path_;
  listener failed_;
  std::mutex mutex_{};
  std::vector<std::unique_ptr<store::store>> free_{};
  std::string file_{};  // which one the stores that are free have open
  std::string last_failure_{};
  std::chrono::steady_clock::time_point last_told_{};
};

}  // namespace ridge::app_serve
