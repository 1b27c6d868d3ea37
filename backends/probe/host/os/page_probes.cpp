// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>

#include <cstdint>
#include <optional>

#include <ridge/base/error.hpp>
#include <ridge/host/pages.hpp>

#include "os/observed.hpp"
#include "os/os_lists.hpp"

namespace ridge::backends::probe_host {
namespace {

constexpr int readable = PROT_READ | PROT_WRITE;
constexpr int anonymous = MAP_PRIVATE | MAP_ANONYMOUS;
constexpr std::size_t small_mapping = 64 << 10;
constexpr int pages_at_once = 16;

void map_and_unmap(int n) {
  for (int i = 0; i < n; ++i) host::mapping(small_mapping, readable, anonymous);
}

// Returns fresh pages one after another, in mappings of 32 MiB that are made and unmapped between
// observations.
class fresh_pages final {
 public:
  fresh_pages(std::size_t page, int advice) : page_(page), advice_(advice) { renew(); }
  void need(std::size_t pages) {
    if (next_ + pages * page_ > end_) renew();
  }
  std::byte* touch() {
    auto* const at = next_;
    *static_cast<volatile std::byte*>(at) = std::byte{1};
    next_ += page_;
    return at;
  }

 private:
  void renew() {
    constexpr std::size_t bytes = std::size_t{32} << 20;
    map_.reset();
    map_.emplace(bytes + page_, readable, anonymous);
    madvise(map_->begin(), map_->size(), advice_);
    const auto off = reinterpret_cast<std::uintptr_t>(map_->begin()) % page_;
    next_ = map_->begin() + (off == 0 ? 0 : page_ - off);
    end_ = next_ + bytes;
  }
  std::size_t page_;
  int advice_;
  std::optional<host::mapping> map_{};
  std::byte *next_ = nullptr, *end_ = nullptr;
};

observed observe_touches(const probe::request& request, fresh_pages& pages, int at_once) {
  const auto once = [&] {
    pages.need(static_cast<std::size_t>(at_once));
    const auto begin = request.clock.now();
    for (int i = 0; i < at_once; ++i) pages.touch();
    return request.clock.seconds(request.clock.now() - begin) / at_once;
  };
  return observe(request.clock, {time_of_row(request.depth)}, gives_way::no, once);
}

}  // namespace

rows probe_mmap(const probe::request& request) {
  batch calls{map_and_unmap};
  const auto found = observe_calls(request.clock, {time_of_row(request.depth)}, gives_way::no, calls);
  auto row = row_of_times("os.mmap", "mapping 64 KiB and unmapping it untouched", found, "mmap, munmap");
  row.size_bytes = small_mapping;
  return {row};
}

rows probe_mprotect(const probe::request& request) {
  const host::mapping page(host::page_bytes(), readable, anonymous);
  const auto once = [&] {
    *static_cast<volatile std::byte*>(page.begin()) = std::byte{1};
    const auto begin = request.clock.now();
    const bool done = mprotect(page.begin(), page.size(), PROT_READ) == 0 &&
                      mprotect(page.begin(), page.size(), readable) == 0;
    const double s = request.clock.seconds(request.clock.now() - begin) / 2;
    if (!done) throw unavailable("mprotect", "");
    return s;
  };
  const auto found = observe(request.clock, {time_of_row(request.depth)}, gives_way::no, once);
  auto row = row_of_times("os.mprotect", "changing the rights of a page in use", found, "mprotect");
  row.size_bytes = static_cast<double>(host::page_bytes());
  return {row};
}

rows probe_fault(const probe::request& request) {
  fresh_pages pages(host::page_bytes(), MADV_NOHUGEPAGE);
  auto row = row_of_times("os.fault.page", "first touch of a page",
                          observe_touches(request, pages, pages_at_once), "anonymous memory, means of 16");
  row.size_bytes = static_cast<double>(host::page_bytes());
  return {row};
}

rows probe_huge_fault(const probe::request& request) {
  fresh_pages pages(host::huge_page_bytes, MADV_HUGEPAGE);
  if (host::huge_bytes_of({pages.touch(), host::huge_page_bytes}) == 0)
    throw unavailable("transparent huge pages",
                      "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled, or free some memory");
  auto row = row_of_times("os.fault.huge", "first touch of a huge page", observe_touches(request, pages, 1),
                          "anonymous memory, madvise");
  row.size_bytes = static_cast<double>(host::huge_page_bytes);
  return {row};
}

}  // namespace ridge::backends::probe_host
