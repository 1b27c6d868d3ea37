// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <ridge/trace/byte_source.hpp>

namespace ridge::trace {

// Bytes [offset, offset + length) of a file, or to its end where there is no length. A file that is shorter
// ends early. Opening throws io_failure where it fails.
struct file_part {
  std::string path{};
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length{};
};

[[nodiscard]] std::unique_ptr<byte_source> file_source(const file_part& part);

}  // namespace ridge::trace
