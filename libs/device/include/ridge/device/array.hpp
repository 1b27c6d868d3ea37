// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ridge::device {

// Where an array lives. Arms share arrays unless a variant's question is placement itself. `ordinary` is what
// a tuned program would do: huge pages from 2 MiB on where the system gives them, starts staggered over a
// page.
enum class placement : std::uint8_t { ordinary, small_pages, huge_pages, pinned };

// How out-of-bounds accesses are caught. `pages`: unmapped pages on both sides, payload right-aligned to the
// end (for verification; 7..9 % slower). `red_zones`: patterned bytes on both sides, payload aligned (for
// timing). `shared_pages` and `shared_zones`: the same in memory that this process shares with the children
// that it forks, on a host; huge pages are then up to the system's settings for shared memory.
enum class guard : std::uint8_t { red_zones, pages, shared_pages, shared_zones };

// How many places in a page there are for arrays.
inline constexpr std::size_t array_places = 16;

struct array_request {
  std::size_t bytes = 0;
  std::size_t alignment = 64;  // zones: of the start; pages: the element's natural alignment
  device::guard guard{device::guard::red_zones};
  device::placement placement{device::placement::ordinary};
  // On a host, where in a page an ordinary array starts: arrays that are used together have different places,
  // arrays that take each other's part the same.
  std::size_t place = 0;
  std::uintptr_t address = 0;  // on a host, near which the memory should begin; 0: anywhere. Only a wish
  int gpu = 0;  // index into device::gpus() of the GPU that holds it; on a host there is one place
};

// Bytes on a device with their guards; released by the destructor.
class array {
 public:
  virtual ~array() = default;
  // The payload, in memory of the device: the host may read it only where device::on_host() holds.
  [[nodiscard]] virtual std::span<std::byte> bytes() const = 0;
  // Describes what was written outside the payload ("12 bytes after the end, first at +3"); empty when
  // nothing was. Guard pages fault at the write instead and report nothing here.
  [[nodiscard]] virtual std::string damage() const = 0;
};

}  // namespace ridge::device
