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

void* allocate_managed(std::size_t bytes) {
  void* memory = nullptr;
  if (bytes == 0) return memory;
  const auto code = cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal);
  if (code != cudaSuccess) check(code, sized("cudaMallocManaged", bytes));
  return memory;
}

int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

// CUDA 13 names a place by kind and number, older versions by a number.
#if CUDART_VERSION >= 13000
cudaMemLocation on_host() { return {.type = cudaMemLocationTypeHost, .id = 0}; }
cudaMemLocation on_device() { return {.type = cudaMemLocationTypeDevice, .id = current_device()}; }
void prefetch(void* memory, std::size_t bytes, cudaMemLocation place, cudaStream_t stream) {
  check(cudaMemPrefetchAsync(memory, bytes, place, 0, stream), "cudaMemPrefetchAsync");
}
#else
int on_host() { return cudaCpuDeviceId; }
int on_device() { return current_device(); }
void prefetch(void* memory, std::size_t bytes, int place, cudaStream_t stream) {
  check(cudaMemPrefetchAsync(memory, bytes, place, stream), "cudaMemPrefetchAsync");
}
#endif

}  // namespace

void device_memory::free_memory::operator()(void* memory) const { static_cast<void>(cudaFree(memory)); }

void enqueue_copy(void* target, const void* source, std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return;
  check(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDefault, stream), "cudaMemcpyAsync");
}

device_memory::device_memory(std::size_t bytes) : memory_(allocate_device(bytes)), bytes_(bytes) {}

void pinned_memory::free_memory::operator()(void* memory) const { static_cast<void>(cudaFreeHost(memory)); }

pinned_memory::pinned_memory(std::size_t bytes, unsigned flags)
    : memory_(allocate_pinned(bytes, flags)), bytes_(bytes) {}

void managed_memory::free_memory::operator()(void* memory) const { static_cast<void>(cudaFree(memory)); }

managed_memory::managed_memory(std::size_t bytes) : memory_(allocate_managed(bytes)), bytes_(bytes) {}

void managed_memory::move_to_host(cudaStream_t stream) const {
  if (bytes_ != 0) prefetch(data(), bytes_, on_host(), stream);
}

void managed_memory::move_to_device(cudaStream_t stream) const {
  if (bytes_ != 0) prefetch(data(), bytes_, on_device(), stream);
}

void managed_memory::keep_on_host() const {
  if (bytes_ == 0) return;
  check(cudaMemAdvise(data(), bytes_, cudaMemAdviseSetPreferredLocation, on_host()),
        "cudaMemAdvise of the preferred location");
  check(cudaMemAdvise(data(), bytes_, cudaMemAdviseSetAccessedBy, on_device()),
        "cudaMemAdvise of the accessing device");
}

}  // namespace ridge::gpu
