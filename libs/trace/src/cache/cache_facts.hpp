// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// What a trace holds besides its spans, as bytes and back.
[[nodiscard]] std::string facts_to_bytes(const trace& t);
// false: the bytes are none; `t` is then half filled.
[[nodiscard]] bool facts_from_bytes(std::span<const char> bytes, trace& t);

}  // namespace ridge::trace
