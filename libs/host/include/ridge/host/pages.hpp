// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <ridge/base/splitmix.hpp>

namespace ridge::host {

// Returns the bytes of a base page.
[[nodiscard]] std::size_t page_bytes();
inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

// The pages of a mapping. no: small pages, even where the system prefers huge ones. transparent: 2 MiB
// aligned and advised; the kernel may still refuse (see huge_bytes_of). reserved: from the pool of
// vm.nr_hugepages; throws unavailable when the pool is too small.
enum class huge_pages { no, transparent, reserved };

// Who touches the pages first. now: the constructor writes every page, so that no page fault happens in a
// timed interval and the memory lies on the NUMA node of the calling thread. later: whoever writes first.
enum class first_touch { now, later };

// A private mapping from the kernel, all bits zero. It owns the memory and can be moved.
class mapping {
 public:
  mapping() = default;
  // Maps so many bytes with the protection and flags of mmap(2). Throws failure when the kernel refuses, and
  // unavailable where reserved huge pages were asked for.
  mapping(std::size_t bytes, int protection, int flags);
  ~mapping();
  mapping(mapping&& other) noexcept;
  mapping& operator=(mapping&& other) noexcept;
  // Returns the first byte; null for an empty mapping.
  [[nodiscard]] std::byte* begin() const { return begin_; }
  // Returns the bytes of the mapping.
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::byte* begin_ = nullptr;
  std::size_t size_ = 0;
};

// Zeroed memory at a chosen alignment (a power of two). Throws failure when the machine cannot give it.
class region final {
 public:
  region() = default;
  // Allocates so many bytes.
  explicit region(std::size_t bytes, std::size_t alignment = 64, huge_pages pages = huge_pages::no,
                  first_touch touch = first_touch::now);

  // Returns the bytes of the region.
  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
  // Returns the region as elements of T; a tail shorter than one element is left out.
  template <class T>
  [[nodiscard]] std::span<T> as() const {
    return {static_cast<T*>(static_cast<void*>(bytes_.data())), bytes_.size() / sizeof(T)};
  }

 private:
  mapping map_{};
  std::span<std::byte> bytes_{};
};

// Memory whose ends are watched: pages without access stand on both sides; the payload ends at the upper one
// (within `alignment`, so pass the alignment of the element), and the bytes before it hold a pattern. An
// access past the end faults at once; `damage` finds a write before the beginning.
class guarded_region final {
 public:
  guarded_region() = default;
  // Allocates so many bytes. Throws failure when the machine cannot provide them.
  explicit guarded_region(std::size_t bytes, std::size_t alignment = 1);

  // Returns the bytes between the guard pages.
  [[nodiscard]] std::span<std::byte> bytes() const { return payload_; }
  // Returns the payload as elements of T; a tail shorter than one element is left out.
  template <class T>
  [[nodiscard]] std::span<T> as() const {
    return {static_cast<T*>(static_cast<void*>(payload_.data())), payload_.size() / sizeof(T)};
  }
  // Returns the lowest damaged byte outside the payload, as an offset from its beginning; nothing when the
  // pattern is intact.
  [[nodiscard]] std::optional<std::ptrdiff_t> damage() const;

 private:
  mapping map_{};
  std::span<std::byte> inside_{};  // pages with access
  std::span<std::byte> payload_{};
};

// Gives private anonymous memory other physical pages and keeps what it holds: frees the pages of all areas
// and writes them again in an order drawn from `random`, so that chance decides which area gets which page.
// Pages are renewed as a whole, also where an area begins or ends within one. Areas that are locked in memory
// keep their pages. `room` holds the contents meanwhile and can be passed again. Nobody else may use the
// areas during the call.
void renew_pages(std::span<const std::span<std::byte>> areas, std::vector<std::byte>& room,
                 splitmix_generator& random);

// Returns how many bytes of this memory huge pages hold now, by /proc/self/smaps; whole mappings count.
[[nodiscard]] std::size_t huge_bytes_of(std::span<const std::byte> memory);

// Does the same with the text of an smaps file, for addresses [begin, end).
[[nodiscard]] std::size_t parse_huge_bytes(std::string_view smaps, std::size_t begin, std::size_t end);

}  // namespace ridge::host
