// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/host_array.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/base/expects.hpp>
#include <ridge/base/units.hpp>

namespace ridge::device {
namespace {

constexpr std::size_t zone_bytes = 128;
constexpr std::size_t huge_page = std::size_t{2} << 20;

std::size_t rounded_up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

std::byte pattern_at(std::size_t offset) { return static_cast<std::byte>((offset * 37 + 0xA5) & 0xFF); }

void paint(std::span<std::byte> zone) {
  for (std::size_t i = 0; i < zone.size(); ++i) zone[i] = pattern_at(i);
}

struct harm {
  std::size_t bytes = 0, first = 0, last = 0;
};

harm harm_of(std::span<const std::byte> zone) {
  harm h;
  for (std::size_t i = 0; i < zone.size(); ++i) {
    if (zone[i] == pattern_at(i)) continue;
    if (h.bytes++ == 0) h.first = i;
    h.last = i;
  }
  return h;
}

// Address space, given back by the destructor.
class mapping {
 public:
  mapping(std::size_t size, int protection) : size_(size) {
    void* at = mmap(nullptr, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) refuse("mmap", errno);
    start_ = static_cast<std::byte*>(at);
  }
  mapping(mapping&& other) noexcept : start_(std::exchange(other.start_, nullptr)), size_(other.size_) {}
  mapping& operator=(mapping&&) = delete;
  ~mapping() {
    if (start_ != nullptr) munmap(start_, size_);
  }
  [[nodiscard]] std::byte* start() const { return start_; }
  void open(std::size_t from, std::size_t size) const {
    if (size > 0 && mprotect(start_ + from, size, PROT_READ | PROT_WRITE) != 0) refuse("mprotect", errno);
  }

 private:
  [[noreturn]] void refuse(std::string_view call, int code) const {
    throw io_failure(call, format_quantity(static_cast<double>(size_), "B"), code,
                     "use a smaller problem, or raise the memory limit");
  }
  std::byte* start_ = nullptr;
  std::size_t size_;
};

class host_array final : public array {
 public:
  host_array(mapping memory, std::span<std::byte> before, std::span<std::byte> payload,
             std::span<std::byte> after)
      : memory_(std::move(memory)), before_(before), payload_(payload), after_(after) {
    paint(before_);
    paint(after_);
  }
  [[nodiscard]] std::span<std::byte> bytes() const override { return payload_; }
  [[nodiscard]] std::string damage() const override {
    const harm front = harm_of(before_), back = harm_of(after_);
    std::string text;
    if (front.bytes > 0) {
      text = fmt::format("{} bytes before the start, last at -{}", front.bytes, before_.size() - front.last);
    }
    if (back.bytes > 0) {
      text += fmt::format("{}{} bytes after the end, first at +{}", text.empty() ? "" : "; ", back.bytes,
                          back.first);
    }
    return text;
  }

 private:
  mapping memory_;
  std::span<std::byte> before_, payload_, after_;
};

// Large arrays lie in huge pages, as a tuned program's would: otherwise page-table walks are what is
// measured.
bool wants_huge_pages(const array_request& r) {
  constexpr std::size_t large = huge_page;
  return r.placement == placement::huge_pages || (r.placement == placement::ordinary && r.bytes >= large);
}

// Arrays that all begin at the same offset in a page make every load wait for the store that looks like its
// own; so each begins some lines after the one before.
std::size_t stagger(const array_request& r) {
  constexpr std::size_t places = 16, step = 5 * 64;
  static std::atomic<std::size_t> made{0};
  if (r.placement != placement::ordinary || r.alignment > 64) return 0;
  return made.fetch_add(1, std::memory_order_relaxed) % places * step;
}

std::unique_ptr<array> between_zones(const array_request& r) {
  const bool huge = wants_huge_pages(r);
  const std::size_t alignment = huge ? huge_page : std::max<std::size_t>(r.alignment, 64),
                    offset = stagger(r);
  mapping memory(r.bytes + 2 * zone_bytes + alignment + offset, PROT_READ | PROT_WRITE);
  const auto from = reinterpret_cast<std::uintptr_t>(memory.start());
  std::byte* aligned = memory.start() + (rounded_up(from + zone_bytes, alignment) - from);
  std::byte* payload = aligned + offset;
  if (huge && r.bytes > 0) madvise(aligned, r.bytes + offset, MADV_HUGEPAGE);
  return std::make_unique<host_array>(std::move(memory), std::span(payload - zone_bytes, zone_bytes),
                                      std::span(payload, r.bytes), std::span(payload + r.bytes, zone_bytes));
}

std::unique_ptr<array> between_pages(const array_request& r) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t held = rounded_up(r.bytes, r.alignment), open = rounded_up(held, page);
  mapping memory(open + 2 * page, PROT_NONE);
  memory.open(page, open);
  std::byte* end = memory.start() + page + open;
  std::byte* payload = end - held;
  const std::size_t before = std::min(open - held, zone_bytes);
  return std::make_unique<host_array>(std::move(memory), std::span(payload - before, before),
                                      std::span(payload, r.bytes),
                                      std::span(payload + r.bytes, held - r.bytes));
}

}  // namespace

std::unique_ptr<array> allocate_on_host(const array_request& request) {
  expects(std::has_single_bit(request.alignment) && request.alignment <= 4096,
          "allocate: the alignment is a power of two up to 4096");
  return request.guard == guard::pages ? between_pages(request) : between_zones(request);
}

}  // namespace ridge::device
