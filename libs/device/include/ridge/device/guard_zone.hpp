// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace ridge::device {

// Writes the pattern that damage_text looks for.
void paint(std::span<std::byte> zone);

// array::damage of zones as they read now: "3 bytes before the start, last at -1; 2 bytes after the end,
// first at +4"; empty when both still hold their pattern.
[[nodiscard]] std::string damage_text(std::span<const std::byte> before, std::span<const std::byte> after);

}  // namespace ridge::device
