// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace ridge::backends::trace_chrome_json {

// One bit a byte of a block; the lowest bit is the first byte.
using byte_mask = std::uint32_t;

inline unsigned lowest(byte_mask m) { return static_cast<unsigned>(std::countr_zero(m)); }
inline unsigned odd(byte_mask m) { return static_cast<unsigned>(__builtin_parity(m)); }
inline byte_mask below(unsigned bit) { return (byte_mask{1} << bit) - 1; }

#if defined(__SSE2__)

// Sixteen bytes compared at once.
class text_block {
 public:
  static constexpr unsigned size = 16;
  explicit text_block(const char* at) : bytes_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at))) {}
  [[nodiscard]] byte_mask equal(char c) const { return bits(_mm_cmpeq_epi8(bytes_, _mm_set1_epi8(c))); }
  // Quotes, backslashes and control characters.
  [[nodiscard]] byte_mask specials() const {
    const auto control = _mm_cmpeq_epi8(_mm_min_epu8(bytes_, _mm_set1_epi8(0x1f)), bytes_);
    const auto quote = _mm_cmpeq_epi8(bytes_, _mm_set1_epi8('"'));
    return bits(_mm_or_si128(_mm_or_si128(control, quote), _mm_cmpeq_epi8(bytes_, _mm_set1_epi8('\\'))));
  }
  [[nodiscard]] byte_mask digits() const {
    const auto offset = _mm_sub_epi8(bytes_, _mm_set1_epi8('0'));
    return bits(_mm_cmpeq_epi8(_mm_min_epu8(offset, _mm_set1_epi8(9)), offset));
  }

 private:
  static byte_mask bits(__m128i m) { return static_cast<byte_mask>(_mm_movemask_epi8(m)); }
  __m128i bytes_;
};

#elif defined(__ARM_NEON) && defined(__aarch64__)

class text_block {
 public:
  static constexpr unsigned size = 16;
  explicit text_block(const char* at) : bytes_(vld1q_u8(reinterpret_cast<const std::uint8_t*>(at))) {}
  [[nodiscard]] byte_mask equal(char c) const { return bits(same(c)); }
  [[nodiscard]] byte_mask specials() const {
    return bits(vorrq_u8(vorrq_u8(vcltq_u8(bytes_, vdupq_n_u8(0x20)), same('"')), same('\\')));
  }
  [[nodiscard]] byte_mask digits() const {
    return bits(vcleq_u8(vsubq_u8(bytes_, vdupq_n_u8('0')), vdupq_n_u8(9)));
  }

 private:
  [[nodiscard]] uint8x16_t same(char c) const {
    return vceqq_u8(bytes_, vdupq_n_u8(static_cast<std::uint8_t>(c)));
  }
  static byte_mask bits(uint8x16_t m) {
    constexpr std::uint8_t weights[16]{1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const auto weighed = vandq_u8(m, vld1q_u8(weights));
    return static_cast<byte_mask>(vaddv_u8(vget_low_u8(weighed))) |
           static_cast<byte_mask>(vaddv_u8(vget_high_u8(weighed))) << 8;
  }
  uint8x16_t bytes_;
};

#else

class text_block {
 public:
  static constexpr unsigned size = 8;
  explicit text_block(const char* at) { std::memcpy(bytes_, at, size); }
  [[nodiscard]] byte_mask equal(char c) const {
    return bits([c](char x) { return x == c; });
  }
  [[nodiscard]] byte_mask specials() const {
    return bits([](char x) { return x == '"' || x == '\\' || static_cast<unsigned char>(x) < 0x20; });
  }
  [[nodiscard]] byte_mask digits() const {
    return bits([](char x) { return x >= '0' && x <= '9'; });
  }

 private:
  template <class Is>
  [[nodiscard]] byte_mask bits(Is is) const {
    byte_mask m = 0;
    for (unsigned i = 0; i < size; ++i) m |= byte_mask{is(bytes_[i])} << i;
    return m;
  }
  char bytes_[size];
};

#endif

}  // namespace ridge::backends::trace_chrome_json
