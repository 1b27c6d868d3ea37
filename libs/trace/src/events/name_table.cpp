// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/name_table.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace ridge::trace {

std::string_view name_table::operator[](name_id id) const {
  if (id >= ends.size()) return {};
  const auto begin = id == 0 ? 0 : ends[id - 1];
  return {text.data() + begin, ends[id] - begin};
}

std::optional<name_id> name_table::find(std::string_view wanted) const {
  for (name_id id = 0; id < size(); ++id) {
    if ((*this)[id] == wanted) return id;
  }
  return std::nullopt;
}

name_interner::name_interner() : slots_(1024) { static_cast<void>(intern("")); }

std::string_view name_interner::operator[](name_id id) const { return table()[id]; }

std::uint64_t name_interner::hash_of(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

name_id name_interner::intern(std::string_view text) {
  const auto hash = hash_of(text);
  const auto upper = static_cast<std::uint32_t>(hash >> 32);
  const auto mask = slots_.size() - 1;
  auto at = hash & mask;
  for (; slots_[at].id != none; at = (at + 1) & mask) {
    if (slots_[at].hash == upper && (*this)[slots_[at].id] == text) return slots_[at].id;
  }
  const auto id = static_cast<name_id>(ends_.size());
  text_.insert(text_.end(), text.begin(), text.end());
  ends_.push_back(text_.size());
  slots_[at] = {upper, id};
  if (ends_.size() * 2 > slots_.size()) grow();
  return id;
}

void name_interner::grow() {
  slots_.assign(slots_.size() * 2, slot{});
  const auto mask = slots_.size() - 1;
  for (name_id id = 0; id < size(); ++id) {
    const auto hash = hash_of((*this)[id]);
    auto at = hash & mask;
    while (slots_[at].id != none) at = (at + 1) & mask;
    slots_[at] = {static_cast<std::uint32_t>(hash >> 32), id};
  }
}

}  // namespace ridge::trace
