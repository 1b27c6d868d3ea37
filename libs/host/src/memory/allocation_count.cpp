// SPDX-License-Identifier: Apache-2.0
// Counts the allocations of the process by replacing the functions of the allocator of glibc. Only whole
// programs link it (target ridge_allocation_count), never the library; it is empty under sanitizers, which
// replace the same functions.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if !defined(__has_feature)
#define __has_feature(x) 0
#endif
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

static std::atomic<std::uint64_t> ridge_allocations{0};

std::uint64_t ridge_allocations_so_far() { return ridge_allocations.load(std::memory_order_relaxed); }

void* malloc(std::size_t bytes) {
  ridge_allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(bytes);
}

void* calloc(std::size_t count, std::size_t bytes) {
  ridge_allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(count, bytes);
}

void* realloc(void* old, std::size_t bytes) {
  ridge_allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(old, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  ridge_allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, bytes);
}

void* memalign(std::size_t alignment, std::size_t bytes) { return aligned_alloc(alignment, bytes); }

int posix_memalign(void** made, std::size_t alignment, std::size_t bytes) {
  void* block = aligned_alloc(alignment, bytes);
  if (block == nullptr) return ENOMEM;
  *made = block;
  return 0;
}

}  // extern "C"

#endif
#endif
