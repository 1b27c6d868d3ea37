// SPDX-License-Identifier: Apache-2.0
#include "cache/cache_checksum.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace ridge::trace {

struct checksum::state {
  XXH3_state_t hash;
};

checksum::checksum() : state_(std::make_unique<state>()) { XXH3_64bits_reset(&state_->hash); }
checksum::~checksum() = default;

void checksum::add(std::string_view bytes) { XXH3_64bits_update(&state_->hash, bytes.data(), bytes.size()); }
std::uint64_t checksum::value() const { return XXH3_64bits_digest(&state_->hash); }

wide_checksum wide_checksum_of(std::string_view bytes) {
  const auto both = XXH3_128bits(bytes.data(), bytes.size());
  return {.low = both.low64, .high = both.high64};
}

}  // namespace ridge::trace
