// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/streaming_fill.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace ridge::host {

void streaming_fill(std::span<std::byte> target, std::byte value) {
  if (target.empty()) return;
#if defined(__x86_64__)
  constexpr std::size_t line = 64, lane = sizeof(__m128i);
  const auto past = reinterpret_cast<std::uintptr_t>(target.data()) % line;
  const auto head = std::min(target.size(), (line - past) % line);
  const auto lines = (target.size() - head) / line;
  std::memset(target.data(), std::to_integer<int>(value), head);
  const auto pattern = _mm_set1_epi8(std::to_integer<char>(value));
  auto* to = reinterpret_cast<__m128i*>(target.data() + head);
  for (std::size_t i = 0; i < lines * (line / lane); ++i) _mm_stream_si128(to + i, pattern);
  _mm_sfence();
  target = target.subspan(head + lines * line);
#endif
  if (!target.empty()) std::memset(target.data(), std::to_integer<int>(value), target.size());
}

}  // namespace ridge::host
