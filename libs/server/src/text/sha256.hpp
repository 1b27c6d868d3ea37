// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace ridge::server {

using sha256_digest = std::array<std::uint8_t, 32>;

// The SHA-256 (FIPS 180-4, section 6.2) of bytes that arrive in parts.
class sha256_sum final {
 public:
  sha256_sum();
  void add(std::string_view part);
  // Returns the digest of all parts that were added so far.
  [[nodiscard]] sha256_digest digest() const;

 private:
  std::array<std::uint32_t, 8> state_;
  std::array<std::uint8_t, 64> block_{};  // what does not fill a block yet
  std::uint64_t bytes_ = 0;
};

// Returns the SHA-256 of the bytes.
[[nodiscard]] sha256_digest sha256(std::string_view bytes);

// Returns a digest in 64 hexadecimal digits.
[[nodiscard]] std::string hexadecimal(const sha256_digest& digest);

// Returns whether two digests are equal, in a time that does not depend on where they differ.
[[nodiscard]] bool same_digest(const sha256_digest& left, const sha256_digest& right);

}  // namespace ridge::server
