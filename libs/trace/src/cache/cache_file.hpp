// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <ridge/trace/trace.hpp>

namespace ridge::trace {

struct cache_key {
  std::uint64_t low = 0, high = 0;
  friend bool operator==(const cache_key&, const cache_key&) = default;
};

// Writes a trace into an open file from its start; false where there is no room or writing fails.
[[nodiscard]] bool write_cached(int file, const cache_key& key, const trace& t);

// Returns the trace that a file holds; its spans refer to the mapped file. nullopt where there is no such
// file, its layout or key differs, or any byte changed.
[[nodiscard]] std::optional<trace> read_cached(const std::string& path, const cache_key& key);

}  // namespace ridge::trace
