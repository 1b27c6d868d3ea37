// SPDX-License-Identifier: Apache-2.0
#include "stored/store_shelf.hpp"

#include <array>

#include <sys/stat.h>

#include <fmt/format.h>

namespace ridge::app_serve {
namespace {

// A store's file, and the log beside it that holds what was written last.
constexpr std::array<const char*, 2> endings{"", "-wal"};

}  // namespace

store_shelf::lease::~lease() {
  if (!store_) return;
  const std::lock_guard guard(shelf_->mutex_);
  shelf_->free_.push_back(std::move(store_));
}

store_shelf::lease store_shelf::borrow() {
  {
    const std::lock_guard guard(mutex_);
    if (!free_.empty()) {
      auto store = std::move(free_.back());
      free_.pop_back();
      return {*this, std::move(store)};
    }
  }
  return {*this, open_()};
}

std::string store_shelf::revision() const {
  std::string text;
  if (path_.empty()) return text;
  for (const auto* ending : endings) {
    struct stat status {};
    if (stat((path_ + ending).c_str(), &status) != 0) continue;
    text += fmt::format("{}:{}.{}:{} ", status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
                        status.st_size);
  }
  return text;
}

std::uint64_t store_shelf::bytes() const {
  std::uint64_t all = 0;
  for (const auto* ending : endings) {
    struct stat status {};
    if (!path_.empty() && stat((path_ + ending).c_str(), &status) == 0)
      all += static_cast<std::uint64_t>(status.st_size);
  }
  return all;
}

}  // namespace ridge::app_serve
