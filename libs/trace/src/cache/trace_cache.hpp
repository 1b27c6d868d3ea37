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

// Traces that were read before, one file each (decision 72). A file that cannot be read or written is treated
// as if it did not exist. Several processes may use one cache: files appear whole, and are only replaced or
// removed.
class trace_cache {
 public:
  static constexpr std::uint64_t usual_bytes = std::uint64_t{2} << 30;

  // `version` is the program's; files of other versions are not used. `most_bytes` limits all files together.
  trace_cache(std::filesystem::path folder, std::string_view version, std::uint64_t most_bytes = usual_bytes);

  [[nodiscard]] std::optional<trace> find(const input_member& member) const;
  void keep(const input_member& member, const trace& t) const;

 private:
  [[nodiscard]] std::optional<cache_key> key_of(const input_member& member) const;
  [[nodiscard]] std::string path_of(const cache_key& key) const;
  void make_room() const;

  std::filesystem::path folder_;
  std::string version_;
  std::uint64_t most_bytes_;
};

// Returns $XDG_CACHE_HOME/ridge/traces, else ~/.cache/ridge/traces; empty where neither variable is set.
[[nodiscard]] std::filesystem::path usual_cache_folder();

}  // namespace ridge::trace
