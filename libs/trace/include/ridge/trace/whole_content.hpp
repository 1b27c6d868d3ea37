// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <ridge/trace/byte_source.hpp>

namespace ridge::trace {

// Returns everything that a source gives; nullopt where that is more than `most` bytes.
[[nodiscard]] std::optional<std::string> whole_content(byte_source& source, std::uint64_t most);

}  // namespace ridge::trace
