// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace ridge::device {

// Brings the caches of a device into a known state before a sample.
class cache_control {
 public:
  virtual ~cache_control() = default;
  // Fills the caches with clean lines of other memory, in the order of the queue, so that they hold none of
  // the arrays.
  virtual void evict() = 0;
  [[nodiscard]] virtual std::size_t last_level_cache_bytes() const = 0;
  // Describes a setting of the device that samples depend on and that somebody changed; empty when none was.
  [[nodiscard]] virtual std::string tampering() const = 0;
};

}  // namespace ridge::device
