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
  if (file_ == shelf_->file_) shelf_->free_.push_back(std::move(store_));
}

store_shelf::lease store_shelf::borrow() {
  const auto there = file();
  {
    const std::lock_guard guard(mutex_);
    if (there != file_) free_.clear();
    file_ = there;
    if (!free_.empty()) {
      auto store = std::move(free_.back());
      free_.pop_back();
      return {*this, std::move(store), there};
    }
  }
  auto opened = open_();
  return {*this, std::move(opened), file()};  // opening makes a file where none was
}

std::string store_shelf::file() const {
  struct stat status {};
  if (path_.empty() || stat(path_.c_str(), &status) != 0) return {};
  return fmt::format("{} {}", status.st_dev, status.st_ino);
}

error store_shelf::told(const store::store_failure& why) {
  constexpr auto pause = std::chrono::minutes(1);
  const auto text = why.why().text();
  const auto now = std::chrono::steady_clock::now();
  {
    const std::lock_guard guard(mutex_);
    const bool is_new = text != last_failure_ || now - last_told_ >= pause;
    if (is_new && failed_) failed_(why.why());
    if (is_new) last_told_ = now;
    last_failure_ = text;
  }
  switch (why.kind()) {
    case store::trouble::busy:
      return {"another process holds the store", "ask again in a moment"};
    case store::trouble::full:
      return {"no space is left for the store", "make some on the server's machine"};
    case store::trouble::read_only:
      return {"the store cannot be written", "the terminal of `ridge serve` says why"};
    default:
      return {"the store cannot be used", "the terminal of `ridge serve` says why"};
  }
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
