// SPDX-License-Identifier: Apache-2.0
#include "recent_texts.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ridge::backends::trace_chrome_json {
namespace {

std::uint64_t eight_bytes(const char* position) {
  std::uint64_t word = 0;
  std::memcpy(&word, position, sizeof word);
  return word;
}

}  // namespace

recent_texts::recent_texts() : slots_(slots) {}

// Hashes the length and eight words spread over the text, because names differ at the end (a line, a type) or
// in the middle. A text shorter than a word is followed by other text or padding.
inline std::size_t recent_texts::slot_of(const char* position, std::size_t size) {
  constexpr std::uint64_t odd[]{0x9e3779b97f4a7c15U, 0xc2b2ae3d27d4eb4fU, 0x165667b19e3779f9U,
                                0x27d4eb2f165667c5U, 0x85ebca77c2b2ae63U, 0xff51afd7ed558ccdU,
                                0xc4ceb9fe1a85ec53U, 0xd6e8feb86659fd93U};
  std::uint64_t mixed = size;
  if (size < sizeof(std::uint64_t)) {
    mixed ^= (eight_bytes(position) << (64 - 8 * size)) * odd[0];
  } else {
    const auto last = size - sizeof(std::uint64_t), step = last / 7;
    for (std::size_t i = 0; i < 7; ++i) mixed ^= eight_bytes(position + i * step) * odd[i];
    mixed ^= eight_bytes(position + last) * odd[7];
  }
  return (mixed ^ mixed >> 31) * 0x9e3779b97f4a7c15U >> (64 - slot_bits);
}

// Both texts have text_block::size readable bytes behind them.
inline bool same_text(const char* a, const char* b, std::size_t size) {
  for (;; a += text_block::size, b += text_block::size) {
    const auto same = text_block(a).equal(text_block(b));
    if (size <= text_block::size) return (~same & below_or_all(static_cast<unsigned>(size))) == 0;
    if (~same != 0) return false;
    size -= text_block::size;
  }
}

std::optional<std::uint32_t> recent_texts::find(const token& raw) const {
  const auto at = slot_of(raw.begin, raw.size());
  for (const auto& s : {slots_[at], slots_[at ^ 1]}) {
    if (s.size == raw.size() && same_text(s.text, raw.begin, s.size)) return s.number;
  }
  return std::nullopt;
}

void recent_texts::keep(const token& raw, std::uint32_t number) {
  const auto at = slot_of(raw.begin, raw.size());
  const auto* text = kept(raw.text());
  slots_[at ^ 1] = std::exchange(slots_[at], {text, static_cast<std::uint32_t>(raw.size()), number});
}

// Texts that lost their slot are freed only all together.
const char* recent_texts::kept(std::string_view text) {
  constexpr std::size_t block = std::size_t{1} << 16, most_blocks = 64;
  if (blocks_.empty() || used_ + text.size() + text_block::size > block) {
    if (blocks_.size() == most_blocks) {
      blocks_.clear();
      std::ranges::fill(slots_, slot{});
    }
    blocks_.push_back(std::make_unique<char[]>(block));
    used_ = 0;
  }
  auto* const at = blocks_.back().get() + used_;
  std::memcpy(at, text.data(), text.size());
  used_ += text.size();
  return at;
}

}  // namespace ridge::backends::trace_chrome_json
