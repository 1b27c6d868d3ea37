// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/base/error.hpp>

namespace ridge::store {

// What is wrong with a store.
enum class trouble : std::uint8_t {
  unreachable,   // no such place, or no right to it
  read_only,     // can be read, cannot be written
  full,          // no space left
  corrupt,       // damaged, or not a store at all
  newer_schema,  // written by a newer ridge
  busy,          // another process held it for too long
  broken         // anything else: an I/O error, a failed statement
};

// The store failed; results that were being stored are still with the caller.
class store_failure final : public failure {
 public:
  // `why` says what failed and what to do; `place` is the line that threw.
  store_failure(trouble kind, error why, caller place = caller::here())
      : failure(std::move(why), place), kind_(kind) {}
  // Returns what is wrong with the store.
  [[nodiscard]] trouble kind() const { return kind_; }

 private:
  trouble kind_;
};

}  // namespace ridge::store
