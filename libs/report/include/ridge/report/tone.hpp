// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ridge::report {

// What a piece of text means to its reader; colour only repeats what the words say.
enum class tone : std::uint8_t { plain, strong, dim, good, bad, doubtful };

// Returns the text between the terminal codes of its tone, or unchanged when `color` is false.
[[nodiscard]] std::string paint(std::string_view text, tone colour, bool color);

}  // namespace ridge::report
