// SPDX-License-Identifier: Apache-2.0
#include "memory/memory_kernels.hpp"

#include <array>
#include <cstdint>
#include <cstring>

#include <ridge/host/isa.hpp>

namespace ridge::backends::probe_host {
namespace {

// Prevents the compiler from merging passes into one.
void keep() { asm volatile("" ::: "memory"); }

void triad(float* a, const float* b, const float* c, std::size_t elements, std::size_t passes) {
  for (; passes > 0; --passes, keep()) {
    for (std::size_t i = 0; i < elements; ++i) a[i] = b[i] + 3.0f * c[i];
  }
}

void write(float* a, const float*, const float*, std::size_t elements, std::size_t passes) {
  for (; passes > 0; --passes, keep()) {
    for (std::size_t i = 0; i < elements; ++i) a[i] = 3.0f;
  }
}

void update(float* a, const float*, const float*, std::size_t elements, std::size_t passes) {
  for (; passes > 0; --passes, keep()) {
    for (std::size_t i = 0; i < elements; ++i) a[i] = 3.0f * a[i];
  }
}

void add(float* a, const float* b, const float*, std::size_t elements, std::size_t passes) {
  for (; passes > 0; --passes, keep()) {
    for (std::size_t i = 0; i < elements; ++i) a[i] += b[i];
  }
}

void add_both(float* a, const float* b, const float* c, std::size_t elements, std::size_t passes) {
  for (; passes > 0; --passes, keep()) {
    for (std::size_t i = 0; i < elements; ++i) a[i] += b[i] + 3.0f * c[i];
  }
}

// Uses integers, because their sums do not wait four cycles for each other.
void read(float* a, const float* b, const float*, std::size_t elements, std::size_t passes) {
  std::array<std::uint32_t, 16> sums{}, one{};
  for (; passes > 0; --passes, keep()) {
    for (std::size_t i = 0; i < elements; i += sums.size()) {
      std::memcpy(one.data(), b + i, sizeof(one));
      for (std::size_t lane = 0; lane < sums.size(); ++lane) sums[lane] += one[lane];
    }
  }
  std::memcpy(a, sums.data(), sizeof(sums));
}

void load(float* a, const float* b, const float*, std::size_t elements, std::size_t passes) {
  std::array<float, 8> last{};
  for (; passes > 0; --passes) {
    for (std::size_t i = 0; i < elements; i += last.size()) {
      std::memcpy(last.data(), b + i, sizeof(last));
      asm volatile("" : : "m"(last));
    }
  }
  std::memcpy(a, last.data(), sizeof(last));
}

constexpr array_variant triads[] = {{"one stream", triad}}, copies[] = {{"memcpy", copy_by_memcpy}},
                        writes[] = {{"one stream", write}}, reads[] = {{"one stream", read}};

constexpr const memory_kernels* every[] = {
#if defined(__x86_64__)
    &avx512_memory_kernels, &avx2_memory_kernels,
#endif
    &portable_memory_kernels};

}  // namespace

constinit const memory_kernels portable_memory_kernels{"portable", "",   triads, {},  copies,  {}, writes, {},
                                                       reads,      load, update, add, add_both};

std::span<const memory_kernels* const> all_memory_kernels() { return every; }

const memory_kernels& best_memory_kernels() {
  for (const auto* kernels : every) {
    if (kernels->requires_isa.empty() || host::has_isa(kernels->requires_isa)) return *kernels;
  }
  return portable_memory_kernels;
}

void copy_by_memcpy(float* a, const float* b, const float*, std::size_t elements, std::size_t passes) {
  for (; passes > 0; --passes, keep()) std::memcpy(a, b, elements * sizeof(float));
}

void copy_by_rep_movsb(float* a, const float* b, const float* c, std::size_t elements, std::size_t passes) {
#if defined(__x86_64__)
  static_cast<void>(c);
  for (; passes > 0; --passes) {
    auto* to = a;
    const auto* from = b;
    auto bytes = elements * sizeof(float);
    asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
  }
#else
  copy_by_memcpy(a, b, c, elements, passes);
#endif
}

}  // namespace ridge::backends::probe_host
