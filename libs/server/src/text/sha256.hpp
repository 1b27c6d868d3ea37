// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace ridge::server {

using sha256_digest = std::array<std::uint8_t, 32>;

// Returns the SHA-256 of the bytes (FIPS 180-4, section 6.2).
[[nodiscard]] sha256_digest sha256(std::string_view bytes);

// Returns a digest in 64 hexadecimal digits.
[[nodiscard]] std::string hexadecimal(const sha256_digest& digest);

// Returns whether two digests are equal, in a time that does not depend on where they differ.
[[nodiscard]] bool same_digest(const sha256_digest& left, const sha256_digest& right);

}  // namespace ridge::server
