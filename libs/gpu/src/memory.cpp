// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/memory.hpp>

#include <string>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/gpu/check.hpp>

namespace ridge::gpu {
namespace {

std::string sized(const char* call, std::size_t bytes) {
  return fmt::format("{} of {}", call, format_quantity(static_cast<double>(bytes), "B"));
}

void* allocate_device(std::size_t bytes) {
  void* memory = nullptr;
  if (bytes == 0) return memory;
  const auto code = cudaMalloc(&memory, bytes);
  if (code != cudaSuccess) check(code, sized("cudaMalloc", bytes));
  return memory;
}

void* allocate_pinned(std::size_t bytes, unsigned flags) {
  void* memory = nullptr;
  if (bytes == 0) return memory;
  const auto code = cudaHostAlloc(&memory, bytes, flags);
  if (code != cudaSuccess) check(code, sized("cudaHostAlloc", bytes));
  return memory;
}

}  // namespace

void device_memory::free_memory::operator()(void* memory) const { static_cast<void>(cudaFree(memory)); }

device_memory::device_memory(std::size_t bytes) : memory_(allocate_device(bytes)), bytes_(bytes) {}

void pinned_memory::free_memory::operator()(void* memory) const { static_cast<void>(cudaFreeHost(memory)); }

pinned_memory::pinned_memory(std::size_t bytes, unsigned flags)
    : memory_(allocate_pinned(bytes, flags)), bytes_(bytes) {}

}  // namespace ridge::gpu
