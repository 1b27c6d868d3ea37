// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// Converts what a trace holds besides its spans to bytes.
[[nodiscard]] std::string facts_to_bytes(const trace& t);
// Fills `t` from such bytes; false where they are damaged, and `t` is then partly filled.
[[nodiscard]] bool facts_from_bytes(std::span<const char> bytes, trace& t);

}  // namespace ridge::trace
