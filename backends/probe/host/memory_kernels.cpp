// SPDX-License-Identifier: Apache-2.0
#include "memory_kernels.hpp"

#include <array>
#include <cstring>

#include <ridge/host/isa.hpp>

namespace ridge::backends::probe_host {
namespace {

void triad(float* a, const float* b, const float* c, std::size_t elements) {
  for (std::size_t i = 0; i < elements; ++i) a[i] = b[i] + 3.0f * c[i];
}

void copy(float* a, const float* b, const float*, std::size_t elements) {
  std::memcpy(a, b, elements * sizeof(float));
}

void read(float* a, const float* b, const float*, std::size_t elements) {
  std::array<float, 16> sums{};
  for (std::size_t i = 0; i < elements; i += sums.size()) {
    for (std::size_t lane = 0; lane < sums.size(); ++lane) sums[lane] += b[i + lane];
  }
  std::memcpy(a, sums.data(), sizeof(sums));
}

constexpr const memory_kernels* every[] = {
#if defined(__x86_64__)
    &avx512_memory_kernels, &avx2_memory_kernels,
#endif
    &portable_memory_kernels};

}  // namespace

constinit const memory_kernels portable_memory_kernels{"portable", "", triad, nullptr, copy, nullptr, read};

std::span<const memory_kernels* const> all_memory_kernels() { return every; }

const memory_kernels& best_memory_kernels() {
  for (const auto* kernels : every) {
    if (kernels->requires_isa.empty() || host::has_isa(kernels->requires_isa)) return *kernels;
  }
  return portable_memory_kernels;
}

}  // namespace ridge::backends::probe_host
