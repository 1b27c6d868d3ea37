// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ridge {

// Returns the bytes of the well-formed UTF-8 sequence at the front of a text (Unicode 15, table 3-7); 0 when
// there is none. The text is not empty.
[[nodiscard]] std::size_t utf8_sequence_length(std::string_view text);

// Returns the text with U+FFFD for every byte that belongs to no well-formed UTF-8 sequence.
[[nodiscard]] std::string well_formed_utf8(std::string_view text);

}  // namespace ridge
