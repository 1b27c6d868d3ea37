// SPDX-License-Identifier: Apache-2.0
#include "name_ids.hpp"

#include <cstring>

#include "unescape.hpp"

namespace ridge::backends::trace_chrome_json {
namespace {

std::uint64_t eight_bytes(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

}  // namespace

name_ids::name_ids(trace::trace_builder& to) : to_(to), slots_(slots) {}

// Of the length and bytes at four places: names differ at the end (a line, a type) or in the middle. The text
// stands in padded memory and behind a quote and a key, so that eight bytes can be read around its ends.
std::size_t name_ids::slot_of(const char* at, std::size_t size) {
  const auto a = size < 8 ? eight_bytes(at) << (64 - 8 * size) : eight_bytes(at);
  const auto b = size < 8 ? size : eight_bytes(at + size - 8);
  const auto c = eight_bytes(at + size / 2 - (size < 8 ? 0 : 4)) & (size < 16 ? 0 : ~std::uint64_t{0});
  const auto d = size < 24 ? 0 : eight_bytes(at + size - 16);
  const auto mixed = (a ^ size) * 0x9e3779b97f4a7c15U ^ b * 0xc2b2ae3d27d4eb4fU ^ c * 0x165667b19e3779f9U ^
                     d * 0x27d4eb2f165667c5U;
  return (mixed ^ mixed >> 29) * 0x9e3779b97f4a7c15U >> 50;
}

trace::name_id name_ids::of(const token& raw) {
  if (!raw.told() || raw.size() == 0) return 0;
  if (raw.size() > longest) return missed(raw.text());
  auto& s = slots_[slot_of(raw.begin, raw.size())];
  if (s.size == raw.size() && std::memcmp(s.text, raw.begin, s.size) == 0) return s.id;
  const auto id = missed(raw.text());
  s = {kept(raw.text()), static_cast<std::uint32_t>(raw.size()), id};
  return id;
}

const char* name_ids::kept(std::string_view text) {
  constexpr std::size_t block = std::size_t{1} << 16;
  if (blocks_.empty() || blocks_.back().size() + text.size() > block) blocks_.emplace_back().reserve(block);
  blocks_.back() += text;
  return blocks_.back().data() + blocks_.back().size() - text.size();
}

trace::name_id name_ids::missed(std::string_view raw) {
  if (says_itself(raw)) return to_.intern(raw);
  const auto [at, fresh] = mended_.try_emplace(std::string(raw));
  if (fresh) {
    const auto mended = unescape(raw);
    broken_ += mended.broken;
    at->second = to_.intern(mended.text);
  }
  return at->second;
}

}  // namespace ridge::backends::trace_chrome_json
