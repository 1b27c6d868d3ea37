// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/host_array.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <utility>

#include <ridge/base/error.hpp>
#include <ridge/base/expects.hpp>
#include <ridge/base/units.hpp>
#include <ridge/device/guard_layout.hpp>
#include <ridge/device/guard_zone.hpp>

namespace ridge::device {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

// A range of address space; the destructor unmaps it.
class mapping {
 public:
  mapping(std::size_t size, int protection, int sharing = MAP_PRIVATE, std::uintptr_t address = 0)
      : size_(size) {
    // The kernel takes an address as a wish: where it is not free, it gives another.
    void* at = mmap(reinterpret_cast<void*>(address), size, protection,
                    sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) refuse("mmap", errno);
    start_ = static_cast<std::byte*>(at);
  }
  mapping(mapping&& other) noexcept : start_(std::exchange(other.start_, nullptr)), size_(other.size_) {}
  mapping& operator=(mapping&&) = delete;
  ~mapping() {
    if (start_ != nullptr) munmap(start_, size_);
  }
  [[nodiscard]] std::byte* start() const { return start_; }
  void open(std::size_t offset, std::size_t size) const {
    if (size > 0 && mprotect(start_ + offset, size, PROT_READ | PROT_WRITE) != 0) refuse("mprotect", errno);
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
  host_array(mapping memory, const guard_layout& layout)
      : memory_(std::move(memory)),
        before_(memory_.start() + layout.before, layout.payload - layout.before),
        payload_(memory_.start() + layout.payload, layout.after - layout.payload),
        after_(memory_.start() + layout.after, layout.end - layout.after) {
    paint(before_);
    paint(after_);
  }
  [[nodiscard]] std::span<std::byte> bytes() const override { return payload_; }
  [[nodiscard]] std::string damage() const override { return damage_text(before_, after_); }

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

// Where all arrays begin at the same offset in a page, loads wait for stores whose addresses agree in the low
// bits (4K aliasing); so each place begins some lines after the one before.
std::size_t stagger(const array_request& r) {
  constexpr std::size_t step = 5 * 64;
  if (r.placement != placement::ordinary || r.alignment > 64) return 0;
  return r.place % array_places * step;
}

std::unique_ptr<array> in_zones(const array_request& r) {
  const bool huge = wants_huge_pages(r);
  const std::size_t alignment = huge ? huge_page : std::max<std::size_t>(r.alignment, 64),
                    offset = stagger(r);
  mapping memory(bytes_with_zones(r.bytes, alignment, offset), PROT_READ | PROT_WRITE,
                 r.guard == guard::shared_zones ? MAP_SHARED : MAP_PRIVATE, r.address);
  const auto at = between_zones(reinterpret_cast<std::uintptr_t>(memory.start()), r.bytes, alignment, offset);
  if (huge && r.bytes > 0) madvise(memory.start() + at.payload - offset, r.bytes + offset, MADV_HUGEPAGE);
  return std::make_unique<host_array>(std::move(memory), at);
}

std::unique_ptr<array> in_pages(const array_request& r) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto at = between_pages(r.bytes, r.alignment, page);
  mapping memory(at.end + page, PROT_NONE, r.guard == guard::shared_pages ? MAP_SHARED : MAP_PRIVATE);
  memory.open(page, at.end - page);
  return std::make_unique<host_array>(std::move(memory), at);
}

}  // namespace

std::unique_ptr<array> allocate_on_host(const array_request& request) {
  expects(std::has_single_bit(request.alignment) && request.alignment <= 4096,
          "allocate: the alignment is a power of two up to 4096");
  const bool zones = request.guard == guard::red_zones || request.guard == guard::shared_zones;
  return zones ? in_zones(request) : in_pages(request);
}

}  // namespace ridge::device
