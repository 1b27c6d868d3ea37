// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include <ridge/trace/byte_source.hpp>

#include "import/input_unpacker.hpp"

namespace ridge::trace {

// Returns the decompressed content of `packed`, frame after frame. Bytes behind the last frame are counted
// but not read as content; zeros there are padding. `name` is used in errors. Throws failure where a limit is
// passed.
[[nodiscard]] std::unique_ptr<byte_source> unpacked_source(std::unique_ptr<byte_source> packed,
                                                           std::unique_ptr<unpacker> method,
                                                           const read_limits& limits, std::string name);

}  // namespace ridge::trace
