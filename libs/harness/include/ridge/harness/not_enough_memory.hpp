// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/base/error.hpp>
#include <ridge/device/array_store.hpp>

namespace ridge {

// A problem holds more than this machine, or any process, has memory for: that says nothing of its variants.
class not_enough_memory final : public failure {
 public:
  using failure::failure;
};

// Throws not_enough_memory where arrays of so many bytes are more than the store has free; the message names
// both numbers. Nothing is allocated.
void expect_room(std::size_t bytes, const device::array_store& store);

}  // namespace ridge
