// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// Instructions that load and store a vector. The loads are volatile, so that a thread issues all of them in
// order before it uses the first.
namespace ridge::backends::probe_cuda {

// The bits of a word, mixed.
__host__ __device__ constexpr std::uint32_t mixed(std::uint32_t bits) {
  bits = (bits + 1) * 2654435761u;
  bits = (bits ^ (bits >> 15)) * 2246822519u;
  return bits ^ (bits >> 13);
}

// The word that kernels write at index `word`: random digits that repeat every 256 vectors of 16 bytes, so
// that a thread needs only one vector.
__host__ __device__ constexpr std::uint32_t written_word(std::size_t word) {
  return mixed(static_cast<std::uint32_t>(word % 1024));
}

struct alignas(32) uint8x32 {
  uint4 low, high;
};

__device__ inline std::uint32_t sum_of(const uint4& v) { return v.x + v.y + v.z + v.w; }
__device__ inline std::uint32_t sum_of(const uint8x32& v) { return sum_of(v.low) + sum_of(v.high); }

__device__ inline std::uint32_t triad_word(std::uint32_t a, std::uint32_t b, float factor) {
  return __float_as_uint(__fmaf_rn(factor, __uint_as_float(b), __uint_as_float(a)));
}
__device__ inline uint4 triad_of(const uint4& a, const uint4& b, float f) {
  return {triad_word(a.x, b.x, f), triad_word(a.y, b.y, f), triad_word(a.z, b.z, f), triad_word(a.w, b.w, f)};
}
__device__ inline uint8x32 triad_of(const uint8x32& a, const uint8x32& b, float f) {
  return {triad_of(a.low, b.low, f), triad_of(a.high, b.high, f)};
}

__device__ inline void written(std::size_t index, uint4& v) {
  v = {written_word(4 * index), written_word(4 * index + 1), written_word(4 * index + 2),
       written_word(4 * index + 3)};
}
__device__ inline void written(std::size_t index, uint8x32& v) {
  written(2 * index, v.low);
  written(2 * index + 1, v.high);
}

#define RIDGE_LOAD(instruction)                                \
  static __device__ uint4 load(const uint4* source) {          \
    uint4 v;                                                   \
    asm volatile(instruction ".v4.u32 {%0, %1, %2, %3}, [%4];" \
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)  \
                 : "l"(source));                               \
    return v;                                                  \
  }
#define RIDGE_STORE(instruction)                                                                            \
  static __device__ void store(uint4* target, const uint4& v) {                                             \
    asm volatile(instruction ".v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(target), "r"(v.x), "r"(v.y), "r"(v.z), \
                 "r"(v.w)                                                                                   \
                 : "memory");                                                                               \
  }

struct by_default {
  using vector = uint4;
  RIDGE_LOAD("ld.global")
  RIDGE_STORE("st.global")
};
struct streaming {
  using vector = uint4;
  RIDGE_LOAD("ld.global.cs")
  RIDGE_STORE("st.global.cs")
};
struct in_l2 {
  using vector = uint4;
  RIDGE_LOAD("ld.global.cg")
  RIDGE_STORE("st.global.cg")
};
struct no_allocate {
  using vector = uint4;
  RIDGE_LOAD("ld.global.nc.L1::no_allocate")
  RIDGE_STORE("st.global.cs")
};
struct no_allocate_256 {
  using vector = uint4;
  RIDGE_LOAD("ld.global.nc.L1::no_allocate.L2::256B")
  RIDGE_STORE("st.global")
};
struct through {
  using vector = uint4;
  RIDGE_LOAD("ld.global.nc.L1::no_allocate")
  RIDGE_STORE("st.global.wt")
};

#undef RIDGE_LOAD
#undef RIDGE_STORE

// Accesses whose lines the L2 evicts first (PTX ISA, createpolicy).
struct first_out {
  using vector = uint4;
  static __device__ std::uint64_t policy() {
    std::uint64_t made;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(made));
    return made;
  }
  static __device__ uint4 load(const uint4* source) {
    uint4 v;
    asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(source), "l"(policy()));
    return v;
  }
  static __device__ void store(uint4* target, const uint4& v) {
    asm volatile("st.global.L2::cache_hint.v4.u32 [%0], {%1, %2, %3, %4}, %5;" ::"l"(target), "r"(v.x),
                 "r"(v.y), "r"(v.z), "r"(v.w), "l"(policy())
                 : "memory");
  }
};

// Loads as no_allocate, stores as by_default.
struct no_allocate_to_default {
  using vector = uint4;
  static __device__ uint4 load(const uint4* source) { return no_allocate::load(source); }
  static __device__ void store(uint4* target, const uint4& v) { by_default::store(target, v); }
};

// Accesses of 256 bits, in one instruction from compute capability 10.0 on.
struct wide {
  using vector = uint8x32;
  static __device__ vector load(const vector* source) {
    vector v;
#if __CUDA_ARCH__ >= 1000
    asm volatile("ld.global.nc.L1::no_allocate.v8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
                 : "=r"(v.low.x), "=r"(v.low.y), "=r"(v.low.z), "=r"(v.low.w), "=r"(v.high.x), "=r"(v.high.y),
                   "=r"(v.high.z), "=r"(v.high.w)
                 : "l"(source));
#else
    v = {no_allocate::load(&source->low), no_allocate::load(&source->high)};
#endif
    return v;
  }
  static __device__ void store(vector* target, const vector& v) {
#if __CUDA_ARCH__ >= 1000
    asm volatile("st.global.v8.b32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8};" ::"l"(target), "r"(v.low.x),
                 "r"(v.low.y), "r"(v.low.z), "r"(v.low.w), "r"(v.high.x), "r"(v.high.y), "r"(v.high.z),
                 "r"(v.high.w)
                 : "memory");
#else
    no_allocate::store(&target->low, v.low);
    no_allocate::store(&target->high, v.high);
#endif
  }
};

}  // namespace ridge::backends::probe_cuda
