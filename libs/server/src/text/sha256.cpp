// SPDX-License-Identifier: Apache-2.0
#include "text/sha256.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

namespace ridge::server {
namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2).
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using state = std::array<std::uint32_t, 8>;

std::array<std::uint32_t, 64> schedule(const std::uint8_t* block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < 16; ++i)
    w[i] = std::uint32_t{block[4 * i]} << 24U | std::uint32_t{block[4 * i + 1]} << 16U |
           std::uint32_t{block[4 * i + 2]} << 8U | std::uint32_t{block[4 * i + 3]};
  for (std::size_t i = 16; i < 64; ++i) {
    const auto s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3U);
    const auto s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10U);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  return w;
}

void add_block(state& h, const std::uint8_t* block) {
  const auto w = schedule(block);
  auto v = h;
  for (std::size_t i = 0; i < 64; ++i) {
    const auto s1 = std::rotr(v[4], 6) ^ std::rotr(v[4], 11) ^ std::rotr(v[4], 25);
    const auto choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
    const auto first = v[7] + s1 + choice + round_constants[i] + w[i];
    const auto s0 = std::rotr(v[0], 2) ^ std::rotr(v[0], 13) ^ std::rotr(v[0], 22);
    const auto majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
    v = {first + s0 + majority, v[0], v[1], v[2], v[3] + first, v[4], v[5], v[6]};
  }
  for (std::size_t i = 0; i < 8; ++i) h[i] += v[i];
}

}  // namespace

sha256_sum::sha256_sum()
    : state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19} {
}

void sha256_sum::add(std::string_view part) {
  while (!part.empty()) {
    const auto held = static_cast<std::size_t>(bytes_ % block_.size());
    const auto taken = std::min(part.size(), block_.size() - held);
    std::memcpy(block_.data() + held, part.data(), taken);
    bytes_ += taken;
    part.remove_prefix(taken);
    if (bytes_ % block_.size() == 0) add_block(state_, block_.data());
  }
}

sha256_digest sha256_sum::digest() const {
  // What follows the text: one bit, zeros, and the length in bits at the end of a block.
  auto h = state_;
  std::array<std::uint8_t, 128> last{};
  const auto held = static_cast<std::size_t>(bytes_ % block_.size());
  std::copy_n(block_.begin(), held, last.begin());
  last[held] = 0x80;
  const std::size_t padded = held < 56 ? 64 : 128;
  const auto bits = bytes_ * 8;
  for (std::size_t i = 0; i < 8; ++i) last[padded - 1 - i] = static_cast<std::uint8_t>(bits >> (8 * i));
  for (std::size_t begin = 0; begin < padded; begin += 64) add_block(h, last.data() + begin);
  sha256_digest made{};
  for (std::size_t i = 0; i < 32; ++i) made[i] = static_cast<std::uint8_t>(h[i / 4] >> (24 - 8 * (i % 4)));
  return made;
}

sha256_digest sha256(std::string_view bytes) {
  sha256_sum sum;
  sum.add(bytes);
  return sum.digest();
}

std::string hexadecimal(const sha256_digest& digest) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(64);
  for (const auto byte : digest) {
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
  return text;
}

bool same_digest(const sha256_digest& left, const sha256_digest& right) {
  volatile std::uint8_t difference = 0;  // volatile: the compiler may not end the loop early
  for (std::size_t i = 0; i < left.size(); ++i)
    difference = static_cast<std::uint8_t>(difference | (left[i] ^ right[i]));
  return difference == 0;
}

}  // namespace ridge::server
