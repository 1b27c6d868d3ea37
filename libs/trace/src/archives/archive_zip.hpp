// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/trace/byte_source.hpp>

namespace ridge::trace {

// A file in a zip, as the directory at its end describes it.
struct zip_entry {
  std::string name{};
  std::uint64_t packed_bytes = 0;
  std::uint64_t bytes = 0;
  std::uint64_t header_at = 0;
  std::uint32_t crc = 0;
  std::uint16_t method = 0;
  bool encrypted = false;
};

// Returns the files of a zip or zip64, or an error where its directory is damaged or cut off.
[[nodiscard]] result<std::vector<zip_entry>> zip_directory(const std::string& path);

// Opens a stored, deflated or zstd file of a zip; an error for other methods and for encrypted files. The
// checksum is compared at the end, and ended_early() reports where it differs.
[[nodiscard]] result<std::unique_ptr<byte_source>> zip_member(const std::string& path, const zip_entry& entry,
                                                              const read_limits& limits);

}  // namespace ridge::trace
