// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <ridge/base/byte_units.hpp>
#include <ridge/base/error.hpp>
#include <ridge/host/pages.hpp>

#include "os/observed.hpp"
#include "os/os_lists.hpp"

namespace ridge::backends::probe_host {
namespace {

// Prevents the compiler from removing an allocation that is not used.
void* seen(void* memory) {
  asm volatile("" : "+r"(memory) : : "memory");
  return memory;
}

template <std::size_t Bytes>
void allocate_and_free(int n) {
  for (int i = 0; i < n; ++i) std::free(seen(std::malloc(Bytes)));
}

void touch(void* memory, std::size_t bytes) {
  auto* const at = static_cast<volatile char*>(memory);
  for (std::size_t i = 0; i < bytes; i += 4 * kib) at[i] = 1;
}

model::ceiling warm(const probe::request& request, const char* id, const char* words, void (*times)(int),
                    std::size_t bytes) {
  batch calls{times};
  auto row = row_of_times(id, words,
                          observe_calls(request.clock, {time_of_row(request.depth)}, gives_way::no, calls),
                          "malloc and free, the block just freed");
  row.size_bytes = static_cast<double>(bytes);
  return row;
}

// Allocates many blocks and keeps them, so that each is new to the allocator; they are returned to the kernel
// between observations.
model::ceiling fresh(const probe::request& request, const char* id, const char* words, std::size_t bytes) {
  const std::size_t count = std::max<std::size_t>(4 * mib / bytes, 8);
  std::vector<void*> kept(count, nullptr);
  const auto once = [&] {
    const auto begin = request.clock.now();
    for (auto& block : kept) {
      block = seen(std::malloc(bytes));
      if (block != nullptr) touch(block, bytes);
    }
    const double s = request.clock.seconds(request.clock.now() - begin) / static_cast<double>(count);
    for (auto* block : kept) std::free(block);
    malloc_trim(0);
    return s;
  };
  auto row =
      row_of_times(id, words, observe(request.clock, {time_of_row(request.depth)}, gives_way::no, once),
                   "malloc and a write to each page, means of " + std::to_string(count));
  row.size_bytes = static_cast<double>(bytes);
  return row;
}

// Allocates above the size (32 MiB) up to which the C library may keep freed memory.
model::ceiling large(const probe::request& request) {
  constexpr std::size_t bytes = 33 * mib;
  const auto once = [&] {
    const auto begin = request.clock.now();
    void* const block = seen(std::malloc(bytes));
    if (block == nullptr) throw unavailable("33 MiB of memory", "");
    touch(block, bytes);
    std::free(block);
    return request.clock.seconds(request.clock.now() - begin);
  };
  auto row = row_of_times("os.malloc.33mib", "33 MiB, written and freed",
                          observe(request.clock, {time_of_row(request.depth), 6}, gives_way::no, once),
                          "malloc, a write to each page, free");
  row.size_bytes = bytes;
  return row;
}

model::ceiling huge(const probe::request& request) {
  constexpr std::size_t bytes = 32 * mib;
  const auto once = [&] {
    const auto begin = request.clock.now();
    { const host::region kept(bytes, host::huge_page_bytes, host::huge_pages::transparent); }
    return request.clock.seconds(request.clock.now() - begin);
  };
  auto row = row_of_times(
      "os.malloc.huge_pages", "32 MiB on huge pages where there are any, touched, given back",
      observe(request.clock, {time_of_row(request.depth), 6}, gives_way::no, once), "mmap, MADV_HUGEPAGE");
  row.size_bytes = bytes;
  return row;
}

}  // namespace

rows probe_malloc(const probe::request& request) {
  return {
      warm(request, "os.malloc.64b", "64 B, allocated and freed", allocate_and_free<64>, 64),
      fresh(request, "os.malloc.64b.fresh", "64 B, new to the allocator", 64),
      warm(request, "os.malloc.64kib", "64 KiB, allocated and freed", allocate_and_free<64 * kib>, 64 * kib),
      fresh(request, "os.malloc.64kib.fresh", "64 KiB, new to the allocator", 64 * kib),
      warm(request, "os.malloc.1mib", "1 MiB, allocated and freed", allocate_and_free<mib>, mib),
      fresh(request, "os.malloc.1mib.fresh", "1 MiB, new to the allocator", mib),
      large(request),
      huge(request)};
}

}  // namespace ridge::backends::probe_host
