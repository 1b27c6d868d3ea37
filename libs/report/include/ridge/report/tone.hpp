// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ridge::report {

// What a piece of text means to its reader; colour only repeats what the words say.
enum class tone : std::uint8_t { plain, strong, dim, good, bad, doubtful };

// The text between the terminal's codes of its tone, or as it is without colour.
[[nodiscard]] std::string paint(std::string_view text, tone colour, bool color);

}  // namespace ridge::report
