// SPDX-License-Identifier: Apache-2.0
#include "allocation/host_buffer.hpp"

#include <cstdlib>
#include <new>
#include <numeric>
#include <span>

#include <cuda_runtime_api.h>

#include <ridge/gpu/check.hpp>

namespace ridge::backends::probe_cuda {
namespace {

void* aligned(std::size_t bytes) {
  if (void* made = std::aligned_alloc(4096, bytes)) return made;
  throw std::bad_alloc();
}

void* allocated(host_memory kind, std::size_t bytes) {
  if (kind == host_memory::pageable || kind == host_memory::registered) return aligned(bytes);
  void* made = nullptr;
  const unsigned flags =
      kind == host_memory::write_combined ? cudaHostAllocWriteCombined : unsigned{cudaHostAllocMapped};
  gpu::check(cudaHostAlloc(&made, bytes, flags), "cudaHostAlloc of a buffer to copy");
  return made;
}

}  // namespace

std::string_view name(host_memory kind) {
  switch (kind) {
    case host_memory::pageable:
      return "pageable";
    case host_memory::registered:
      return "registered";
    case host_memory::pinned:
      return "pinned";
    case host_memory::write_combined:
      break;
  }
  return "write_combined";
}

void host_buffer::freed::operator()(void* memory) const {
  if (kind == host_memory::registered) (void)cudaHostUnregister(memory);
  if (kind == host_memory::pageable || kind == host_memory::registered)
    std::free(memory);
  else
    (void)cudaFreeHost(memory);
}

host_buffer::host_buffer(host_memory kind, std::size_t bytes)
    : bytes_(bytes), memory_(allocated(kind, bytes), freed{kind}) {
  std::uint32_t word = 1;
  for (auto& target : std::span(static_cast<std::uint32_t*>(data()), bytes / 4)) {
    word = word * 1664525u + 1013904223u;
    target = word;
    sum_ += word;
  }
  if (kind == host_memory::registered)
    gpu::check(cudaHostRegister(data(), bytes, cudaHostRegisterDefault), "cudaHostRegister of a buffer");
}

std::uint32_t host_buffer::sum_now() const {
  const std::span words(static_cast<const std::uint32_t*>(data()), bytes_ / 4);
  return std::accumulate(words.begin(), words.end(), std::uint32_t{0});
}

}  // namespace ridge::backends::probe_cuda
