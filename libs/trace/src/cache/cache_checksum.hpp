// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace ridge::trace {

// XXH3 of bytes that arrive in pieces; the result does not depend on how they are cut.
class checksum {
 public:
  checksum();
  ~checksum();
  checksum(const checksum&) = delete;
  checksum& operator=(const checksum&) = delete;
  void add(std::string_view bytes);
  [[nodiscard]] std::uint64_t value() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

struct wide_checksum {
  std::uint64_t low = 0, high = 0;
};
[[nodiscard]] wide_checksum wide_checksum_of(std::string_view bytes);

}  // namespace ridge::trace
