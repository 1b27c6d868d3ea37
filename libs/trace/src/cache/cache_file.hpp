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

// Writes a trace into an open file, from its start. false: no room, or another trouble of the file's.
[[nodiscard]] bool write_cached(int file, const cache_key& key, const trace& t);

// The trace that a file of that key holds; its spans show the mapped file. nullopt: no such file, another
// layout, another key, or any byte changed.
[[nodiscard]] std::optional<trace> read_cached(const std::string& path, const cache_key& key);

}  // namespace ridge::trace
