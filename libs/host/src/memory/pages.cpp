// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/pages.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <utility>

#include <ridge/base/error.hpp>
#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/host/text_file.hpp>

namespace ridge::host {
namespace {

constexpr auto pattern = std::byte{0xd7};

std::size_t round_up(std::size_t n, std::size_t step) { return (n + step - 1) / step * step; }

[[noreturn]] void refuse(std::size_t bytes, bool reserved) {
  const auto size = format_quantity(static_cast<double>(bytes), "B");
  if (reserved) {
    throw unavailable(size + " of reserved huge pages: " + std::strerror(errno), "raise vm.nr_hugepages");
  }
  // Too little memory now is a failure, not something that this machine lacks: it must not count as a skip.
  throw failure({"cannot map " + size + " of memory: " + std::strerror(errno), "choose a smaller problem"});
}

std::byte* aligned_in(const mapping& map, std::size_t alignment) {
  const auto address = std::bit_cast<std::size_t>(map.begin());
  return map.begin() + (round_up(address, alignment) - address);
}

void touch_all(std::span<std::byte> bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += page_bytes()) {
    *static_cast<volatile std::byte*>(&bytes[at]) = std::byte{0};
  }
}

}  // namespace

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

mapping::mapping(std::size_t bytes, int protection, int flags) : size_(bytes) {
  void* at = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  if (at == MAP_FAILED) refuse(bytes, (flags & MAP_HUGETLB) != 0);
  begin_ = static_cast<std::byte*>(at);
}

mapping::~mapping() {
  if (begin_ != nullptr) munmap(begin_, size_);
}

mapping::mapping(mapping&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)), size_(std::exchange(other.size_, 0)) {}

mapping& mapping::operator=(mapping&& other) noexcept {
  std::swap(begin_, other.begin_);
  std::swap(size_, other.size_);
  return *this;
}

region::region(std::size_t bytes, std::size_t alignment, huge_pages pages, first_touch touch) {
  expects(std::has_single_bit(alignment), "region: the alignment is a power of two");
  const auto unit = pages == huge_pages::no ? page_bytes() : huge_page_bytes;
  const auto whole = round_up(std::max<std::size_t>(bytes, 1), unit);
  alignment = std::max(alignment, unit);
  // The kernel aligns a reserved huge page; other mappings may need room to move up.
  const bool reserved = pages == huge_pages::reserved;
  const bool in_place = (reserved && alignment == unit) || alignment <= page_bytes();
  map_ = mapping(in_place ? whole : whole + alignment, PROT_READ | PROT_WRITE, reserved ? MAP_HUGETLB : 0);
  auto* begin = aligned_in(map_, alignment);
  if (!reserved) madvise(begin, whole, pages == huge_pages::no ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
  bytes_ = {begin, bytes};
  if (touch == first_touch::now) touch_all(bytes_);
}

guarded_region::guarded_region(std::size_t bytes, std::size_t alignment) {
  expects(std::has_single_bit(alignment) && alignment <= page_bytes(),
          "guarded_region: alignment 1, 2, 4 ... one page");
  const auto page = page_bytes();
  // The mapping is one page larger than the payload, so that there is always a pattern before it.
  const auto open = round_up(bytes + alignment, page) + (bytes % page == 0 ? page : 0);
  map_ = mapping(open + 2 * page, PROT_NONE, MAP_NORESERVE);
  inside_ = {map_.begin() + page, open};
  if (mprotect(inside_.data(), open, PROT_READ | PROT_WRITE) != 0) refuse(open, false);
  const auto start = (open - bytes) / alignment * alignment;
  payload_ = inside_.subspan(start, bytes);
  std::ranges::fill(inside_.first(start), pattern);
  std::ranges::fill(inside_.subspan(start + bytes), pattern);
}

std::optional<std::ptrdiff_t> guarded_region::damage() const {
  if (map_.begin() == nullptr) return std::nullopt;
  const auto* payload_end = payload_.data() + payload_.size();
  const auto* end = inside_.data() + inside_.size();
  const auto broken = [](std::byte b) { return b != pattern; };
  const auto* low = std::find_if(inside_.data(), payload_.data(), broken);
  if (low != payload_.data()) return low - payload_.data();
  const auto* high = std::find_if(payload_end, end, broken);
  return high == end ? std::nullopt : std::optional(high - payload_.data());
}

void renew_pages(std::span<const std::span<std::byte>> areas, std::vector<std::byte>& room,
                 splitmix_generator& random) {
  struct page {
    std::byte* place;
    const std::byte* kept;
  };
  const auto page_size = page_bytes();
  std::vector<std::span<std::byte>> whole;
  std::size_t bytes = 0;
  for (const auto area : areas) {
    if (area.empty()) continue;
    const auto before = std::bit_cast<std::size_t>(area.data()) % page_size;
    whole.emplace_back(area.data() - before, round_up(before + area.size(), page_size));
    bytes += whole.back().size();
  }
  if (room.size() < bytes) room.resize(bytes);
  std::vector<page> pages;
  auto* kept = room.data();
  for (const auto area : whole) {
    std::memcpy(kept, area.data(), area.size());
    if (madvise(area.data(), area.size(), MADV_DONTNEED) == 0) {
      for (std::size_t offset = 0; offset < area.size(); offset += page_size)
        pages.push_back({area.data() + offset, kept + offset});
    }
    kept += area.size();
  }
  for (std::size_t i = pages.size(); i > 0; --i) {
    std::swap(pages[i - 1], pages[random.below(i)]);
    std::memcpy(pages[i - 1].place, pages[i - 1].kept, page_size);
  }
}

std::size_t parse_huge_bytes(std::string_view smaps, std::size_t begin, std::size_t end) {
  std::size_t total = 0;
  bool inside = false;
  for (const auto line : split(smaps, '\n')) {
    std::size_t from = 0, to = 0;
    const auto* last = line.data() + line.size();
    const auto [dash, code] = std::from_chars(line.data(), last, from, 16);
    const bool header = code == std::errc{} && dash != last && *dash == '-' &&
                        std::from_chars(dash + 1, last, to, 16).ec == std::errc{};
    if (header) inside = from < end && begin < to;
    if (!header && inside && (line.starts_with("AnonHugePages:") || line.starts_with("Private_Hugetlb:"))) {
      total += to_bytes(line.substr(line.find(':') + 1)).value_or(0);
    }
  }
  return total;
}

std::size_t huge_bytes_of(std::span<const std::byte> memory) {
  const auto begin = std::bit_cast<std::size_t>(memory.data());
  return parse_huge_bytes(read_text("/proc/self/smaps").value_or(""), begin, begin + memory.size());
}

}  // namespace ridge::host
