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

static_assert(std::endian::native == std::endian::little);

// One bit per byte of a block; the lowest bit is the first byte.
using byte_mask = std::uint64_t;

inline unsigned lowest(byte_mask m) { return static_cast<unsigned>(std::countr_zero(m)); }
inline unsigned odd(byte_mask m) { return static_cast<unsigned>(__builtin_parityll(m)); }
inline byte_mask below(unsigned bit) { return (byte_mask{1} << bit) - 1; }
inline byte_mask below_or_all(unsigned bit) { return bit >= 64 ? ~byte_mask{0} : below(bit); }

// Sixteen bytes that are compared at once.
#if defined(__SSE2__)
class text_part {
 public:
  explicit text_part(const char* position)
      : bytes_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(position))) {}
  [[nodiscard]] byte_mask equal(char c) const { return bits(same(c)); }
  [[nodiscard]] byte_mask equal(const text_part& other) const {
    return bits(_mm_cmpeq_epi8(bytes_, other.bytes_));
  }
  [[nodiscard]] byte_mask specials() const {
    const auto control = _mm_cmpeq_epi8(_mm_min_epu8(bytes_, _mm_set1_epi8(0x1f)), bytes_);
    return bits(_mm_or_si128(_mm_or_si128(control, same('"')), same('\\')));
  }
  [[nodiscard]] byte_mask braces_or_escapes() const {
    return bits(_mm_or_si128(_mm_or_si128(same('{'), same('}')), same('\\')));
  }

 private:
  [[nodiscard]] __m128i same(char c) const { return _mm_cmpeq_epi8(bytes_, _mm_set1_epi8(c)); }
  static byte_mask bits(__m128i m) { return static_cast<std::uint32_t>(_mm_movemask_epi8(m)); }
  __m128i bytes_;
};
#elif defined(__ARM_NEON) && defined(__aarch64__)
class text_part {
 public:
  explicit text_part(const char* position)
      : bytes_(vld1q_u8(reinterpret_cast<const std::uint8_t*>(position))) {}
  [[nodiscard]] byte_mask equal(char c) const { return bits(same(c)); }
  [[nodiscard]] byte_mask equal(const text_part& other) const { return bits(vceqq_u8(bytes_, other.bytes_)); }
  [[nodiscard]] byte_mask specials() const {
    return bits(vorrq_u8(vorrq_u8(vcltq_u8(bytes_, vdupq_n_u8(0x20)), same('"')), same('\\')));
  }
  [[nodiscard]] byte_mask braces_or_escapes() const {
    return bits(vorrq_u8(vorrq_u8(same('{'), same('}')), same('\\')));
  }

 private:
  [[nodiscard]] uint8x16_t same(char c) const {
    return vceqq_u8(bytes_, vdupq_n_u8(static_cast<std::uint8_t>(c)));
  }
  static byte_mask bits(uint8x16_t m) {
    constexpr std::uint8_t weights[16]{1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const auto weighed = vandq_u8(m, vld1q_u8(weights));
    return byte_mask{vaddv_u8(vget_low_u8(weighed))} | byte_mask{vaddv_u8(vget_high_u8(weighed))} << 8;
  }
  uint8x16_t bytes_;
};
#else
class text_part {
 public:
  explicit text_part(const char* position) { std::memcpy(bytes_, position, sizeof bytes_); }
  [[nodiscard]] byte_mask equal(char c) const {
    return bits([c](char x, int) { return x == c; });
  }
  [[nodiscard]] byte_mask equal(const text_part& other) const {
    return bits([&other](char x, int i) { return x == other.bytes_[i]; });
  }
  [[nodiscard]] byte_mask specials() const {
    return bits([](char x, int) { return x == '"' || x == '\\' || static_cast<unsigned char>(x) < 0x20; });
  }
  [[nodiscard]] byte_mask braces_or_escapes() const {
    return bits([](char x, int) { return x == '{' || x == '}' || x == '\\'; });
  }

 private:
  template <class Is>
  [[nodiscard]] byte_mask bits(Is is) const {
    byte_mask m = 0;
    for (int i = 0; i < 16; ++i) m |= byte_mask{is(bytes_[i], i)} << i;
    return m;
  }
  char bytes_[16];
};
#endif

// Sixty-four bytes; most texts of an event end within them.
class text_block {
 public:
  static constexpr unsigned size = 64;
  explicit text_block(const char* position)
      : parts_{text_part(position), text_part(position + 16), text_part(position + 32),
               text_part(position + 48)} {}
  [[nodiscard]] byte_mask equal(char c) const {
    return joined([c](const text_part& p) { return p.equal(c); });
  }
  [[nodiscard]] byte_mask equal(const text_block& other) const {
    return parts_[0].equal(other.parts_[0]) | parts_[1].equal(other.parts_[1]) << 16 |
           parts_[2].equal(other.parts_[2]) << 32 | parts_[3].equal(other.parts_[3]) << 48;
  }
  // Quotes, backslashes and control characters.
  [[nodiscard]] byte_mask specials() const {
    return joined([](const text_part& p) { return p.specials(); });
  }
  [[nodiscard]] byte_mask braces_or_escapes() const {
    return joined([](const text_part& p) { return p.braces_or_escapes(); });
  }

 private:
  template <class Bits>
  [[nodiscard]] byte_mask joined(Bits bits) const {
    return bits(parts_[0]) | bits(parts_[1]) << 16 | bits(parts_[2]) << 32 | bits(parts_[3]) << 48;
  }
  text_part parts_[4];
};

}  // namespace ridge::backends::trace_chrome_json
