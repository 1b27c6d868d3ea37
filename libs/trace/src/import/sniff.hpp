// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <ridge/base/error.hpp>

#include "import/input_unpacker.hpp"

namespace ridge::trace {

// By the first bytes of a content, never by a name.
inline constexpr std::size_t sniffed_bytes = std::size_t{64} << 10;

// What unpacks a content that begins so; nullptr: it is not compressed.
[[nodiscard]] std::unique_ptr<unpacker> unpacker_of(std::string_view head);

[[nodiscard]] bool is_zip(std::string_view head);
[[nodiscard]] bool is_tar(std::string_view head);

// Why a content that begins so cannot be read as a trace, with the command that makes one that can; nullopt:
// it is none of the formats known to be unreadable. `name` is how people call it.
[[nodiscard]] std::optional<error> unreadable_format(std::string_view head, const std::string& name);

}  // namespace ridge::trace
