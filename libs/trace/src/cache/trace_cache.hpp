// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <ridge/trace/byte_source.hpp>
#include <ridge/trace/trace.hpp>

#include "cache/cache_file.hpp"

namespace ridge::trace {

// Traces that were read before, a file each: decision 72. Never in the way: what cannot be read or written is
// as if it were not there. Safe among processes: files appear whole, and are only ever replaced or removed.
class trace_cache {
 public:
  static constexpr std::uint64_t usual_bytes = std::uint64_t{2} << 30;

  // `version` of the program: another one's files are not used. `most_bytes` of all files together.
  trace_cache(std::filesystem::path folder, std::string_view version, std::uint64_t most_bytes = usual_bytes);

  [[nodiscard]] std::optional<trace> find(const input_member& of) const;
  void keep(const input_member& of, const trace& t) const;

 private:
  [[nodiscard]] std::optional<cache_key> key_of(const input_member& of) const;
  [[nodiscard]] std::string path_of(const cache_key& key) const;
  void make_room() const;

  std::filesystem::path folder_;
  std::string version_;
  std::uint64_t most_bytes_;
};

// $XDG_CACHE_HOME/ridge/traces, else ~/.cache/ridge/traces; empty where neither is told.
[[nodiscard]] std::filesystem::path usual_cache_folder();

}  // namespace ridge::trace
