// SPDX-License-Identifier: Apache-2.0
#include "inflated.hpp"

#include <limits>

#include <isa-l/igzip_lib.h>

namespace ridge::backends::trace_pftrace {

std::optional<std::string> inflated(std::string_view packed, std::uint64_t most) {
  constexpr std::uint32_t block = 1U << 18;
  if (packed.size() > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  ::inflate_state state;
  ::isal_inflate_init(&state);
  state.crc_flag = ISAL_ZLIB;
  state.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(packed.data()));  // only read
  state.avail_in = static_cast<std::uint32_t>(packed.size());
  std::string content;
  for (std::uint32_t got = block; got == block && state.block_state != ISAL_BLOCK_FINISH;) {
    const auto before = content.size();
    content.resize(before + block);
    state.next_out = reinterpret_cast<std::uint8_t*>(content.data() + before);
    state.avail_out = block;
    if (::isal_inflate(&state) < ISAL_DECOMP_OK) return std::nullopt;
    got = block - state.avail_out;
    content.resize(before + got);
    if (content.size() > most) return std::nullopt;
  }
  if (state.block_state != ISAL_BLOCK_FINISH) return std::nullopt;
  return content;
}

}  // namespace ridge::backends::trace_pftrace
